import Dynamics
import Physics
import Wire

/// The keyword rain: a word brings a burst of stickers, and more after it, that fall over six
/// ledges, which vanish when touched and return. Now and then the floor opens.
///
/// A chat app's birthday rain: 440×736 pt, gravity 3. There it is one sticker of 20 pt each 1.8 s,
/// which on a projector nobody takes for rain; so here are more, larger ones.
struct RainScene: SceneRules {
  private let gravity: GravityBehavior.Handle
  private let collision: CollisionBehavior.Handle
  private let material: ItemBehavior.Handle
  private var ledges = Ledge.all
  /// The kind of sticker that falls; nil when it does not rain.
  private var keyword: UInt8?
  /// The tick of the last keyword.
  private var heardTick: UInt32 = 0
  /// The tick of the next sticker.
  private var nextDrop: UInt32 = 0
  /// Stickers of a burst that have yet to fall, and when it began.
  private var burstLeft: UInt32 = 0
  private var burstTick: UInt32 = 0
  /// Stickers since the bounds were last open.
  private var count: UInt32 = 0
  /// The tick in which the open bounds close; nil while they are closed.
  private var closingTick: UInt32?

  /// The world's size in points.
  static let size = Vector2(440, 736)
  /// Edge of a sticker in points: 30 px on a phone that is 375 px wide.
  static let stickerSize: UInt8 = 36
  /// Stickers that a word brings at once, one every 3 ticks.
  static let burst: UInt32 = 24
  static let burstInterval: UInt32 = 3
  /// A word within 3 s of a burst's beginning brings no other one: a crowd that keeps saying words
  /// gets ten stickers a second.
  static let burstPause: UInt32 = 180
  /// Four stickers a second fall after a burst.
  static let dropInterval: UInt32 = 15
  /// A rain ends 60 s after the last keyword.
  static let rainTicks: UInt32 = 3600
  /// The sticker that opens the floor: a burst and ten seconds of rain.
  static let openingCount: UInt32 = 64
  /// Most stickers: a tilted world loses none through its floor, and these cover half of it.
  static let bodyCap = 124
  /// The bounds are open for 1.2 s.
  static let openTicks: UInt32 = 72
  /// Stickers of a burst begin in columns, each four beside the last one, so that those which have
  /// not fallen out of each other's way don't overlap.
  private static let columns: UInt32 = 11

  init(_ ground: inout Playground) throws(DynamicsError) {
    gravity = try ground.animator.add(GravityBehavior())
    var walls = CollisionBehavior(translatesReferenceBoundsIntoBoundary: true)
    for ledge in ledges { try walls.addBoundary(ledge.path, id: ledge.id) }
    collision = try ground.animator.add(walls)
    material = try ground.animator.add(
      ItemBehavior(elasticity: 0.6, friction: 0.2, resistance: 0))
  }

  mutating func tilt(_ direction: Vector2, _ ground: inout Playground) throws(DynamicsError) {
    try ground.animator.update(gravity) { $0.direction = direction }
  }

  /// A keyword starts the rain, or changes the stickers of the one that falls: with a burst, if the
  /// last one is long enough ago.
  mutating func hear(
    keyword: UInt8, from person: UInt16, _ ground: inout Playground
  ) throws(DynamicsError) -> Bool {
    guard Sticker.falls(kind: keyword) else { return false }
    if self.keyword == nil || ground.tick &- burstTick >= RainScene.burstPause {
      (burstLeft, burstTick, nextDrop) = (RainScene.burst, ground.tick, ground.tick)
    }
    self.keyword = keyword
    heardTick = ground.tick
    ground.events.append(.rainBegan(keyword: keyword, person: person))
    return true
  }

  mutating func beforeStep(_ ground: inout Playground) throws(DynamicsError) {
    try moveLedges(&ground)
    if closingTick == ground.tick { try close(&ground) }
    if ground.tick &- heardTick >= RainScene.rainTicks { keyword = nil }
    guard let keyword, closingTick == nil, nextDrop == ground.tick else { return }
    let sticker = Sticker(kind: keyword, size: RainScene.stickerSize)
    try drop(sticker, at: nextPlace(for: sticker, &ground), &ground)
    nextDrop = ground.tick &+ (burstLeft > 0 ? RainScene.burstInterval : RainScene.dropInterval)
    if count >= RainScene.openingCount { try open(&ground) }
  }

  mutating func afterStep(_ ground: inout Playground) throws(DynamicsError) {
    noteTouches(ground)
    if closingTick == nil { try ground.bringBackStrays() }
  }

  /// The rain that falls ends too.
  mutating func clear(_ ground: inout Playground) throws(DynamicsError) {
    keyword = nil
    burstLeft = 0
    try ground.removeAll()
  }

  // MARK: Stickers

  /// Where the next sticker begins: its left edge at a whole number, its top at 10.
  private mutating func nextPlace(for sticker: Sticker, _ ground: inout Playground) -> Vector2 {
    let room = UInt32(RainScene.size.x) - UInt32(sticker.size)
    let half = Vector2(sticker.halfSize, sticker.halfSize)
    guard burstLeft > 0 else {
      return Vector2(Float(ground.chance.next(below: room + 1)), 10) + half
    }
    burstLeft -= 1
    let column = burstLeft * 4 % RainScene.columns
    let spacing = room / (RainScene.columns - 1)
    return Vector2(Float(column * spacing + ground.chance.next(below: 5)), 10) + half
  }

