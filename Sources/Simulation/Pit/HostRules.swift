import Wire

/// What the host has decided about a world, as part of the world: the log brings it (`HostAct`),
/// and snapshots hold it.
struct HostRules: Equatable, Sendable {
  /// Whether the world stands still.
  var isFrozen = false
  /// Ticks in which it stood still. The log counts them, and the scene's own time doesn't, so that
  /// a ledge that vanishes after a second does so after a second that people saw.
  var frozenTicks: UInt32 = 0
  /// The strength of gravity in percent of the scene's.
  var gravityPercent: UInt16 = 100
  /// The most bodies at a time, if they are fewer than the world was made for.
  var mostBodies: UInt16?

  /// A world that the host left alone.
  static let none = HostRules()

  func write<Sink: PitSink>(_ sink: inout Sink) {
    sink.put(isFrozen ? 1 : 0 as UInt32)
    sink.put(frozenTicks)
    sink.put(UInt32(gravityPercent))
    sink.put(mostBodies.map { UInt32($0) })
  }

  init() {}

  /// What `write` described. Throws `malformedSnapshot` for what no host can have decided.
  init(from reader: inout PitReader) throws(PitError) {
    isFrozen = try reader.word(upTo: 1) == 1
    frozenTicks = try reader.word()
    gravityPercent = UInt16(try reader.word(upTo: UInt32(HostAct.mostPercent)))
    mostBodies = try reader.optionalWord().map { UInt16(truncatingIfNeeded: $0) }
    // A world that was left alone is written without any of this.
    guard self != .none else { throw .malformedSnapshot }
  }
}
