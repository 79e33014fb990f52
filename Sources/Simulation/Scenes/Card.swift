import Dynamics
import Physics
import Wire

/// One of the cards to toss, and its way home.
struct Card: Sendable {
  let item: ItemID
  /// Where its centre belongs.
  let place: Vector2
  /// The push of a toss, inactive between two.
  let push: PushBehavior.Handle
  /// The tick in which it sets off for home; nil when it is held or at home.
  private var homeTick: UInt32?
  /// Where it set off.
  private var start = Vector2.zero
  private var startAngle: Float = 0

  /// Where a card sets off at the farthest, either way: as far as items may be put. A tossed card
  /// doesn't get there, but one of a forged snapshot may be farther off.
  static let farthest: Float = 100_000
  /// A tossed card is away for 0.4 s.
  static let awayTicks: UInt32 = 24
  /// The way home takes 0.5 s.
  static let homeTicks: UInt32 = 30

  init(item: ItemID, place: Vector2, push: PushBehavior.Handle) {
    self.item = item
    self.place = place
    self.push = push
  }

  /// It sets off in the given tick.
  mutating func startHome(at tick: UInt32) { homeTick = tick }

  /// It stays where a hand puts it.
  mutating func stay() { homeTick = nil }

  /// A step of the way home, slow at both ends as UIKit's animations are; at the last it is there,
  /// upright.
  mutating func goHome(_ ground: inout Playground) throws(DynamicsError) {
    guard let homeTick, ground.tick.ticks(since: homeTick) >= 0 else { return }
    let step = ground.tick.nextTick &- homeTick
    if step == 1 {
      let center = ground.animator.center(of: item)
      start = Vector2(
        Playground.clamp(center.x, -Card.farthest, Card.farthest),
        Playground.clamp(center.y, -Card.farthest, Card.farthest))
      startAngle = ground.animator.angle(of: item)
    }
    let part = Float(step) / Float(Card.homeTicks)
    let left = 1 - part * part * (3 - 2 * part)
    try ground.animator.setCenter(place + (start - place) * left, of: item)
    try ground.animator.setAngle(startAngle * left, of: item)
    try ground.animator.setLinearVelocity(.zero, of: item)
    try ground.animator.setAngularVelocity(0, of: item)
    if step >= Card.homeTicks { self.homeTick = nil }
  }

  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(item)
    sink.put(place)
    sink.put(push.id)
    sink.put(homeTick)
    sink.put(start)
    sink.put(startAngle.bitPattern)
  }

  init(from reader: inout PitReader, _ animator: Animator) throws(PitError) {
    item = try reader.item(in: animator)
    place = try reader.vector()
    push = try reader.handle(in: animator)
    homeTick = try reader.optionalWord()
    start = try reader.vector()
    startAngle = try reader.number()
  }

  /// Whether it is on its way home, or sets off soon.
  func isSound(at tick: UInt32) -> Bool {
    guard let homeTick else { return true }
    let step = tick.ticks(since: homeTick)
    return step <= Int(Card.homeTicks) && step >= -Int(Card.awayTicks)
  }
}
