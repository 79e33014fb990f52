import Physics
import Simulation
import Wire

/// The person in front of a page of a fleet: does by seeded chance what a person may, and no more
/// than the server allows.
struct FleetPerson {
  /// What a person does, in the page's own terms: points of the world, and a tilt of −1…1.
  enum Deed: Equatable {
    case tilt(x: Float, y: Float)
    case drop(kind: Int32, x: Float, y: Float)
    case toss(x: Float, y: Float, velocityX: Float, velocityY: Float)
    case grab(slot: Int32, x: Float, y: Float)
    case move(slot: Int32, x: Float, y: Float)
    case release(slot: Int32, velocityX: Float, velocityY: Float)
    case snap(slot: Int32, x: Float, y: Float)
    case say(String)
  }

  /// A sticker in the hand, and the finger.
  private struct Hand {
    var slot: Int32
    var x: Float
    var y: Float
    /// How far the finger goes at each picture.
    var wayX: Float
    var wayY: Float
  }

  private var chance: RandomGenerator
  private var hands: [Hand] = []
  private var tiltX: Float = 0
  private var tiltY: Float = 1
  private var isTilting = false

  /// As many as a person may have: `Grip.mostOfPerson`.
  private static let mostHands = 3

  init(seed: UInt64) { chance = RandomGenerator(seed: seed) }

  /// What is done between two pictures.
  /// - Parameters:
  ///   - size: the world's, in points.
  ///   - sticker: one that the picture shows, if it shows any.
  mutating func deeds(
    in size: Vector2, seeing sticker: (UInt32) -> (slot: Int32, x: Float, y: Float)?
  ) -> [Deed] {
    var deeds = tilts()
    moveHands(size, &deeds)
    guard happens(onceIn: 10) else { return deeds }
    let (x, y) = (number(-20, size.x + 20), number(-20, size.y + 20))
    let (velocityX, velocityY) = (number(-2500, 2500), number(-2500, 2500))
    let seen = sticker(UInt32(truncatingIfNeeded: chance.next()))
    switch chance.next(below: 16) {
    case 0, 1: deeds.append(.drop(kind: Int32(chance.next(below: 16)), x: x, y: y))
    case 2...4:
      deeds.append(
        .toss(x: seen?.x ?? x, y: seen?.y ?? y, velocityX: velocityX, velocityY: velocityY))
    case 5...10:
      guard let seen, hands.count < Self.mostHands else { break }
      hands.append(
        Hand(
          slot: seen.slot, x: seen.x, y: seen.y, wayX: number(-12, 12), wayY: number(-12, 12)))
      deeds.append(.grab(slot: seen.slot, x: seen.x, y: seen.y))
    case 11, 12:
      if let seen { deeds.append(.snap(slot: seen.slot, x: x, y: y)) }
    case 13 where happens(onceIn: 8):
      deeds.append(.say(["so cold", "happy birthday", "good evening"][Int(chance.next(below: 3))]))
    default: break
    }
    return deeds
  }

  /// The connection is gone, and with it what was held.
  mutating func letGo() { hands.removeAll() }

  private mutating func tilts() -> [Deed] {
    if happens(onceIn: 200) { isTilting.toggle() }
    guard isTilting, happens(onceIn: 3) else { return [] }
    tiltX = bounded(tiltX + number(-12, 12) / 64, -0.75, 0.75)
    tiltY = bounded(tiltY + number(-12, 12) / 64, -0.75, 0.75)
    return [.tilt(x: tiltX, y: tiltY)]
  }

  private mutating func moveHands(_ size: Vector2, _ deeds: inout [Deed]) {
    for index in hands.indices.reversed() {
      if happens(onceIn: 60) {
        deeds.append(
          .release(
            slot: hands[index].slot, velocityX: number(-1500, 1500),
            velocityY: number(-1500, 1500)))
        hands.remove(at: index)
      } else if happens(onceIn: 2) {
        if happens(onceIn: 12) { hands[index].wayX = number(-30, 30) }
        if happens(onceIn: 12) { hands[index].wayY = number(-30, 30) }
        hands[index].x = bounded(hands[index].x + hands[index].wayX, -50, size.x + 50)
        hands[index].y = bounded(hands[index].y + hands[index].wayY, -50, size.y + 50)
        deeds.append(.move(slot: hands[index].slot, x: hands[index].x, y: hands[index].y))
      }
    }
  }

  /// A whole number, so that a tape of what was done is short.
  private mutating func number(_ low: Float, _ high: Float) -> Float {
    chance.nextFloat(low, high).rounded()
  }

  private mutating func happens(onceIn times: UInt32) -> Bool { chance.next(below: times) == 0 }

  private func bounded(_ value: Float, _ low: Float, _ high: Float) -> Float {
    min(max(value, low), high)
  }
}
