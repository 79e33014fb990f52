/// How well a page that runs the world itself foresees it, since it told last. Each number stays at
/// 65 535 when there was more.
public struct ClientReport: Equatable, Sendable {
  /// Times that ticks were run again, because what had been foretold was wrong.
  public var rollbacks: UInt16
  /// Ticks that were run again.
  public var replayedTicks: UInt16
  /// Rollbacks after which a sticker was seen to jump.
  public var corrections: UInt16
  /// Times that the world turned out not to be the server's.
  public var wrongWorlds: UInt16

  public init(
    rollbacks: UInt16 = 0, replayedTicks: UInt16 = 0, corrections: UInt16 = 0,
    wrongWorlds: UInt16 = 0
  ) {
    self.rollbacks = rollbacks
    self.replayedTicks = replayedTicks
    self.corrections = corrections
    self.wrongWorlds = wrongWorlds
  }
}

extension ClientReport {
  init(from reader: inout BitReader) throws(WireError) {
    rollbacks = try reader.readUInt16()
    replayedTicks = try reader.readUInt16()
    corrections = try reader.readUInt16()
    wrongWorlds = try reader.readUInt16()
  }

  func write(to writer: inout BitWriter) {
    writer.write(byte: ClientMessageType.report.rawValue)
    for number in [rollbacks, replayedTicks, corrections, wrongWorlds] { writer.write(number) }
  }
}
