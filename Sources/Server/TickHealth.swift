/// How the tick thread fares, for operators.
public struct TickHealth: Sendable {
  /// The last tick that ran.
  public var tick: UInt32 = 0
  /// Monotonic nanoseconds at which the first tick was due.
  public var started: UInt64 = 0
  /// Monotonic nanoseconds at which the last tick was due.
  public var deadline: UInt64 = 0
  /// Ticks given up because the machine stood still.
  public var lost: UInt64 = 0
  /// How late ticks began, in microseconds: half of them, 99 of 100, and the worst.
  public var lateMedian: UInt64 = 0
  public var late99: UInt64 = 0
  public var lateMaximum: UInt64 = 0
  /// How long ticks took, in microseconds.
  public var tookMedian: UInt64 = 0
  public var took99: UInt64 = 0
  public var tookMaximum: UInt64 = 0
  /// Bodies in the world.
  public var bodies = 0
  /// What the streams' encoders did.
  public var encoded = EncodedFrames()
  /// Inputs dropped because the queue was full.
  public var droppedInputs = 0
  /// Commands left out because too many waited for their tick.
  public var droppedCommands = 0
}
