import SeededChance
import Testing

@testable import Wire

@Suite struct RecordTests {
  private static let commands: [Command] = [
    .drop(kind: 255, x: -5, y: .max), .throwSticker(x: 1, y: 2, velocityX: .min, velocityY: 4),
    .grab(slot: 65_535, generation: 7, x: 0, y: -1), .move(slot: 3, x: 300, y: 400),
    .release(slot: 9, velocityX: -10_000, velocityY: 10_000),
    .snap(slot: 16_383, generation: .max, x: 5, y: 6), .say(keyword: 18), .leave,
  ]

  private func run(_ records: [TickRecord], from tick: UInt32) throws -> [UInt8] {
    var coder = RecordCoder(tick: tick, gravity: .down)
    var bytes: [UInt8] = []
    for record in records { coder.encode(record, into: &bytes) }
    var reading = RecordCoder(tick: tick, gravity: .down)
    var offset = 0
    try bytes.withUnsafeBytes { raw in
      for record in records {
        let read = try reading.decode(raw, at: &offset)
        #expect(read == record)
      }
    }
    #expect(offset == bytes.count && reading == coder)
    return bytes
  }

  @Test func everyRecordComesBack() throws {
    let all = Self.commands.enumerated().map {
      StampedCommand(person: UInt16($0) * 9000, sequence: .max >> UInt32($0 * 4), command: $1)
    }
    let far = QuantizedGravity(x: .min, y: .max)
    let first = UInt32.max - 1
    let bytes = try run(
      [
        TickRecord(tick: first.nextTick), TickRecord(tick: first &+ 2, gravity: far, commands: all),
        TickRecord(tick: first &+ 3, gravity: .down, tilting: 65_535, stateHash: .max - 5),
        TickRecord(tick: first &+ 4, tilting: 0, commands: [all[0]], dropsCaches: true),
        TickRecord(tick: first &+ 5, dropsCaches: true, stateHash: 0),
        TickRecord(tick: first &+ 6, gravity: far, tilting: 3, dropNotice: 9),
      ], from: first)
    #expect(bytes.count < 150)
  }

  private static let acts: [HostAct] = [
    .begin(scene: 4, bodies: 3, maxBodies: 16_384, shape: 2, seed: .max - 7), .clear, .freeze,
    .unfreeze,
    .gravity(percent: 300), .mostBodies(16_384),
  ]

  @Test func whatTheHostDoesComesBack() throws {
    let leave = StampedCommand(person: 4, sequence: 0, command: .leave)
    let full = Array(repeating: HostAct.clear, count: HostAct.mostInTick)
    try run(
      [
        TickRecord(tick: 6, acts: Self.acts),
        TickRecord(tick: 7, gravity: .down, tilting: 3, acts: [.freeze], commands: [leave]),
        TickRecord(tick: 8, acts: full, dropsCaches: true, stateHash: 1),
      ], from: 5)
  }

  @Test func whosePitItIsComesBack() throws {
    let rules: [TiltRule] = [
      .captain(nil), .captain(Captain(person: .max, ends: .max)),
      .captain(Captain(person: 0, ends: 0)), .everybody,
    ]
    try run(
      rules.enumerated().map { TickRecord(tick: UInt32($0) + 6, tilting: 1, tiltRule: $1) },
      from: 5)
    for rule in rules {
      var coder = RecordCoder(tick: 77, gravity: .down)
      var bytes: [UInt8] = []
      coder.encode(TickRecord(tick: 78, tiltRule: rule), into: &bytes)
      bytes = []
      coder.save(into: &bytes)
      #expect(bytes.count == RecordCoder.savedBytes)
      #expect(try RecordCoder(from: bytes) == coder && coder.tiltRule == rule)
    }
  }

  @Test(arguments: [[3, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 1]])
  func rulesThatThereAreNotAreRefused(rule: [UInt8]) {
    var saved: [UInt8] = []
    RecordCoder(tick: 77, gravity: .down).save(into: &saved)
    let bytes = saved.dropLast(rule.count) + rule
    #expect(throws: WireError.outOfRange(.tiltRule)) { try RecordCoder(from: Array(bytes)) }
  }

  /// Bits from the lowest: the number of acts in five, a kind in four, a number in sixteen.
  @Test func actsThatNoHostGivesAreRefused() {
    func refusal(of bits: UInt64) -> WireError? {
      var coder = RecordCoder(tick: 1, gravity: .down)
      let bytes =
        [RecordCoder.mark | 8, 4] + (0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
      do throws(WireError) {
        var offset = 0
        let result: Result<TickRecord, WireError> = bytes.withUnsafeBytes { raw in
          do throws(WireError) { return .success(try coder.decode(raw, at: &offset)) } catch {
            return .failure(error)
          }
        }
        _ = try result.get()
        return nil
      } catch {
        return error
      }
    }
    #expect(refusal(of: 1 | 2 << 5) == nil)
    #expect(refusal(of: 0) == .outOfRange(.count))
    #expect(refusal(of: 17 | 1 << 5) == .outOfRange(.count))
    #expect(refusal(of: 1 | 6 << 5) == .outOfRange(.act))
    #expect(refusal(of: 1 | 4 << 5 | 301 << 9) == .outOfRange(.act))
    #expect(refusal(of: 1 | 5 << 5) == .outOfRange(.act))
    #expect(refusal(of: 1 | 5 << 5 | 16_385 << 9) == .outOfRange(.act))
  }

  /// PROTOCOL.md's example.
  @Test func bytesAreWhatTheProtocolSays() throws {
    let command = StampedCommand(
      person: 3, sequence: 20, command: .drop(kind: 6, x: 2880, y: 800))
    let bytes = try run(
      [
        TickRecord(tick: 8), TickRecord(tick: 9, gravity: QuantizedGravity(x: 10, y: 16_380)),
        TickRecord(tick: 10, gravity: QuantizedGravity(x: 21, y: 16_376)),
        TickRecord(tick: 11, commands: [command]),
      ], from: 7)
    #expect(
      bytes.map { String($0, radix: 16) }.joined(separator: " ")
        == "90 91 29 f8 91 4 92 61 d0 0 40 b 20 3 6")
  }

  @Test func snapshotsOfTheCoderComeBack() throws {
    var coder = RecordCoder(tick: 77, gravity: .down)
    var bytes: [UInt8] = []
    coder.encode(
      TickRecord(tick: 78, gravity: QuantizedGravity(x: -100, y: 5)), into: &bytes)
    bytes = []
    coder.save(into: &bytes)
    #expect(bytes.count == RecordCoder.savedBytes)
    let restored = try RecordCoder(from: bytes)
    #expect(restored == coder)
    #expect(throws: WireError.truncated) { _ = try RecordCoder(from: bytes.dropLast()) }
  }

  @Test func anyBytesGiveARecordOrAnError() {
    var random = Chance(seed: 31)
    for round in 0..<20_000 {
      var bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      if round % 4 != 0, !bytes.isEmpty { bytes[0] = RecordCoder.mark | bytes[0] & 15 }
      let coder = RecordCoder(tick: 1, gravity: .down)
      var reading = coder
      bytes.withUnsafeBytes { raw in
        var offset = 0
        while offset < raw.count {
          let before = (reading, offset)
          do {
            let record = try reading.decode(raw, at: &offset)
            var (writing, again) = (before.0, [UInt8]())
            writing.encode(record, into: &again)
            #expect(writing == reading && offset > before.1)
          } catch {
            #expect(reading == before.0, "an error changes nothing")
            break
          }
        }
      }
    }
  }
}
