/// An attachment in the solver's terms, between a body and another or a point of the world.
struct Tie: Equatable, Sendable {
  /// The attachment's slot among the behaviours.
  var behavior: UInt16
  var kind: AttachmentBehavior.Kind
  /// Places in the list of bodies; −1 is the world.
  var a: Int32
  var b: Int32
  var start: AttachmentStart
  /// The point of the world at the tick's end, and the velocity that it gives to what hangs on it.
  /// A rigid tie's anchor that jumps travels on at `fastestCorrection`, and gives no velocity.
  private(set) var anchor: Vector2
  private(set) var anchorVelocity: Vector2
  /// Whether the anchor jumped, and arrives in a later tick.
  private let travels: Bool
  /// Whether it has travelled before, and arrives in this tick.
  private var arrives = false
  var length: Float
  var frequency: Float
  var damping: Float
  var frictionTorque: Float
  var range: ClosedRange<Float>?

  /// The arms at the tick's beginning, in the world.
  private(set) var armA = Vector2.zero
  private(set) var armB = Vector2.zero
  /// From the first point to the second, at the tick's beginning.
  private(set) var apart = Vector2.zero
  private(set) var normal = Vector2(0, -1)
  /// What a rope has pulled in this tick.
  var pulled: Float = 0
  /// How far the places had to be moved in this tick, in points; nil before the first sweep.
  var demand: Float?
  /// What is left for later ticks, because the reach does not allow more.
  var slack: Float = 0

  /// Fastest that a distance is corrected, in pt/s: 100 pt a tick, which the world's contacts can
  /// still stop.
  static let fastestCorrection: Float = 6000
  /// The least that the same may be while something is in the way.
  static let slowestCorrection: Float = 6
  /// Full turns that a pin counts, either way (823 550 rad): eight times the widest range that it
  /// may have, and a `Float` still tells a sixteenth of a radian apart there. What goes on beyond
  /// keeps its phase.
  static let mostTurns: Float = 131_072
  /// How far a pin may say that it has turned, in radians: those turns, and half of one.
  static let farthestAngle = (mostTurns + 1) * 2 * DeterministicMath.pi
  /// Shorter distances have no direction: they are a common point.
  static let shortest: Float = 0.01

  init(behavior: UInt16, a: Int32, b: Int32, value: AttachmentBehavior, start: AttachmentStart) {
    self.behavior = behavior
    kind = value.kind
    self.a = a
    self.b = b
    self.start = start
    anchor = value.anchorPoint
    length = value.length ?? 0
    frequency = value.kind == .distance ? value.frequency : 0
    damping = value.damping
    frictionTorque = value.frictionTorque
    range = value.attachmentRange
    let moved = (anchor - start.lastAnchor) / PhysicsWorld.tickLength
    let speed = moved.length
    let jumps = speed > Self.fastestCorrection
    assert(a >= 0 && a != b && !(length < 0) && !(frequency < 0))
    travels = jumps && frequency == 0
    anchorVelocity = jumps ? moved * (Self.fastestCorrection / speed) : moved
    if travels {
      anchor = start.lastAnchor + anchorVelocity * PhysicsWorld.tickLength
      anchorVelocity = .zero
    }
  }

  /// Lets the anchor arrive without giving its velocity to what it drags there.
  mutating func bringWithoutSpeed() {
    guard !isSpring else { return }
    anchorVelocity = .zero
    arrives = !travels
  }

  /// Whether it drags what hangs on it after a jump: it moves places, at up to `fastestCorrection`,
  /// without giving lasting velocities. A loose rope drags nothing.
  var drags: Bool { travels && (kind != .limit || pulled > 0) }

  /// Whether it also cancels velocity towards the anchor, so that a dragged item stops when it
  /// arrives.
  var stopsApproach: Bool { (travels || arrives) && (kind != .limit || pulled > 0) }

  var isSpring: Bool { frequency > 0 }
  var isPoint: Bool {
    kind == .pin || kind == .fixed || kind == .distance && length < Self.shortest
  }
  var keepsAngle: Bool { kind == .fixed || kind == .sliding }

  mutating func begin(_ bodies: [TiedBody]) {
    let one = bodies[Int(a)]
    armA = start.armA.rotated(by: one.rotation)
    var other = anchor
    if b >= 0 {
      armB = start.armB.rotated(by: bodies[Int(b)].rotation)
      other = bodies[Int(b)].position + armB
    }
    apart = other - (one.position + armA)
    let distance = apart.length
    normal = distance > Self.shortest ? apart / distance : Vector2(0, -1)
  }
}