  /// Drops a sticker, if there is or can be made room for one.
  private mutating func drop(
    _ sticker: Sticker, at center: Vector2, _ ground: inout Playground
  ) throws(DynamicsError) {
    guard try ground.makeRoom() else { return }
    let id = try ground.add(sticker, at: center)
    try ground.animator.addItem(id, to: material)
    try ground.animator.addItem(id, to: collision)
    try ground.animator.addItem(id, to: gravity)
    count += 1
  }

  // MARK: The floor

  private mutating func open(_ ground: inout Playground) throws(DynamicsError) {
    ground.events.append(.floorWarning)
    ground.events.append(.floorOpened)
    closingTick = ground.tick &+ RainScene.openTicks
    try ground.animator.update(collision) { $0.translatesReferenceBoundsIntoBoundary = false }
  }

  /// The bounds are back, what is outside goes, and the next sticker falls at once.
  private mutating func close(_ ground: inout Playground) throws(DynamicsError) {
    ground.events.append(.floorClosed)
    closingTick = nil
    count = 0
    nextDrop = ground.tick
    try ground.animator.update(collision) { $0.translatesReferenceBoundsIntoBoundary = true }
    for index in ground.ages.indices.reversed() {
      let id = ground.ages[index]
      if !ground.contains(ground.animator.center(of: id)) { try ground.remove(id) }
    }
  }

  // MARK: Ledges

  private mutating func moveLedges(_ ground: inout Playground) throws(DynamicsError) {
    for index in ledges.indices {
      if ledges[index].isThere, ledges[index].vanishes(at: ground.tick) {
        ledges[index].isThere = false
        try ground.animator.removeBoundary(id: ledges[index].id, from: collision)
      } else if !ledges[index].isThere, ledges[index].returns(at: ground.tick) {
        ledges[index].restore()
        try ground.animator.addBoundary(ledges[index].path, id: ledges[index].id, to: collision)
      }
    }
  }

  private mutating func noteTouches(_ ground: Playground) {
    for event in ground.animator.events.began {
      guard let index = ledge(of: event) else { continue }
      ledges[index].touched(by: event.item, at: ground.tick)
    }
    for event in ground.animator.events.ended {
      guard let index = ledge(of: event) else { continue }
      ledges[index].left(by: event.item, at: ground.tick)
    }
    for index in ledges.indices {
      ledges[index].noteAbsence(at: ground.tick, of: { !ground.animator.contains($0) })
    }
  }

  private func ledge(of event: CollisionEvent) -> Int? {
    guard case .boundary(let id?) = event.other else { return nil }
    let index = Int(id.value) - 1
    return ledges.indices.contains(index) ? index : nil
  }

  // MARK: Drawing and keeping

  /// The share of a touched ledge's time that has passed.
  func wear(ofLedge id: UInt8, at tick: UInt32) -> Float {
    let index = Int(id) - 1
    return ledges.indices.contains(index) ? ledges[index].wear(at: tick) : 0
  }

  /// Ticks until the sticker falls that opens the floor; nil while that is not to be expected.
  func ticksToOpening(after tick: UInt32) -> UInt32? {
    guard keyword != nil, closingTick == nil, nextDrop.ticks(since: tick) > 0 else { return nil }
    let others = RainScene.openingCount - count - 1
    let quick = min(others, burstLeft > 0 ? burstLeft - 1 : 0)
    let wait = quick * RainScene.burstInterval + (others - quick) * RainScene.dropInterval
    guard nextDrop &+ wait &- heardTick < RainScene.rainTicks else { return nil }
    return nextDrop &+ wait &- tick
  }

  func draw(into scenery: inout Scenery, _ ground: Playground) {
    for ledge in ledges where ledge.isThere {
      scenery.draw(UInt8(ledge.id.value), from: ledge.left, to: ledge.right)
    }
    if closingTick == nil { scenery.drawBounds(ground.size) }
  }

  mutating func assign(_ other: RainScene) {
    var kept = ledges
    ledges = []
    kept.assign(other.ledges)
    self = other
    ledges = kept
  }

  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(gravity.id)
    sink.put(collision.id)
    sink.put(material.id)
    sink.put(keyword.map { UInt32($0) })
    sink.put(heardTick)
    sink.put(nextDrop)
    sink.put(burstLeft)
    sink.put(burstTick)
    sink.put(count)
    sink.put(closingTick)
    for ledge in ledges { ledge.write(&sink) }
  }

  init(from reader: inout PitReader, _ animator: Animator) throws(PitError) {
    gravity = try reader.handle(in: animator)
    collision = try reader.handle(in: animator)
    material = try reader.handle(in: animator)
    keyword = try reader.optionalWord().map { UInt8(truncatingIfNeeded: $0) }
    heardTick = try reader.word()
    nextDrop = try reader.word()
    burstLeft = try reader.word()
    burstTick = try reader.word()
    count = try reader.word()
    closingTick = try reader.optionalWord()
    for index in ledges.indices { try ledges[index].read(&reader) }
  }

  /// The boundaries are the ledges that are there.
  func isSound(_ ground: Playground, _ claim: (BehaviorID) -> Void) -> Bool {
    do throws(DynamicsError) {
      let walls = try ground.animator.behavior(collision)
      for ledge in ledges where ledge.isThere != (walls.boundary(id: ledge.id) != nil) {
        return false
      }
      // The sticker that opens the floor is counted until it closes.
      let most = closingTick == nil ? RainScene.openingCount - 1 : RainScene.openingCount
      return count <= most && burstLeft <= RainScene.burst
    } catch { return false }
  }
}
