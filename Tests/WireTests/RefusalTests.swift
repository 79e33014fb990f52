import Testing

@testable import Wire

/// Any bytes give a value or a typed error. A trap would end the test process.
@Suite struct RefusalTests {
  private func decodeEverything(_ bytes: [UInt8]) -> WireError? {
    var refusal: WireError?
    do throws(WireError) { _ = try ClientMessage.decode(bytes) } catch { refusal = error }
    do throws(WireError) { _ = try ServerMessage.decode(bytes) } catch { refusal = error }
    var fresh = StateDecoder()
    do throws(WireError) { try fresh.decode(bytes) } catch { refusal = error }
    return refusal
  }

  /// A decoder that has taken the first `count` golden frames.
  private func decoder(after count: Int) throws -> StateDecoder {
    var decoder = StateDecoder()
    for frame in Samples.frames[..<count] { try decoder.decode(frame.bytes) }
    return decoder
  }

  @Test func everyTruncationIsRefused() throws {
    for (name, bytes) in try Samples.all() {
      for length in 0..<bytes.count {
        let short = Array(bytes[..<length])
        // A hello without its token is a whole hello.
        if name == "hello again", length == 5 { continue }
        #expect(throws: WireError.self, "\(name) \(length)") { try ClientMessage.decode(short) }
        if name.hasPrefix("keyframe") || name.hasPrefix("state") { continue }
        #expect(throws: WireError.self, "\(name) \(length)") { try ServerMessage.decode(short) }
      }
    }
  }

  @Test func everyTruncatedFrameIsRefusedAndChangesNothing() throws {
    for (index, frame) in Samples.frames.enumerated() {
      let before = try decoder(after: index)
      for length in 0..<frame.bytes.count {
        var after = before
        #expect(throws: WireError.self) { try after.decode(Array(frame.bytes[..<length])) }
        #expect(after.world == before.world)
        #expect(after.hasKeyframe == before.hasKeyframe)
      }
    }
  }

  @Test func everyFlippedBitGivesAValueOrAnError() throws {
    var refused = 0
    var taken = 0
    for (_, bytes) in try Samples.all() {
      for bit in 0..<(bytes.count * 8) {
        var flipped = bytes
        flipped[bit / 8] ^= 1 << UInt8(bit % 8)
        if decodeEverything(flipped) == nil { taken += 1 } else { refused += 1 }
      }
    }
    #expect(refused > 0)
    for (index, frame) in Samples.frames.enumerated() {
      let before = try decoder(after: index)
      for bit in 0..<(frame.bytes.count * 8) {
        var flipped = frame.bytes
        flipped[bit / 8] ^= 1 << UInt8(bit % 8)
        var after = before
        do throws(WireError) {
          try after.decode(flipped)
          taken += 1
          expectSound(after.world)
        } catch {
          #expect(after.world == before.world)
        }
      }
    }
    #expect(taken > 0)
  }

  @Test func randomBytesGiveAValueOrAnError() throws {
    var chance = Chance(state: 7)
    let types = Samples.frames.map { $0.bytes[0] } + [0x01, 0x81, 0x87, 0x05]
    let start = try decoder(after: 1)
    for _ in 0..<20_000 {
      let length = Int.random(in: 0..<96, using: &chance)
      var bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &chance) }
      if length > 0 { bytes[0] = types.randomElement(using: &chance)! }
      _ = decodeEverything(bytes)
      // With the right tick and base, the lists are reached.
      if length > 6, bytes[0] == 0x83 { bytes.replaceSubrange(1..<7, with: [0xE9, 3, 0, 0, 1, 0]) }
      var decoder = start
      do throws(WireError) {
        try decoder.decode(bytes)
        expectSound(decoder.world)
      } catch {
        #expect(decoder.world == start.world)
      }
    }
  }

  /// What a decoded world promises to everything that reads it.
  private func expectSound(_ world: LatticeWorld) {
    #expect(world.bodies.count <= WireLimits.bodies)
    for (index, body) in world.bodies.enumerated() {
      if index > 0 { #expect(world.bodies[index - 1].slot < body.slot) }
      #expect(body.kind < WireLimits.kinds && body.size > 0 && body.angle < 1024)
      #expect(abs(body.x) <= LatticeBody.limit && abs(body.y) <= LatticeBody.limit)
    }
  }

  @Test func bytesAfterTheEndAreRefused() throws {
    for (_, message) in Samples.client where message != Samples.client[0].message {
      #expect(throws: WireError.trailing) {
        try ClientMessage.decode(Samples.encoded(message) + [0])
      }
    }
    var decoder = StateDecoder()
    #expect(throws: WireError.trailing) { try decoder.decode(Samples.frames[0].bytes + [0]) }
  }

  @Test func wrongValuesAreNamed() {
    #expect(throws: WireError.empty) { try ClientMessage.decode([]) }
    #expect(throws: WireError.unknownType(0x81)) { try ClientMessage.decode([0x81]) }
    #expect(throws: WireError.unknownType(1)) { try ServerMessage.decode([1]) }
    #expect(throws: WireError.outOfRange(.kind)) {
      try ClientMessage.decode([3, 16, 0, 0, 0, 0])
    }
    #expect(throws: WireError.outOfRange(.stream)) { try ClientMessage.decode([1, 1, 0, 2, 60]) }
    #expect(throws: WireError.outOfRange(.rate)) { try ClientMessage.decode([1, 1, 0, 0, 59]) }
    #expect(throws: WireError.outOfRange(.noticeKind)) { try ServerMessage.decode([0x87, 2, 0]) }
    #expect(throws: WireError.tooLong(129)) {
      try ClientMessage.decode([UInt8](repeating: 2, count: 129))
    }
  }

  @Test func aCountThatTheBytesCannotHoldIsRefusedBeforeItIsBelieved() {
    // A keyframe that says 16 383 bodies and brings none.
    var bytes: [UInt8] = []
    BitWriter.append(to: &bytes) { writer in
      writer.write(byte: 0x82)
      writer.write(1, bits: 32)
      writer.write(1, bits: 8)
      writer.write(0, bits: 32)
      writer.write(0, bits: 40)
      writer.write(0, bits: 10)
      writer.write(16_383, bits: 15)
    }
    var decoder = StateDecoder()
    #expect(throws: WireError.truncated) { try decoder.decode(bytes) }
  }

  @Test func namesAreShortAndUTF8() throws {
    for good in ["", "Fox", "ßüé", "雪だるま", "🐙", String(repeating: "x", count: 32)] {
      #expect(try Name(good).text == good)
    }
    let bad: [[UInt8]] = [
      [0x80], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82], [0xC3, 0x28], [UInt8](repeating: 0x41, count: 33),
    ]
    for bytes in bad {
      #expect(throws: WireError.outOfRange(.name), "\(bytes)") { try Name(utf8: bytes) }
    }
  }
}
