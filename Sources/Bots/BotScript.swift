import Physics
import Wire

/// What one bot does: a phone that wanders, a drop and a throw every few seconds, a sticker that it
/// holds and drags about, a snap and a keyword now and then.
struct BotScript {
  /// Phones report their attitude fifteen times a second.
  private static let tiltInterval: UInt64 = 1_000_000_000 / 15

  private var random: RandomGenerator
  private var nextTilt: UInt64
  private var nextDrop: UInt64
  private var nextThrow: UInt64
  private var nextWords: UInt64
  private var hand: BotHand
  private var tiltX: Float = 0
  private var tiltY: Float = 1

  init(seed: UInt64, now: UInt64) {
    random = RandomGenerator(seed: seed)
    nextTilt = now + UInt64(random.next(below: UInt32(Self.tiltInterval)))
    nextDrop = now
    nextThrow = now
    nextWords = now
    hand = BotHand(seed: random.next(), now: now)
    nextDrop += pause(shortest: 1, longest: 6)
    nextThrow += pause(shortest: 1, longest: 4)
    nextWords += pause(shortest: 1, longest: 20)
  }

  /// What is due now, in the order in which it is sent.
  mutating func messages(now: UInt64, world: LatticeWorld, size: BotWorldSize)
    -> [ClientMessage]
  {
    var due: [ClientMessage] = []
    if now >= nextTilt {
      nextTilt = max(nextTilt + Self.tiltInterval, now)
      due.append(wander())
    }
    if now >= nextDrop {
      nextDrop = now + pause(shortest: 2, longest: 6)
      due.append(drop(size))
    }
    if now >= nextThrow {
      nextThrow = now + pause(shortest: 1, longest: 4)
      due.append(toss(world, size))
    }
    if now >= nextWords {
      nextWords = now + pause(shortest: 15, longest: 40)
      due.append(.say(random.next(below: 2) == 0 ? Self.birthday : Self.cold))
    }
    if let message = hand.message(now: now, world: world, size: size) { due.append(message) }
    return due
  }

  private static let birthday = words("Happy birthday, dear Fox!")
  private static let cold = words("今天天冷了")

  private static func words(_ text: String) -> Words {
    do throws(WireError) { return try Words(text) } catch { preconditionFailure("short words") }
  }

  private mutating func wander() -> ClientMessage {
    tiltX = clamp(tiltX + (random.nextFloat() - 0.5) * 0.3)
    tiltY = clamp(tiltY + (random.nextFloat() - 0.5) * 0.3)
    // A tilt vector is at most 1 long.
    let length = (tiltX * tiltX + tiltY * tiltY).squareRoot()
    let scale = 16384 / max(length, 1)
    return .tilt(x: Int16(tiltX * scale), y: Int16(tiltY * scale))
  }

  private mutating func drop(_ size: BotWorldSize) -> ClientMessage {
    .drop(
      kind: UInt8(random.next(below: 16)), x: coordinate(below: size.right),
      y: coordinate(below: size.bottom))
  }

  /// Throws a sticker that is there, as a finger would.
  private mutating func toss(_ world: LatticeWorld, _ size: BotWorldSize)
    -> ClientMessage
  {
    var x = coordinate(below: size.right)
    var y = coordinate(below: size.bottom)
    if !world.bodies.isEmpty {
      let body = world.bodies[Int(random.next(below: UInt32(world.bodies.count)))]
      let place = size.place(of: body, in: world)
      (x, y) = (Int16(clamping: place.x), Int16(clamping: place.y))
    }
    return .throwSticker(
      x: x, y: y, velocityX: Int16(random.next(below: 3001)) - 1500,
      velocityY: Int16(random.next(below: 1501)) - 1500)
  }

  private mutating func coordinate(below end: Int) -> Int16 {
    Int16(clamping: random.next(below: UInt32(end)))
  }

  private mutating func pause(shortest: Int, longest: Int) -> UInt64 {
    UInt64(shortest) * 1_000_000_000
      + UInt64(random.next(below: UInt32(longest - shortest) * 1_000_000)) * 1000
  }

  private func clamp(_ value: Float) -> Float { min(max(value, -1), 1) }
}
