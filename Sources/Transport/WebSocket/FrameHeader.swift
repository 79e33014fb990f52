/// The header in front of a frame that a server sends: RFC 6455 §5.2, whole and unmasked.
enum FrameHeader {
  /// The longest one.
  static let maximumBytes = 10

  enum Opcode: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10
  }

  /// Writes the header so that it ends where the payload begins.
  ///
  /// - Returns: its length, 2, 4 or 10 bytes.
  static func write(
    _ opcode: Opcode, count: Int, before payload: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let first = 0x80 | opcode.rawValue
    switch count {
    case ..<126:
      payload[-2] = first
      payload[-1] = UInt8(count)
      return 2
    case ...0xffff:
      payload[-4] = first
      payload[-3] = 126
      writeLength(count, bytes: 2, before: payload)
      return 4
    default:
      payload[-10] = first
      payload[-9] = 127
      writeLength(count, bytes: 8, before: payload)
      return 10
    }
  }

  private static func writeLength(
    _ count: Int, bytes: Int, before payload: UnsafeMutablePointer<UInt8>
  ) {
    for place in 1...bytes {
      payload[-place] = UInt8(truncatingIfNeeded: count >> (8 * (place - 1)))
    }
  }

  /// A whole control frame.
  static func control(_ opcode: Opcode, _ payload: [UInt8]) -> [UInt8] {
    assert(payload.count < 126)
    return [0x80 | opcode.rawValue, UInt8(payload.count)] + payload
  }
}
