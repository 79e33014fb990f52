import Physics
import Wire

/// Keeps the picture whole when the predicted world was made anew: a sticker that is somewhere else
/// now is drawn where it was, and glides to its place. Only the picture: the world knows nothing of
/// it.
struct Corrections: Sendable {
  private struct Offset {
    var generation: UInt16 = 0
    var x: Float = 0
    var y: Float = 0
    var angle: Float = 0

    var isZero: Bool { x == 0 && y == 0 && angle == 0 }
  }

  /// By slot.
  private var offsets: [Offset] = []
  /// Whether any is not zero.
  private var isAny = false
  /// The largest correction of the last rollback in points.
  private(set) var largest: Float = 0

  /// Milliseconds in which a correction shrinks to 37 %: the eye takes it for the sticker's motion.
  private static let settle = 70.0
  /// Smaller ones, in points and radians, are not seen.
  private static let smallest: Float = 0.02
  /// A sticker that is further off than this is another situation; gliding would show a flight that
  /// never was.
  static let furthest: Float = 300

  /// Notes what changed for a tick between two predictions of it.
  /// - Parameters:
  ///   - before: the stickers as they were shown, in order of slots.
  ///   - after: as they are now.
  ///   - renamed: those that are found under another name now.
  mutating func note(
    _ before: [StreamBody], _ after: [StreamBody], renamed: [OwnArrivals.Renamed]
  ) {
    largest = 0
    for change in renamed { rename(change, before, after) }
    var index = 0
    // Somebody else's sticker has the name now that a renamed one was shown under: another one.
    for old in before where !renamed.contains(where: { old.isNamed($0.from) }) {
      while index < after.count, after[index].slot < old.slot { index += 1 }
      guard index < after.count, after[index].slot == old.slot,
        after[index].generation == old.generation
      else { continue }
      add(from: old, to: after[index])
    }
  }

  private mutating func rename(
    _ change: OwnArrivals.Renamed, _ before: [StreamBody], _ after: [StreamBody]
  ) {
    guard let old = before.first(where: { $0.isNamed(change.from) }),
      let new = after.first(where: { $0.isNamed(change.to) })
    else { return }
    add(from: old, to: new)
  }

  private mutating func add(from old: StreamBody, to new: StreamBody) {
    let (x, y) = (old.x - new.x, old.y - new.y)
    let angle = Self.turn(old.angle - new.angle)
    guard x != 0 || y != 0 || angle != 0 else { return }
    let distance = (x * x + y * y).squareRoot()
    assert(distance.isFinite)
    if distance > largest { largest = distance }
    let slot = Int(new.slot)
    while offsets.count <= slot { offsets.append(Offset()) }
    var offset = offsets[slot]
    if offset.generation != new.generation { offset = Offset(generation: new.generation) }
    offset.x += x
    offset.y += y
    offset.angle = Self.turn(offset.angle + angle)
    let shown = (offset.x * offset.x + offset.y * offset.y).squareRoot()
    if shown > Self.furthest { offset = Offset(generation: new.generation) }
    offsets[slot] = offset
    assert(offsets.count <= WireLimits.bodies)
    isAny = true
  }

  /// Lets what is left shrink.
  mutating func shrink(elapsed milliseconds: Double) {
    guard isAny else { return }
    isAny = false
    let rest = Self.rest(after: milliseconds)
    for slot in offsets.indices where !offsets[slot].isZero {
      offsets[slot].x *= rest
      offsets[slot].y *= rest
      offsets[slot].angle *= rest
      if Self.isSmall(offsets[slot].x), Self.isSmall(offsets[slot].y),
        Self.isSmall(offsets[slot].angle)
      {
        (offsets[slot].x, offsets[slot].y, offsets[slot].angle) = (0, 0, 0)
      } else {
        isAny = true
      }
    }
  }

  /// How far from its place a sticker is drawn.
  func offset(of body: StreamBody) -> (x: Float, y: Float, angle: Float) {
    let slot = Int(body.slot)
    guard isAny, slot < offsets.count, offsets[slot].generation == body.generation else {
      return (0, 0, 0)
    }
    return (offsets[slot].x, offsets[slot].y, offsets[slot].angle)
  }

  /// Nearly e^(−t/settle), as a product of first-order steps of 4 ms: after `settle` 36 % are left
  /// instead of 37. Only the picture depends on it, and nobody sees the difference.
  private static func rest(after milliseconds: Double) -> Float {
    var rest = 1.0
    var left = milliseconds < 500 ? milliseconds : 500
    while left > 0 {
      let step = left < 4 ? left : 4
      rest *= 1 - step / settle
      left -= step
    }
    assert(rest > 0 && rest <= 1)
    return Float(rest)
  }

  private static func isSmall(_ value: Float) -> Bool { value < smallest && value > -smallest }

  /// The same turn the short way round.
  static func turn(_ angle: Float) -> Float {
    let full = 2 * DeterministicMath.pi
    let turns = Fixed.nearest(angle / full)
    return angle - Float(turns) * full
  }
}

extension StreamBody {
  func isNamed(_ name: StickerName) -> Bool {
    slot == name.slot && generation == name.generation
  }
}
