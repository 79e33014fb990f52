/// What does not change while a stream runs; its keyframes carry it.
public struct StreamShape: Equatable, Sendable {
  public var profile: CodecProfile
  /// Frames a second; the ticks between them.
  public var rate: FrameRate
  /// The world in points. Bodies may be outside.
  public var width: UInt16
  public var height: UInt16
  /// Gravity at full magnitude in pt/s².
  public var gravity: UInt16
  /// Slots are below this, 1…16 384. Memory is about 700 bytes a slot in a decoder.
  public var slots: Int

  public init(
    profile: CodecProfile, rate: FrameRate = .hz60, width: UInt16, height: UInt16,
    gravity: UInt16 = 1000, slots: Int = WireLimits.bodies
  ) {
    self.profile = profile
    self.rate = rate
    self.width = width
    self.height = height
    self.gravity = gravity
    self.slots = slots < 1 ? 1 : slots < WireLimits.bodies ? slots : WireLimits.bodies
  }

  /// Ticks between two restarts, 8 s: the tables' start costs 0.2 % in motion then, and a client
  /// that had to leave the stream is back in it after 4 s on average. A multiple of every interval.
  static let epochTicks: UInt32 = 480

  /// Ticks for which an encoder may hold back frames in which all is calm: what comes in place of
  /// them comes twice a second.
  public static let heldTicks: UInt32 = 30

  /// Lattice steps, and angles, that bodies may go while all is calm: at most a sixth of a point,
  /// which nobody sees.
  public static let calmSteps: Int32 = 2

  /// Most by which gravity changes while all is calm, on an axis: a degree.
  static let calmGravity: Int32 = 256

  /// Frames back that a catch-up frame may build on.
  public static let catchUpFrames = 64

  /// Ticks from frame to frame.
  var interval: UInt32 { rate.interval }

  /// A stream's frames are due at ticks with tick mod interval = phase. The wire doesn't tell: any
  /// frame's tick does. The phases of the eight streams are chosen so that exactly four of them are
  /// due at each tick, whatever the tick is.
  public var phase: UInt32 { rate.phase(of: profile) }

  /// Whether the stream has a frame at `tick`.
  public func isDue(at tick: UInt32) -> Bool { rate.isDue(at: tick, profile: profile) }

  /// Whether a stream restarts after its frame of `tick`: once in each epoch, whatever its phase.
  func restarts(after tick: UInt32) -> Bool {
    (tick / interval) % (StreamShape.epochTicks / interval) == 0
  }

  /// Gravity's part of a body's move over `ticks`, in lattice steps.
  func fall(_ vector: QuantizedGravity, ticks: Double) -> SIMD4<Double> {
    let scale = Double(gravity) * profile.stepsPerPoint * ticks * ticks / (16_384 * 3600)
    return SIMD4(Double(vector.x) * scale, Double(vector.y) * scale, 0, 0)
  }

  /// Lattice places across the world.
  var latticeWidth: Int { Int(Double(width) * profile.stepsPerPoint) + 1 }
  var latticeHeight: Int { Int(Double(height) * profile.stepsPerPoint) + 1 }
}

/// What a client of a stream has: all that an encoder must know of it.
///
/// Clients at equal positions take the same bytes.
public struct StreamPosition: Hashable, Sendable {
  /// The tick it has.
  public var tick: UInt32
  /// Whether the stream's next own frame fits.
  public var isInStep: Bool
  /// Whether it knows velocities only as keyframes carry them.
  public var isCoarse: Bool

  public init(tick: UInt32, isInStep: Bool, isCoarse: Bool = false) {
    self.tick = tick
    self.isInStep = isInStep
    self.isCoarse = isCoarse
  }
}
