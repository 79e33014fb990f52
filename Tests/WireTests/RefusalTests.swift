import SeededChance
import Testing

@testable import Wire

/// Any bytes give a value or a typed error. A trap would end the test process.
@Suite struct RefusalTests {
  private func decodeEverything(_ bytes: [UInt8]) -> WireError? {
    var refusal: WireError?
    do throws(WireError) { _ = try ClientMessage.decode(bytes) } catch { refusal = error }
    do throws(WireError) { _ = try ServerMessage.decode(bytes) } catch { refusal = error }
    do throws(WireError) { try StreamDecoder().decode(bytes) } catch { refusal = error }
    return refusal
  }

  @Test func everyTruncationIsRefused() throws {
    let frames = Set(Samples.frames.map(\.name) + ["held"])
    for (name, bytes) in try Samples.all() where !frames.contains(name) {
      for length in 0..<bytes.count {
        let short = Array(bytes[..<length])
        // A hello without its token is a whole hello.
        if name.hasPrefix("hello "), length == 6 || length == 22 { continue }
        // A welcome without its set of stickers is a whole welcome.
        if name == "welcome to a set", length == bytes.count - 14 { continue }
        // Fewer words are words, unless they end within a character.
        if name == "say", [4, 7, 10, 13].contains(length) { continue }
        #expect(throws: WireError.self, "\(name) \(length)") { try ClientMessage.decode(short) }
        #expect(throws: WireError.self, "\(name) \(length)") { try ServerMessage.decode(short) }
      }
    }
  }

  @Test func everyFlippedBitGivesAValueOrAnError() throws {
    var refused = 0
    for (_, bytes) in try Samples.all() {
      for bit in 0..<(bytes.count * 8) {
        var flipped = bytes
        flipped[bit / 8] ^= 1 << UInt8(bit % 8)
        if decodeEverything(flipped) != nil { refused += 1 }
      }
    }
    #expect(refused > 0)
  }

