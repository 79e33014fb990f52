/// The numbers a world is built with. All are part of the state: two copies must agree on them.
public struct WorldConfiguration: Equatable, Sendable, BitwiseCopyable {
  /// Most bodies at a time, 1…16 384 (slots are 16 bits, and beyond that a tick leaves its budget).
  public var capacity: Int = 4096
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

  var isValid: Bool {
    capacity >= 1 && capacity <= Self.hardCapacity
      && contactFrequency > 0 && contactFrequency <= 120
      && contactDampingRatio > 0 && contactDampingRatio <= 100
      && Self.isSpeed(pushSpeed) && Self.isSpeed(restitutionThreshold) && Self.isSpeed(sleepSpeed)
      && rollingResistance >= 0 && rollingResistance <= 10
      && sleepSpin >= 0 && sleepSpin <= PhysicsWorld.spinLimit
      && sleepTicks >= 1 && sleepTicks <= 250
  }

  private static func isSpeed(_ speed: Float) -> Bool {
    speed >= 0 && speed <= PhysicsWorld.speedLimit
  }
}
