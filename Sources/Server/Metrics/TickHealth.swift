import Simulation

/// How the tick thread fares, for operators.
public struct TickHealth: Sendable {
  /// The last tick that ran.
  public var tick: UInt32 = 0
  /// Whether one did.
  public var hasTicked = false
  /// How many did.
  public var ticked = 0
  /// When ticks were lost last, or one began more than a tick late; monotonic nanoseconds.
  public var lastTrouble: UInt64?
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
  /// The scene that is played, and whether the host has its world stand still.
  public var scene = Scene.pit
  public var isFrozen = false
  /// Bodies in the world, and contacts that its last tick solved.
  public var bodies = 0
  public var contacts = 0
  /// What the streams' encoders did.
  public var encoded = EncodedFrames()
  /// Inputs dropped because the queue was full.
  public var droppedInputs = 0
  /// Commands left out because too many waited for their tick.
  public var droppedCommands = 0
  /// Moves left out because the client held nothing that they could move.
  public var idleMoves = 0
  /// Inputs that were in time for the tick that they were meant for, and those that were not.
  public var timelyInputs = 0
  public var lateInputs = 0
  /// Inputs that named no tick: they count in the next one.
  public var plainInputs = 0
  /// Hands that were opened because they held on for too long.
  public var openedHands = 0
}

extension TickHealth {
  /// Nanoseconds without a tick after which the server is no longer ready.
  private static let longestPause: UInt64 = 1_000_000_000
  /// Nanoseconds for which trouble is remembered.
  private static let memory: UInt64 = 10_000_000_000

  /// Takes what a tick has made of the world.
  mutating func note(_ pit: borrowing Pit, _ encoded: EncodedFrames) {
    tick = pit.tick
    scene = pit.scene
    isFrozen = pit.isFrozen
    bodies = pit.bodyCount
    contacts = pit.contactCount
    self.encoded = encoded
  }

  /// Whether ticks run.
  /// - Parameter now: monotonic nanoseconds.
  func isReady(at now: UInt64) -> Bool {
    hasTicked && now - min(deadline, now) < Self.longestPause
  }

  /// Whether the server does not keep its time, or did not just now.
  /// - Parameter now: monotonic nanoseconds.
  func isDegraded(at now: UInt64) -> Bool {
    guard isReady(at: now) else { return hasTicked }
    return lastTrouble.map { now - min($0, now) < Self.memory } ?? false
  }
}

/// How many frames were encoded since the start. They grow with time, with the streams in use and
/// with the clients that are out of step, but not with the number of clients.
public struct EncodedFrames: Equatable, Encodable, Sendable {
  /// For everybody in step: one a stream and its frame, whether it was sent or held back.
  public var own = 0
  /// For everybody who joined, or came back, at a tick.
  public var keyframes = 0
  /// For everybody at a tick and at one place that is not in step.
  public var catchUps = 0
  /// Times that a stream began anew because its encoder could not go on: each is a fault that its
  /// clients survived.
  public var restarted = 0
}
