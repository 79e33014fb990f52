/// A tilt of this client that was taken in another tick than the client meant it for; sent to that
/// client alone. What becomes of commands is told by receipts and by the log.
public struct LateTilt: Equatable, Sendable {
  /// The tick that the client named, the low 32 bits.
  public var meant: UInt32
  /// The tick from which on the tilt counts: a later one if it came late, an earlier one if too
  /// many inputs of the client waited.
  public var taken: UInt32

  public init(meant: UInt32, taken: UInt32) {
    self.meant = meant
    self.taken = taken
  }
}

extension LateTilt {
  func write(to writer: inout BitWriter) {
    writer.write(byte: ServerMessageType.lateTilt.rawValue)
    writer.write(meant, bits: 32)
    writer.write(taken, bits: 32)
  }

  init(from reader: inout BitReader) throws(WireError) {
    self.init(meant: try reader.read(bits: 32), taken: try reader.read(bits: 32))
  }
}
