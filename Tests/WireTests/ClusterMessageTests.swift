import Testing

@testable import Wire

/// What servers of one world tell each other, byte by byte as PROTOCOL-cluster.md draws it.
@Suite struct ClusterMessageTests {
  private static let log = LogMessage(
    epoch: 2, position: 0x1_0000_0003, before: 0x0102_0304_0506_0708,
    taken: [InputsTaken(member: MemberID(0xAABB_CCDD), count: 5)],
    leftOut: [LeftOutCommand(person: 9, sequence: 7)],
    lateTilts: [PersonsLateTilt(person: 3, meant: 0x0A0B)], record: [0x90])
  private static let world = WorldMessage(
    epoch: 1, position: 30, sequence: 32, link: 4, core: 5,
    taken: [InputsTaken(member: MemberID(6), count: 7)], world: [1, 2, 3])
  private static let inputs = InputsMessage(
    member: MemberID(3), number: 4, wantsWorld: true,
    inputs: [
      .tilt(person: 256, x: -1, y: 2, at: nil), .tilt(person: 1, x: 3, y: 4, at: 99),
      .command(
        StampedCommand(person: 2, sequence: 8, command: .drop(kind: 1, x: 5, y: 6)), at: nil),
      .left(person: 3, sequence: 9),
    ])
  private static let presence = PresenceMessage(
    member: MemberID(1), role: .edge, people: 2,
    listed: [Person(id: 257, colour: 0x102030, name: try! Name("Fox"))],
    blocks: [NumberBlock(index: 1), NumberBlock(index: 200)])

  @Test func theLogsBytes() throws {
    let bytes = Self.log.encoded()
    #expect(
      bytes == [
        2, 2, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1,
        1, 0, 0xDD, 0xCC, 0xBB, 0xAA, 5, 0, 0, 0, 1, 0, 9, 0, 7, 0, 0, 0,
        1, 0, 3, 0, 0x0B, 0x0A, 0, 0, 0x90,
      ])
    #expect(try LogMessage(bytes) == Self.log && Self.log.isTick)
    let term = LogMessage(epoch: 3, position: 4, before: 5)
    #expect(try LogMessage(term.encoded()) == term && !term.isTick)
  }

  @Test func theWorldsBytes() throws {
    let bytes = Self.world.encoded()
    #expect(bytes.count == 1 + 4 + 4 * 8 + 2 + 8 + 3 && bytes.suffix(3) == [1, 2, 3])
    #expect(try WorldMessage(bytes) == Self.world)
  }

  @Test func inputsAndPresences() throws {
    #expect(try InputsMessage(Self.inputs.encoded()) == Self.inputs)
    let bytes = Self.presence.encoded()
    #expect(
      bytes == [
        2, 1, 0, 0, 0, 2, 2, 0, 1, 1, 1, 0x30, 0x20, 0x10, 3, 0x46, 0x6F, 0x78, 2, 0, 1, 200,
      ])
    #expect(try PresenceMessage(bytes) == Self.presence)
  }

  @Test func whateverIsCutOrChangedIsRefusedOrRead() throws {
    for whole in [
      Self.log.encoded(), Self.world.encoded(), Self.inputs.encoded(), Self.presence.encoded(),
    ] {
      for length in 0..<whole.count { Self.readAll(Array(whole.prefix(length))) }
      for index in whole.indices {
        for change: UInt8 in [1, 0x80, 0xFF] {
          var bytes = whole
          bytes[index] ^= change
          Self.readAll(bytes)
        }
      }
    }
    #expect(throws: WireError.otherVersion(1)) { try LogMessage([1] + Self.log.encoded()[1...]) }
    #expect(throws: WireError.truncated) { try PresenceMessage([2, 2]) }
    // Behind the last epoch and the last position nothing could be counted.
    for (index, width) in [(1, 4), (5, 8)] {
      var bytes = Self.log.encoded()
      for place in index..<(index + width) { bytes[place] = 0xFF }
      #expect(throws: WireError.outOfRange(.count)) { try LogMessage(bytes) }
    }
    #expect(throws: WireError.outOfRange(.flags)) {
      var bytes = Self.inputs.encoded()
      bytes[9] = 2
      _ = try InputsMessage(bytes)
    }
  }

  /// Reads bytes as everything; nothing may trap.
  private static func readAll(_ bytes: [UInt8]) {
    _ = try? LogMessage(bytes)
    _ = try? WorldMessage(bytes)
    _ = try? InputsMessage(bytes)
    _ = try? PresenceMessage(bytes)
  }

  @Test func blocksPartAllNumbers() {
    #expect(NumberBlock(index: 0).numbers == 1...255)
    #expect(NumberBlock(index: 255).numbers == 65_280...65_535)
    for person: UInt16 in [1, 255, 256, 65_535] {
      #expect(NumberBlock(of: person).numbers.contains(person))
    }
  }
}
