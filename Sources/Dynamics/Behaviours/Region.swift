/// Where a field acts, about the field's position. UIKit's `UIRegion`.
///
/// Built from the infinite region, circles and rectangles by inverse, union, difference and
/// intersection: `Region.circle(radius: 100).difference(.rectangle(width: 50, height: 50))`.
public struct Region: Equatable, Sendable {
  /// The operations in postfix order, so that asking needs no recursion and no memory.
  var program: [Operation]

  /// Most operations and simple regions together: the answers wait in the bits of one number.
  public static let limit = 64

  enum Operation: Equatable, Sendable {
    case infinite
    case circle(radius: Float)
    case rectangle(half: Vector2)
    case inverse
    case union
    case difference
    case intersection
  }

  /// Everywhere.
  public static let infinite = Region(program: [.infinite])

  /// A disc of `radius` points, 0…100 000, its edge included.
  public static func circle(radius: Float) -> Region { Region(program: [.circle(radius: radius)]) }

  /// A rectangle of the given size in points, each 0…200 000, about the field's position, its edge
  /// excluded.
  public static func rectangle(width: Float, height: Float) -> Region {
    Region(program: [.rectangle(half: Vector2(width * 0.5, height * 0.5))])
  }

  /// Everything that is not in this region.
  public var inverse: Region { Region(program: program + [.inverse]) }

  /// What is in either region.
  public func union(_ other: Region) -> Region { combined(other, .union) }

  /// What is in this region and not in the other.
  public func difference(_ other: Region) -> Region { combined(other, .difference) }

  /// What is in both regions.
  public func intersection(_ other: Region) -> Region { combined(other, .intersection) }

  private func combined(_ other: Region, _ operation: Operation) -> Region {
    Region(program: program + other.program + [operation])
  }

  /// Whether a point, in points from the field's position, lies in the region.
  public func contains(_ point: Vector2) -> Bool {
    var answers: UInt64 = 0
    for operation in program {
      switch operation {
      case .infinite:
        answers = answers << 1 | 1
      case .circle(let radius):
        answers = answers << 1 | (point.lengthSquared <= radius * radius ? 1 : 0)
      case .rectangle(let half):
        let isInside =
          point.x > -half.x && point.x < half.x && point.y > -half.y && point.y < half.y
        answers = answers << 1 | (isInside ? 1 : 0)
      case .inverse:
        answers ^= 1
      case .union:
        answers = answers >> 1 | answers & 1
      case .difference:
        answers = answers >> 1 & ~(answers & 1)
      case .intersection:
        answers = answers >> 1 & (answers | ~1)
      }
    }
    return answers & 1 == 1
  }

  /// Throws `valueOutOfRange` for sizes that are none and for more parts than the limit.
  func validate() throws(DynamicsError) {
    for operation in program {
      switch operation {
      case .circle(let radius): try radius.require(.region, in: 0...Float.largest)
      case .rectangle(let half):
        try half.x.require(.region, in: 0...Float.largest)
        try half.y.require(.region, in: 0...Float.largest)
      case .infinite, .inverse, .union, .difference, .intersection: break
      }
    }
    // A snapshot may hold operations that do not find their operands; nobody else can.
    guard isValid else { throw .outside(.region, Float(program.count), 1...Float(Self.limit)) }
  }

  /// Whether the operations find their operands and the sizes are sizes.
  var isValid: Bool {
    var depth = 0
    for operation in program {
      switch operation {
      case .infinite:
        depth += 1
      case .circle(let radius):
        guard radius >= 0, radius.isInRange else { return false }
        depth += 1
      case .rectangle(let half):
        guard half.x >= 0, half.y >= 0, half.isInRange else { return false }
        depth += 1
      case .inverse:
        guard depth >= 1 else { return false }
      case .union, .difference, .intersection:
        guard depth >= 2 else { return false }
        depth -= 1
      }
    }
    return depth == 1 && program.count <= Self.limit
  }
}
