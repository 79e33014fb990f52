import Dynamics
import Physics
import Wire

/// The gallery: one square for each of the article's examples, in one world of 400×640 pt under a
/// gravity of 0.5.
///
/// 1. A square of 100×100 pt falls from (100, 100) on the slanted boundary and slides.
/// 2. A swing: a rigid attachment of length 100 to (100, 200).
/// 3. A continuous push that lifts its square for a second out of three.
/// 4. An instantaneous push every two seconds, on a bouncy square of its own properties.
///
/// A double tap snaps any of them, a hold drags it, a flick is an instantaneous push. Contacts are
/// told to everybody.
struct GalleryScene: SceneRules {
  private let gravity: GravityBehavior.Handle
  private var squares: [ItemID] = []
  /// The instantaneous push of each square's flicks.
  private var flicks: [PushBehavior.Handle] = []
  private var lift: PushBehavior.Handle?
  /// The swing's rod; nil while somebody has the square and until it is back.
  private var rod: AttachmentBehavior.Handle?
  /// The tick in which a square that was taken off the swing returns.
  private var returnTick: UInt32?

  /// The world's size in points.
  static let size = Vector2(400, 640)
  /// Centres of the squares at the start; the first one's corner is at (100, 100).
  static let places = [
    Vector2(150, 150), Vector2(200, 200), Vector2(345, 400), Vector2(345, 60),
  ]
  /// Ends of the slanted boundary, whose number is 1.
  static let slant = (from: Vector2(0, 300), to: Vector2(300, 600))
  static let slantID: BoundaryID = 1
  static let swingAnchor = Vector2(100, 200)
  static let swingLength: Float = 100
  /// The swing's square returns 2 s after it was let go.
  static let returnTicks: UInt32 = 120
  /// 8 is 800 pt/s² on a square of mass 1, against 500 of gravity; for 60 of 180 ticks.
  static let liftForce = Vector2(0, -8)
  static let liftPeriod: UInt32 = 180
  static let liftTicks: UInt32 = 60
  /// Adds 100 pt/s sideways and 400 upwards to a square of mass 2, every 120 ticks, left and right
  /// by turns.
  static let hop = Vector2(-2, -8)
  static let hopPeriod: UInt32 = 120
  /// Contacts that one tick tells: four squares can't begin more.
  static let mostContacts = 32

  /// The first `bodies` of the four squares.
  init(bodies: Int, _ ground: inout Playground) throws(DynamicsError) {
    for place in GalleryScene.places.prefix(bodies) {
      squares.append(try ground.add(.square, at: place))
    }
    gravity = try ground.animator.add(GravityBehavior(items: squares))
    try addWalls(&ground)
    try addProperties(&ground)
    for square in squares {
      flicks.append(
        try ground.animator.add(
          PushBehavior(items: [square], mode: .instantaneous, isActive: false)))
    }
    if squares.count > 1 { rod = try hang(&ground) }
    if squares.count > 2 {
      lift = try ground.animator.add(
        PushBehavior(
          items: [squares[2]], mode: .continuous, direction: GalleryScene.liftForce,
          isActive: false))
    }
  }

  /// All collide with the bounds and the slant; the swing's square passes before the others.
  private func addWalls(_ ground: inout Playground) throws(DynamicsError) {
    var walls = CollisionBehavior(translatesReferenceBoundsIntoBoundary: true)
    try walls.addBoundary(
      from: GalleryScene.slant.from, to: GalleryScene.slant.to, id: GalleryScene.slantID)
    var swingWalls = walls
    swingWalls.mode = .boundaries
    let others = try ground.animator.add(walls)
    for (index, square) in squares.enumerated() where index != 1 {
      try ground.animator.addItem(square, to: others)
    }
    if squares.count > 1 {
      try ground.animator.addItem(squares[1], to: try ground.animator.add(swingWalls))
    }
  }

  /// A bouncy, heavy square among plain ones.
  private func addProperties(_ ground: inout Playground) throws(DynamicsError) {
    guard squares.count > 3 else { return }
    try ground.animator.add(
      ItemBehavior(
        items: [squares[3]], elasticity: 0.7, friction: 0.3, density: 2, resistance: 0.2,
        angularResistance: 0.5))
  }

  private func hang(
    _ ground: inout Playground
  ) throws(DynamicsError) -> AttachmentBehavior.Handle {
    try ground.animator.add(
      AttachmentBehavior(
        item: squares[1], attachedToAnchor: GalleryScene.swingAnchor,
        length: GalleryScene.swingLength))
  }

  mutating func tilt(_ direction: Vector2, _ ground: inout Playground) throws(DynamicsError) {
    try ground.animator.update(gravity) { $0.direction = direction }
  }

  mutating func beforeStep(_ ground: inout Playground) throws(DynamicsError) {
    if let lift {
      let isLifting = ground.tick % GalleryScene.liftPeriod < GalleryScene.liftTicks
      try ground.animator.update(lift) { $0.isActive = isLifting }
    }
    if squares.count > 3, ground.tick % GalleryScene.hopPeriod == 0 { try hop(&ground) }
    guard let returnTick, returnTick == ground.tick else { return }
    let flies = try ground.fly(squares[1], to: GalleryScene.places[1])
    self.returnTick = flies ? nil : ground.tick.nextTick
  }

