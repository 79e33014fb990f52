/// The numbers a world is built with. All are part of the state: two copies must agree on them.
public struct WorldConfiguration: Equatable, Sendable, BitwiseCopyable {
  /// Most bodies at a time, 1…16 384 (slots are 16 bits, and beyond that a tick leaves its budget).
  public var capacity: Int = 4096
  /// Ticks a second: 60, or 120 for a world that is looked at, or steered, twice as often. A step
  /// of 1/120 s has three sub-steps instead of six, so that a second costs a little more and looks
  /// the same. Whatever counts in ticks, as `sleepTicks`, counts these.
  public var ticksPerSecond: Int = 60
  /// Stiffness of contacts in hertz, above 0 up to 120. The default is a quarter of the sub-step
  /// rate, the most that rests quietly; beyond a third a contact answers its own answer.
  public var contactFrequency: Float = 90
  /// Damping ratio of contacts, above 0 up to 100. 2 settles without jitter; 10 jitters.
  public var contactDampingRatio: Float = 2
  /// Fastest speed, in pt/s, at which overlapping bodies are pushed apart: 0 up to the speed limit.
  public var pushSpeed: Float = 400
  /// Approach speed, in pt/s, under which contacts don't bounce, so that piles come to rest: 0 up
  /// to the speed limit.
  public var restitutionThreshold: Float = 100
  /// How far ahead of a rolling body its contact presses, in points, 0…10; 0 lets balls roll for
  /// ever. The default slows a ball of 40 pt by 1 pt/s each second (0.1 % of the default gravity),
  /// so that piles come to rest.
  public var rollingResistance: Float = 0.03
  /// Whether bodies at rest stop being stepped until something changes.
  public var allowsSleep = true
  /// Speed, in pt/s, under which a body counts as resting: 0 (never) up to the speed limit.
  public var sleepSpeed: Float = 1
  /// Spin, in rad/s, under which a body counts as resting: 0 (never) up to the spin limit. The
  /// default is 2° a second.
  public var sleepSpin: Float = 0.035
  /// Ticks of rest after which a group of touching bodies falls asleep, 1…250, as a byte counts
  /// them. The default is half a second.
  public var sleepTicks: Int = 30

  /// The configuration of a pit.
  public init() {}

  /// The configuration of a pit.
  public static let `default` = WorldConfiguration()

  /// Most bodies that any configuration may ask for.
  public static let hardCapacity = 16_384

  var isValid: Bool { refused == nil }

  /// What a speed of the configuration may be, in pt/s.
  package static var speeds: ClosedRange<Float> { 0...PhysicsWorld.speedLimit }

  /// The first number outside its documented range, and the range; nil when there is none.
  package var refused: (value: Float, allowed: ClosedRange<Float>)? {
    // Whole numbers beyond a `Float`'s are beyond their ranges too.
    Self.refused(Float(capacity), 1...Float(Self.hardCapacity))
      ?? refusedTicks
      ?? Self.refused(contactFrequency, Float.leastNonzeroMagnitude...120)
      ?? Self.refused(contactDampingRatio, Float.leastNonzeroMagnitude...100)
      ?? Self.refused(pushSpeed, Self.speeds)
      ?? Self.refused(restitutionThreshold, Self.speeds)
      ?? Self.refused(sleepSpeed, Self.speeds)
      ?? Self.refused(rollingResistance, 0...10)
      ?? Self.refused(sleepSpin, 0...PhysicsWorld.spinLimit)
      ?? Self.refused(Float(sleepTicks), 1...250)
  }

  /// There is nothing between 60 and 120: what is allowed is the nearer one.
  private var refusedTicks: (value: Float, allowed: ClosedRange<Float>)? {
    if ticksPerSecond == 60 || ticksPerSecond == 120 { return nil }
    let nearer: Float = ticksPerSecond < 90 ? 60 : 120
    return (Float(ticksPerSecond), nearer...nearer)
  }

  private static func refused(
    _ value: Float, _ allowed: ClosedRange<Float>
  ) -> (value: Float, allowed: ClosedRange<Float>)? {
    allowed.contains(value) ? nil : (value, allowed)
  }
}
