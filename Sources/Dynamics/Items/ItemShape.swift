/// The outline that an item collides with, about its centre.
///
/// A rectangle is UIKit's default, and `Item(frame:)`'s; otherwise the shape is said.
public enum ItemShape: Equatable, Sendable {
  /// A rectangle of the given size in points, each 0.5…8192. `cornerRadius` is 0 up to half of the
  /// shorter side.
  case rectangle(width: Float, height: Float, cornerRadius: Float = 0)
  /// An ellipse of the given size in points, each 0.5…8192 and at most 4000 times the other: a
  /// circle when both are equal, otherwise a rounded outline of eight corners that touches the
  /// ellipse at its four ends. Elsewhere it is off by at most 0.5 pt of 100 pt of the longer side
  /// (where that is 2.4 times the shorter one; 0.49 pt of 100×50, 0.27 of 100×10, 0.15 of 100×91),
  /// measured over ratios of 1…10, which is about as near as eight corners come. Its area is that
  /// of the ellipse to 1 % up to a ratio of 3, and 2.5 % less at 10.
  case ellipse(width: Float, height: Float)
  /// An outline of 3…64 corners in either order that follow each other without crossing, in points
  /// from the item's centre. It may be concave: a cup, an L, a star. At most 8192 pt each way, with
  /// an area of at least 0.1 pt².
  ///
  /// A convex outline of at most eight corners may be grown by `growth`, 0…4096 points, all round,
  /// which rounds its corners. Any other is cut into convex parts, each of which costs what an item
  /// costs.
  case path([Vector2], growth: Float = 0)
  /// Several outlines that move as one, which need not touch each other: what a group of items
  /// (`Animator.addGroup(_:tag:)`) collides with. At most 8192 pt each way, and at most 64 convex
  /// outlines, each of which costs what an item costs, those counted into which paths are cut.
  case compound([Part])

  /// One of the outlines of a compound, and where it is in it.
  public struct Part: Equatable, Sendable {
    /// The outline, which is no compound.
    public var shape: ItemShape
    /// Its centre in points from the item's centre, within 11 468 pt (0.7 · 16 384) either way.
    public var center: Vector2
    /// Its turn in the item.
    public var rotation: Rotation

    /// An outline at a place of an item, turned by `angle` radians, clockwise on screen.
    public init(_ shape: ItemShape, center: Vector2, angle: Float = 0) {
      self.init(shape, center: center, rotation: Rotation(angle: angle))
    }

    init(_ shape: ItemShape, center: Vector2, rotation: Rotation) {
      self.shape = shape
      self.center = center
      self.rotation = rotation
    }
  }

  /// A disc of a diameter of 0.5…8192 pt.
  public static func circle(diameter: Float) -> ItemShape {
    .ellipse(width: diameter, height: diameter)
  }

  /// Width and height of the box around the shape at angle 0, in points.
  public var size: Vector2 {
    switch self {
    case .rectangle(let width, let height, _), .ellipse(let width, let height):
      return Vector2(width, height)
    case .path, .compound:
      let (low, high) = extent(.identity)
      return low.x <= high.x ? high - low : .zero
    }
  }
}

extension ItemShape {
  /// The smallest and the largest coordinates, in points from the centre, of the shape turned; the
  /// smallest beyond the largest for a path or a compound of nothing.
  private func extent(_ turn: Rotation) -> (low: Vector2, high: Vector2) {
    let (c, s) = (turn.cosine.magnitude, turn.sine.magnitude)
    switch self {
    case .rectangle(let width, let height, let radius):
      let (x, y) = (width * 0.5 - radius, height * 0.5 - radius)
      let half = Vector2(x * c + y * s + radius, x * s + y * c + radius)
      return (-half, half)
    case .ellipse(let width, let height):
      let (x, y) = (width * 0.5, height * 0.5)
      let half = Vector2(Vector2(x * c, y * s).length, Vector2(x * s, y * c).length)
      return (-half, half)
    case .path(let corners, let growth):
      var (low, high) = (Vector2(.infinity, .infinity), Vector2(-.infinity, -.infinity))
      for corner in corners {
        let point = corner.rotated(by: turn)
        (low, high) = (low.least(point), high.most(point))
      }
      return (low - Vector2(growth, growth), high + Vector2(growth, growth))
    case .compound(let parts):
      var (low, high) = (Vector2(.infinity, .infinity), Vector2(-.infinity, -.infinity))
      for part in parts {
        let (least, most) = part.shape.extent(turn * part.rotation)
        let center = part.center.rotated(by: turn)
        (low, high) = (low.least(center + least), high.most(center + most))
      }
      return (low, high)
    }
  }

  /// How many times as long as wide an ellipse may be: eight corners of a longer one would lie on a
  /// line, as far as single precision can tell.
  private static let slenderest: Float = 4000

  /// Throws `sizeOutOfRange` for what is too large or too small.
  func validate() throws(DynamicsError) {
    switch self {
    case .rectangle(let width, let height, let cornerRadius):
      try width.requireSize()
      try height.requireSize()
      let half = (width < height ? width : height) * 0.5
      try cornerRadius.requireSize(.cornerRadius, in: 0...half)
    case .ellipse(let width, let height):
      try width.requireSize()
      try height.requireSize()
      let (long, short) = width > height ? (width, height) : (height, width)
      try short.requireSize(in: (long / Self.slenderest)...long)
    case .path(let corners, let growth):
      try growth.requireSize(in: 0...(PhysicsLimit.size.upperBound * 0.5))
      for corner in corners { try corner.requirePlace() }
      try requireSize()
    case .compound(let parts):
      guard !parts.isEmpty else { throw .emptyPath }
      for part in parts {
        if case .compound = part.shape { throw .pathUnusable }
        try part.shape.validate()
        try part.center.requirePlace()
        guard part.rotation.isDirection else {
          throw .outside(.angle, part.rotation.sine, -1...1)
        }
      }
      try requireSize()
    }
  }

  private func requireSize() throws(DynamicsError) {
    let size = size
    try size.x.requireSize(in: 0...PhysicsLimit.size.upperBound)
    try size.y.requireSize(in: 0...PhysicsLimit.size.upperBound)
  }
}

extension Vector2 {
  /// Throws `sizeOutOfRange` for a place that is too far from an item's centre.
  fileprivate func requirePlace() throws(DynamicsError) {
    // So that no diagonal is beyond what the solver takes.
    let farthest = PhysicsLimit.corner * 0.7
    try x.requireSize(in: -farthest...farthest)
    try y.requireSize(in: -farthest...farthest)
  }

  /// The smaller of each coordinate of two.
  fileprivate func least(_ b: Vector2) -> Vector2 { Vector2(b.x < x ? b.x : x, b.y < y ? b.y : y) }

  /// The larger of each coordinate of two.
  fileprivate func most(_ b: Vector2) -> Vector2 { Vector2(b.x > x ? b.x : x, b.y > y ? b.y : y) }
}

extension Float {
  /// Throws `sizeOutOfRange` for what is no size of an item in points.
  fileprivate func requireSize(
    _ property: DynamicsError.Property = .size, in allowed: ClosedRange<Float> = PhysicsLimit.size
  ) throws(DynamicsError) {
    guard allowed.contains(self) else {
      throw .sizeOutOfRange(
        DynamicsError.Refusal(property: property, value: self, allowed: allowed))
    }
  }
}