  private func hop(_ ground: inout Playground) throws(DynamicsError) {
    let goesLeft = (ground.tick / GalleryScene.hopPeriod) & 1 == 1
    try ground.animator.update(flicks[3]) { push in
      push.direction = Vector2(
        goesLeft ? GalleryScene.hop.x : -GalleryScene.hop.x, GalleryScene.hop.y)
      push.isActive = true
    }
  }

  mutating func afterStep(_ ground: inout Playground) throws(DynamicsError) {
    let events = ground.animator.events
    for event in events.began.prefix(GalleryScene.mostContacts) {
      ground.events.append(.contactBegan(WireContact(event)))
    }
    for event in events.ended.prefix(GalleryScene.mostContacts) {
      ground.events.append(.contactEnded(WireContact(event)))
    }
    try ground.bringBackStrays()
  }

  /// A push that gives a square the finger's velocity, at once.
  mutating func flick(
    at point: Vector2, velocity: Vector2, _ ground: inout Playground
  ) throws(DynamicsError) -> Bool {
    guard let id = ground.animator.item(at: point), ground.holder(of: id) == nil else {
      return false
    }
    try push(id, velocity, &ground)
    return true
  }

  private func push(
    _ id: ItemID, _ velocity: Vector2, _ ground: inout Playground
  ) throws(DynamicsError) {
    guard let index = squares.firstIndex(of: id) else { return }
    let mass = ground.animator.mass(of: id)
    try ground.animator.update(flicks[index]) { push in
      push.direction = velocity * (mass / 100)
      push.isActive = true
    }
  }

  /// Whoever takes the swing's square takes it off the swing.
  mutating func giveUp(_ id: ItemID, _ ground: inout Playground) throws(DynamicsError) {
    guard squares.count > 1, id == squares[1] else { return }
    returnTick = nil
    if let rod { try ground.animator.remove(rod) }
    rod = nil
  }

  mutating func letGo(
    _ id: ItemID, velocity: Vector2?, _ ground: inout Playground
  ) throws(DynamicsError) {
    if squares.count > 1, id == squares[1] {
      returnTick = ground.tick &+ GalleryScene.returnTicks
    }
    guard let velocity else { return }
    try ground.animator.setLinearVelocity(.zero, of: id)
    try push(id, velocity, &ground)
  }

  /// The swing's square hangs again when it is back; sent elsewhere, it returns after a while.
  mutating func landed(_ id: ItemID, _ ground: inout Playground) throws(DynamicsError) {
    guard squares.count > 1, id == squares[1] else { return }
    let away = ground.animator.center(of: id) - GalleryScene.places[1]
    if away.lengthSquared < 1 {
      rod = try hang(&ground)
    } else {
      returnTick = ground.tick &+ GalleryScene.returnTicks
    }
  }

  func draw(into scenery: inout Scenery, _ ground: Playground) throws(DynamicsError) {
    scenery.draw(
      UInt8(GalleryScene.slantID.value), from: GalleryScene.slant.from, to: GalleryScene.slant.to)
    scenery.drawBounds(ground.size)
    if let rod { scenery.draw(try ground.animator.behavior(rod)) }
  }

  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(gravity.id)
    sink.put(UInt32(squares.count))
    for square in squares { sink.put(square) }
    for flick in flicks { sink.put(flick.id) }
    sink.put(lift?.id.word)
    sink.put(rod?.id.word)
    sink.put(returnTick)
  }

  init(from reader: inout PitReader, _ animator: Animator) throws(PitError) {
    gravity = try reader.handle(in: animator)
    let count = try reader.word(upTo: UInt32(GalleryScene.places.count))
    for _ in 0..<count { squares.append(try reader.item(in: animator)) }
    for _ in 0..<count { flicks.append(try reader.handle(in: animator)) }
    lift = try reader.optionalHandle(in: animator)
    rod = try reader.optionalHandle(in: animator)
    returnTick = try reader.optionalWord()
  }

  /// Where there is a swing, its square hangs on it or is away.
  func isSound(_ ground: Playground, _ claim: (BehaviorID) -> Void) -> Bool {
    guard rod != nil || returnTick != nil else { return true }
    guard squares.count > 1 else { return false }
    guard let rod else { return true }
    claim(rod.id)
    let isAway = ground.holder(of: squares[1]) != nil || ground.isFlying(squares[1])
    return !isAway && ground.isOnly(squares[1], in: rod.id)
  }
}

extension WireContact {
  /// A contact in the wire's numbers. The reference bounds are told by their sides.
  init(_ event: CollisionEvent) {
    let other: UInt16
    switch event.other {
    case .item(let item): other = item.slot
    case .boundary(let id):
      other = 0x8000 | (id.map { UInt16(truncatingIfNeeded: $0.value) } ?? Self.side(event.normal))
    }
    self.init(
      slot: event.item.slot, other: other, x: Scenery.fixed(event.point.x),
      y: Scenery.fixed(event.point.y))
  }

  /// Top, right, bottom or left: where the normal points.
  private static func side(_ normal: Vector2) -> UInt16 {
    let isUpright = normal.y * normal.y > normal.x * normal.x
    let side: UInt16 = isUpright ? (normal.y < 0 ? 0 : 2) : (normal.x > 0 ? 1 : 3)
    return UInt16(Scenery.topSide) + side
  }
}
