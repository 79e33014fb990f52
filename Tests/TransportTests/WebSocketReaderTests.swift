import SeededChance
import Testing

@testable import Transport

@Suite struct WebSocketReaderTests {
  /// What was read, with the bytes copied.
  enum Seen: Equatable {
    case message([UInt8])
    case fragment
    case ping([UInt8])
    case pong
    case close(CloseCode, String)
    case violation(CloseCode)
  }

  static func read(_ pieces: [[UInt8]], maximumMessageBytes: Int = 300) -> [Seen] {
    let reader = WebSocketReader(maximumMessageBytes: maximumMessageBytes)
    var seen: [Seen] = []
    for piece in pieces {
      var copy = piece
      copy.withUnsafeMutableBufferPointer { buffer in
        var rest = buffer[...]
        while let event = reader.next(&rest) {
          switch event {
          case .message(let bytes): seen.append(.message(Array(bytes)))
          case .fragment: seen.append(.fragment)
          case .ping(let bytes): seen.append(.ping(Array(bytes)))
          case .pong: seen.append(.pong)
          case .close(let code, let reason): seen.append(.close(code, reason))
          case .violation(let code, _): seen.append(.violation(code))
          }
        }
      }
    }
    return seen
  }

  /// A masked frame.
  static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let mask: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]
    var bytes = [first]
    if payload.count < 126 {
      bytes.append(0x80 | UInt8(payload.count))
    } else {
      bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    }
    return bytes + mask + payload.enumerated().map { $0.element ^ mask[$0.offset & 3] }
  }

  static let long = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
  static let stream: [UInt8] =
    frame(0x82, [1, 2, 3]) + frame(0x82, []) + frame(0x02, [4]) + frame(0x89, [5, 6, 7, 8, 9])
    + frame(0x00, []) + frame(0x80, [10, 11]) + frame(0x82, long) + frame(0x8a, [1])
    + frame(0x88, [0x03, 0xe8] + Array("é".utf8))
  static let meaning: [Seen] = [
    .message([1, 2, 3]), .message([]), .fragment, .ping([5, 6, 7, 8, 9]), .fragment,
    .message([4, 10, 11]), .message(long), .pong, .close(.normal, "é"),
  ]

  @Test func readsFramesInAnySplit() {
    #expect(Self.read([Self.stream]) == Self.meaning)
    #expect(Self.read(Self.stream.map { [$0] }) == Self.meaning)
    for cut in 1..<Self.stream.count {
      #expect(Self.read([Array(Self.stream[..<cut]), Array(Self.stream[cut...])]) == Self.meaning)
    }
    var generator = Chance(seed: 12)
    for _ in 0..<200 {
      var pieces: [[UInt8]] = []
      var rest = Self.stream[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...40, using: &generator))
        pieces.append(Array(piece))
        rest = rest.dropFirst(piece.count)
      }
      #expect(Self.read(pieces) == Self.meaning)
    }
  }

  @Test func holdsTheClientToTheRules() {
    func violation(_ bytes: [UInt8]) -> CloseCode? {
      guard case .violation(let code) = Self.read([bytes]).last else { return nil }
      return code
    }
    let frame = Self.frame
    #expect(violation([0x82, 0x01, 65]) == .protocolError, "not masked")
    #expect(violation([0x82, 0xfe, 0, 125]) == nil, "the mask is yet to come")
    #expect(violation([0x82, 0xfe, 0, 125, 0, 0, 0, 0]) == .protocolError, "126 for 125")
    let long = [0x82, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0] as [UInt8]
    #expect(violation(long) == .protocolError, "127 for 65535")
    let negative = [0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] as [UInt8]
    #expect(violation(negative) == .protocolError)
    for bit: UInt8 in [0x40, 0x20, 0x10] { #expect(violation(frame(0x82 | bit, [])) != nil) }
    for opcode: UInt8 in [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] {
      #expect(violation(frame(0x80 | opcode, [])) == .protocolError)
    }
    for opcode: UInt8 in [8, 9, 10] {
      #expect(violation(frame(opcode, [])) == .protocolError, "in fragments")
      #expect(violation([0x80 | opcode, 0xfe]) == .protocolError, "more than 125 bytes")
    }
    #expect(violation(frame(0x80, [1])) == .protocolError, "a continuation of nothing")
    #expect(violation(frame(2, [1]) + frame(0x82, [1])) == .protocolError, "inside another")
    #expect(violation(frame(0x81, [65])) == .unsupportedData)
    #expect(violation(frame(0x82, Self.long + [0])) == .tooBig)
    #expect(violation(frame(2, Self.long) + frame(0x80, [1])) == .tooBig)
    #expect(violation(frame(0x88, [3])) == .protocolError, "half a code")
    for code: UInt16 in [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535] {
      let payload = [UInt8(code >> 8), UInt8(code & 255)]
      #expect(violation(frame(0x88, payload)) == .protocolError, "\(code)")
    }
    #expect(violation(frame(0x88, [3, 0xe8, 0xff])) == .invalidPayload)
    #expect(Self.read([frame(0x88, [])]) == [.close(.noStatus, "")])
    #expect(Self.read([frame(0x80, [1]) + frame(0x82, [1])]).count == 1, "nothing after it")
  }

  @Test func randomBytesNeverTrap() {
    var generator = Chance(seed: 12)
    for _ in 0..<3000 {
      var bytes = generator.bytes(1...200)
      if Bool.random(using: &generator) {
        (bytes[0], bytes[bytes.count > 1 ? 1 : 0]) = (0x82, 0x85)
      }
      let cut = Int.random(in: 0...bytes.count, using: &generator)
      #expect(Self.read([bytes]) == Self.read([Array(bytes[..<cut]), Array(bytes[cut...])]))
    }
  }

  @Test func serverFramesHaveTheShortestHeader() {
    func header(_ count: Int) -> [UInt8] {
      let frame = OutgoingFrame(copying: [UInt8](repeating: 7, count: count))
      return withExtendedLifetime(frame) { Array(frame.whole.dropLast(count)) }
    }
    #expect(header(0) == [0x82, 0] && header(125) == [0x82, 125])
    #expect(header(126) == [0x82, 126, 0, 126] && header(65_535) == [0x82, 126, 255, 255])
    #expect(header(65_536) == [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0])
  }

  /// The example of RFC 6455 §1.3.
  @Test func handshakesAreProved() {
    let key = "dGhlIHNhbXBsZSBub25jZQ=="
    #expect(HandshakeFilter.acceptKey(for: key) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    #expect(HandshakeFilter.isKey(key))
    for bad in [
      "", "dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25jZR==", "dGhlIHNhbXBsZSBub25jZQAA",
      "dGhlIHNhb BsZSBub25jZQ==", "k",
    ] { #expect(!HandshakeFilter.isKey(bad), "\(bad)") }
  }
}
