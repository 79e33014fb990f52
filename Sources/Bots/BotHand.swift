import Physics
import Wire

/// A bot's finger: takes a sticker every few seconds, drags it about, and lets it go or sends it
/// somewhere.
struct BotHand {
  /// Fingers report their place thirty times a second.
  private static let moveInterval: UInt64 = 1_000_000_000 / 30

  private var random: RandomGenerator
  private var nextGrab: UInt64
  private var nextMove: UInt64 = 0
  private var releaseTime: UInt64 = 0
  /// The slot in the hand; nil for an empty one.
  private var slot: UInt16?
  /// The finger, in the steps of the world's `PointScale`.
  private var x: Int = 0
  private var y: Int = 0

  init(seed: UInt64, now: UInt64) {
    random = RandomGenerator(seed: seed)
    nextGrab = now + 500_000_000 + random.next() % 5_000_000_000
  }

  /// What the hand does now, if anything.
  mutating func message(
    now: UInt64, world: LatticeWorld, size: BotWorldSize
  ) -> ClientMessage? {
    if let slot {
      if now >= releaseTime { return release(slot, now) }
      return now >= nextMove ? move(slot, now, size) : nil
    }
    guard now >= nextGrab, !world.bodies.isEmpty else { return nil }
    let body = world.bodies[Int(random.next(below: UInt32(world.bodies.count)))]
    (x, y) = size.place(of: body, in: world)
    guard random.next(below: 5) > 0 else { return snap(body, now, size) }
    slot = body.slot
    nextMove = now
    releaseTime = now + 400_000_000 + random.next() % 2_000_000_000
    return .grab(
      slot: body.slot, generation: body.generation, x: Int16(clamping: x), y: Int16(clamping: y))
  }

  private mutating func snap(
    _ body: LatticeBody, _ now: UInt64, _ size: BotWorldSize
  ) -> ClientMessage {
    nextGrab = now + 2_000_000_000 + random.next() % 5_000_000_000
    return .snap(
      slot: body.slot, generation: body.generation,
      x: Int16(clamping: random.next(below: UInt32(size.right))),
      y: Int16(clamping: random.next(below: UInt32(size.bottom))))
  }

  private mutating func move(
    _ slot: UInt16, _ now: UInt64, _ size: BotWorldSize
  ) -> ClientMessage {
    nextMove = now + Self.moveInterval
    x = min(max(x + Int(random.next(below: 401)) - 200, 0), size.right)
    y = min(max(y + Int(random.next(below: 401)) - 200, 0), size.bottom)
    return .move(slot: slot, x: Int16(clamping: x), y: Int16(clamping: y))
  }

  private mutating func release(_ slot: UInt16, _ now: UInt64) -> ClientMessage {
    self.slot = nil
    nextGrab = now + 2_000_000_000 + random.next() % 5_000_000_000
    return .release(
      slot: slot, velocityX: Int16(random.next(below: 3001)) - 1500,
      velocityY: Int16(random.next(below: 3001)) - 1500)
  }
}

/// A world's size in the steps in which commands name points.
struct BotWorldSize {
  let right: Int
  let bottom: Int
  private let stepsPerPoint: Int32

  /// Width and height in points, as the welcome tells.
  init(width: Int, height: Int) {
    let scale = PointScale(worldWidth: Int32(width), worldHeight: Int32(height))
    stepsPerPoint = scale.stepsPerPoint
    right = width * Int(stepsPerPoint)
    bottom = height * Int(stepsPerPoint)
  }

  /// Where a body is, in those steps.
  func place(of body: LatticeBody, in world: LatticeWorld) -> (x: Int, y: Int) {
    let steps = Double(stepsPerPoint) / world.profile.stepsPerPoint
    return (Int(Double(body.x) * steps), Int(Double(body.y) * steps))
  }
}