  @Test func randomBytesGiveAValueOrAnError() {
    var chance = Chance(seed: 7)
    let types: [UInt8] = [0x01, 0x05, 0x0A, 0x0B, 0x81, 0x82, 0x83, 0x85, 0x87, 0x88, 0x89, 0xC0]
    for _ in 0..<20_000 {
      let length = Int.random(in: 0..<96, using: &chance)
      var bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &chance) }
      if length > 0 { bytes[0] = types.randomElement(using: &chance)! }
      _ = decodeEverything(bytes)
    }
  }

  @Test func bytesAfterTheEndAreRefused() throws {
    // Behind a hello there may be a token, behind that a tick, and words have any length.
    let open = ["hello", "hello again", "hello of a watcher", "say"]
    for (name, message) in Samples.client where !open.contains(name) {
      #expect(throws: WireError.trailing) {
        try ClientMessage.decode(Samples.encoded(message) + [0])
      }
    }
    #expect(throws: WireError.trailing) {
      try StreamDecoder().decode(Samples.frames[0].bytes + [0, 0, 0, 0])
    }
  }

  @Test func wrongValuesAreNamed() {
    #expect(throws: WireError.empty) { try ClientMessage.decode([]) }
    #expect(throws: WireError.unknownType(0x81)) { try ClientMessage.decode([0x81]) }
    #expect(throws: WireError.unknownType(1)) { try ServerMessage.decode([1]) }
    #expect(throws: WireError.outOfRange(.kind)) {
      try ClientMessage.decode([3, 16, 0, 0, 0, 0])
    }
    for type in UInt8(6)...9 {
      let high: [UInt8] = [type, 0, 0x40, 0, 0, 0, 0, 0, 0]
      #expect(throws: WireError.outOfRange(.slot)) {
        try ClientMessage.decode(Array(high.prefix(type == 6 || type == 9 ? 9 : 7)))
      }
    }
    #expect(throws: WireError.outOfRange(.words)) { try ClientMessage.decode([0x0A]) }
    #expect(throws: WireError.outOfRange(.words)) {
      try ClientMessage.decode([0x0A] + [UInt8](repeating: 0x61, count: 65))
    }
    for invalid: [UInt8] in [[0xFF], [0xC0, 0x80], [0xE4, 0xBD], [0xED, 0xA0, 0x80]] {
      #expect(throws: WireError.outOfRange(.words)) { try ClientMessage.decode([0x0A] + invalid) }
    }
    #expect(throws: WireError.outOfRange(.events)) {
      try ServerMessage.decode([0x85, 0, 0, 0, 0, 65])
    }
    #expect(throws: WireError.outOfRange(.eventKind)) {
      try ServerMessage.decode([0x85, 0, 0, 0, 0, 1, 8])
    }
    #expect(throws: WireError.outOfRange(.keyword)) {
      try ServerMessage.decode([0x85, 0, 0, 0, 0, 1, 4, 32, 0, 0])
    }
    #expect(throws: WireError.outOfRange(.stream)) {
      try ClientMessage.decode([1, 9, 0, 4, 60, 0])
    }
    #expect(throws: WireError.outOfRange(.rate)) { try ClientMessage.decode([1, 9, 0, 0, 59, 0]) }
    #expect(throws: WireError.outOfRange(.profile)) {
      try ClientMessage.decode([1, 9, 0, 0, 60, 2])
    }
    #expect(throws: WireError.outOfRange(.stream)) { try ClientMessage.decode([0x0B, 2, 60, 0]) }
    #expect(throws: WireError.outOfRange(.rate)) { try ClientMessage.decode([0x0B, 0, 0, 0]) }
    #expect(throws: WireError.outOfRange(.profile)) {
      try ClientMessage.decode([0x0B, 0, 60, 2])
    }
    // A tick is named for what changes the world, and once.
    for inner: [UInt8] in [[5, 0, 0, 0, 0], [0x0C, 0, 0, 0, 0, 2, 0, 0, 0, 0], [0x0B, 0, 60, 0]] {
      #expect(throws: WireError.outOfRange(.command)) {
        try ClientMessage.decode([0x0C, 0, 0, 0, 0] + inner)
      }
    }
    #expect(throws: WireError.outOfRange(.receipts)) {
      try ServerMessage.decode([0x89, 0, 0, 0, 0, 65])
    }
    #expect(throws: WireError.outOfRange(.outcome)) {
      try ServerMessage.decode([0x89, 0, 0, 0, 0, 1, 1, 0, 0, 0, 3])
    }
    #expect(throws: WireError.otherVersion(1)) { try ClientMessage.decode([1, 1, 0, 0, 60]) }
    #expect(throws: WireError.outOfRange(.noticeKind)) { try ServerMessage.decode([0x87, 6, 0]) }
    for people: [UInt8] in [[13], [2, 7, 0, 0, 0, 7, 0, 0, 0]] {
      #expect(throws: WireError.outOfRange(.people)) {
        try ServerMessage.decode([0x87, 5] + people)
      }
    }
    for tilt: [UInt8] in [[66, 0], [0, 0xBE], [0x80, 0], [47, 47]] {
      #expect(throws: WireError.outOfRange(.tilt)) {
        try ServerMessage.decode([0x87, 5, 1, 7, 0] + tilt)
      }
    }
    #expect(throws: WireError.truncated) { try ServerMessage.decode([0x87, 5, 1, 7, 0, 0]) }
    #expect(throws: WireError.outOfRange(.tiltRule)) { try ServerMessage.decode([0x87, 4, 3]) }
    #expect(throws: WireError.trailing) { try ServerMessage.decode([0x87, 4, 1, 0]) }
    #expect(throws: WireError.truncated) { try ServerMessage.decode([0x87, 4, 2, 0]) }
    #expect(throws: WireError.outOfRange(.flags)) { try ServerMessage.decode([0x87, 2, 4, 0]) }
    #expect(throws: WireError.truncated) { try ServerMessage.decode([0x87, 2, 0, 1]) }
    #expect(throws: WireError.outOfRange(.announcement)) {
      try ServerMessage.decode([0x87, 2, 0, 121] + [UInt8](repeating: 65, count: 121))
    }
    #expect(throws: WireError.outOfRange(.announcement)) {
      try ServerMessage.decode([0x87, 2, 0, 1, 0xFF])
    }
    #expect(throws: WireError.tooLong(129)) {
      try ClientMessage.decode([UInt8](repeating: 2, count: 129))
    }
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
