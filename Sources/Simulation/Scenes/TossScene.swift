import Dynamics
import Physics
import Wire

/// Cards to toss off the screen: hold one anywhere and it swings about the finger; a fast release
/// sends it away, and it comes back.
///
/// From a tutorial's photo that is tossed: 320×568 pt, a card of 254×172 pt at (160, 223), no
/// gravity and no bounds. Ours: several cards, each 60 pt below the one before, one holder each.
struct TossScene: SceneRules {
  /// Where the cards are and what they do.
  private var cards: [Card] = []

  /// The world's size in points.
  static let size = Vector2(320, 568)
  /// Centre of the first card.
  static let firstPlace = Vector2(160, 223)
  /// From one card's place to the next.
  static let step = Vector2(0, 60)
  /// Most cards: more would not fit under each other.
  static let mostCards = 5
  /// A release at most this fast, in pt/s, is no toss.
  static let threshold: Float = 1000
  /// The push's magnitude is the speed by this: 0.654 × the speed for the card's mass of 4.3688.
  static let padding: Float = 35
  /// Whole numbers of rad/s from which a toss's spin is chosen: −10…9.
  static let lowestSpin: Float = -10
  static let spins: UInt32 = 20

  var hasWalls: Bool { false }

  /// `bodies` cards in their places.
  init(bodies: Int, _ ground: inout Playground) throws(DynamicsError) {
    for index in 0..<bodies {
      let place = TossScene.firstPlace + TossScene.step * Float(index)
      let item = try ground.add(.card, at: place)
      let push = try ground.animator.add(
        PushBehavior(items: [item], mode: .instantaneous, isActive: false))
      cards.append(Card(item: item, place: place, push: push))
    }
    assert(cards.count <= TossScene.mostCards)
    try ground.animator.add(ItemBehavior(items: ground.ages, friction: 0.2))
  }

  mutating func beforeStep(_ ground: inout Playground) throws(DynamicsError) {
    for index in cards.indices { try cards[index].goHome(&ground) }
  }

  /// There are no bounds to bring a card back to: each comes back by itself.
  mutating func afterStep(_ ground: inout Playground) throws(DynamicsError) {}

  mutating func flick(
    at point: Vector2, velocity: Vector2, _ ground: inout Playground
  ) throws(DynamicsError) -> Bool {
    guard let id = ground.animator.item(at: point), ground.holder(of: id) == nil else {
      return false
    }
    try letGo(id, velocity: velocity, &ground)
    return true
  }

  mutating func giveUp(_ id: ItemID, _ ground: inout Playground) throws(DynamicsError) {
    if let index = card(id) { cards[index].stay() }
  }

  /// Faster than the threshold, a push along the velocity and a spin send the card away; it returns
  /// 24 ticks later. Else it returns at once.
  mutating func letGo(
    _ id: ItemID, velocity: Vector2?, _ ground: inout Playground
  ) throws(DynamicsError) {
    guard let index = card(id) else { return }
    guard let velocity, velocity.length > TossScene.threshold else {
      return cards[index].startHome(at: ground.tick)
    }
    try ground.animator.update(cards[index].push) { push in
      push.direction = velocity / TossScene.padding
      push.isActive = true
    }
    let spin = TossScene.lowestSpin + Float(ground.chance.next(below: TossScene.spins))
    try ground.animator.addAngularVelocity(spin, for: id)
    cards[index].startHome(at: ground.tick &+ Card.awayTicks)
  }

  mutating func landed(_ id: ItemID, _ ground: inout Playground) throws(DynamicsError) {
    if let index = card(id) { cards[index].startHome(at: ground.tick.nextTick) }
  }

  private func card(_ id: ItemID) -> Int? { cards.firstIndex { $0.item == id } }

  func draw(into scenery: inout Scenery, _ ground: Playground) {}

  mutating func assign(_ other: TossScene) { cards.assign(other.cards) }

  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(UInt32(cards.count))
    for card in cards { card.write(&sink) }
  }

  init(from reader: inout PitReader, _ animator: Animator) throws(PitError) {
    for _ in 0..<(try reader.word(upTo: UInt32(TossScene.mostCards))) {
      cards.append(try Card(from: &reader, animator))
    }
  }

  func isSound(_ ground: Playground, _ claim: (BehaviorID) -> Void) -> Bool {
    cards.allSatisfy { $0.isSound(at: ground.tick) }
  }
}
