import Simulation
import Wire

/// A finger that holds a sticker, and what it does with it: shakes it on its lever, swings it
/// round, drags it away, or keeps still.
struct PlayedHand {
  private enum Style { case shake, swing, drag, still }

  let slot: UInt16
  /// The tick at which the hand opens.
  let ends: UInt32
  private let style: Style
  /// Where the finger took hold, and how far it goes from there each way, in the steps of commands.
  private let x: Int
  private let y: Int
  private let wayX: Int
  private let wayY: Int
  /// Ticks from one side to the other.
  private let period: UInt32

  /// The farthest from a sticker's circle that a finger takes hold of it: `Grip.reach`.
  private static let lever = 160
  /// Lets hands shake for up to five seconds: spins grow with time.
  private static let longest = 300

  init(
    on body: StreamBody, at point: (x: Int, y: Int), tick: UInt32, stepsPerPoint: Int,
    _ chance: inout PlayChance
  ) {
    slot = body.slot
    ends = tick &+ UInt32(chance.from(1...PlayedHand.longest))
    style = [.shake, .shake, .shake, .swing, .drag, .still][chance.below(6)]
    (x, y) = point
    wayX = chance.from(-200...200) * stepsPerPoint
    wayY = chance.from(-200...200) * stepsPerPoint
    period = UInt32(chance.from(1...12))
  }

  /// Where a finger takes hold of a body, beside it as often as on it.
  static func touch(
    _ body: StreamBody, stepsPerPoint: Int, _ chance: inout PlayChance
  ) -> (x: Int, y: Int) {
    let reach = (Int(body.size) / 2 + chance.below(2) * lever) * stepsPerPoint
    return (
      Int(body.x) * stepsPerPoint + chance.from(-reach...reach),
      Int(body.y) * stepsPerPoint + chance.from(-reach...reach)
    )
  }

  /// Where the finger is at a tick; nil while it doesn't move.
  func place(at tick: UInt32) -> (x: Int, y: Int)? {
    let side = (tick / period) % 4
    switch style {
    case .still: return nil
    case .shake: return side % 2 == 0 ? (x + wayX, y + wayY) : (x - wayX, y - wayY)
    case .swing:
      let corners = [(1, 0), (0, 1), (-1, 0), (0, -1)]
      return (x + corners[Int(side)].0 * wayX, y + corners[Int(side)].1 * wayX)
    case .drag:
      let share = Int(tick % 64)
      return (x + wayX * share / 16, y + wayY * share / 16)
    }
  }
}
