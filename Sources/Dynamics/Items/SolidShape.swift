/// A shape as the solver wants it: about its centre of mass.
struct SolidShape: Equatable, Sendable {
  /// The only shape, or the first one of several.
  var shape: BodyShape
  /// How many parts there are.
  var shapeCount = 1
  /// Area in pt², and rotational inertia by mass in pt², of all parts.
  var area: Float
  var inertiaPerMass: Float
  /// The centre of mass in the item's own frame; (0, 0) for all but paths.
  var centerOfMass: Vector2

  init(_ outline: ItemShape) throws(DynamicsError) {
    try outline.validate()
    do throws(PhysicsError) {
      if let whole = try Self.compound(of: outline) {
        shape = whole.shapes[0]
        shapeCount = whole.shapes.count
        (area, inertiaPerMass) = (whole.area, whole.inertiaPerMass)
        centerOfMass = whole.centerOfMass
      } else {
        let part = try Self.part(of: outline)
        shape = part.shape
        (area, inertiaPerMass) = (shape.area, shape.inertiaPerMass)
        centerOfMass = part.position
      }
      assert(shapeCount > 0 && area > 0 && inertiaPerMass > 0)
    } catch {
      if case .path(let corners, _) = outline, corners.count < 3 { throw .emptyPath }
      if error == .notConvex || error == .outlineUnusable { throw .pathUnusable }
      if case .tooManyShapes(let count, let limit) = error {
        throw .tooManyShapes(count: count, limit: limit)
      }
      if case .sizeOutOfRange(let refusal) = error, refusal.property == .boundingRadius {
        // A part may reach far beyond the centre of mass of an outline within the largest size.
        throw .sizeOutOfRange(
          DynamicsError.Refusal(
            property: .size, value: refusal.value, allowed: PhysicsLimit.size))
      }
      // The sides have been checked, so it is the area.
      throw .sizeOutOfRange(Self.refusedArea(of: outline))
    }
  }

  /// The shapes of an outline that is one of several or cut into several; nil for any other.
  static func compound(of outline: ItemShape) throws(PhysicsError) -> CompoundShape? {
    switch outline {
    case .rectangle, .ellipse: return nil
    case .path(let corners, let growth):
      return growth > 0 || isPlain(corners) ? nil : try CompoundShape(outline: corners)
    case .compound: return try CompoundShape(try parts(of: outline))
    }
  }

  /// The convex shapes of an outline, where they are in the item.
  private static func parts(
    of outline: ItemShape
  ) throws(PhysicsError) -> [CompoundShape.Part] {
    switch outline {
    case .rectangle, .ellipse: return [try part(of: outline)]
    case .path:
      if let whole = try compound(of: outline) {
        return whole.shapes.map { CompoundShape.Part($0, at: whole.centerOfMass) }
      }
      return [try part(of: outline)]
    case .compound(let outlines):
      var all: [CompoundShape.Part] = []
      for outline in outlines {
        for part in try parts(of: outline.shape) {
          all.append(
            CompoundShape.Part(
              part.shape, at: outline.center + part.position.rotated(by: outline.rotation),
              rotation: outline.rotation * part.rotation))
        }
      }
      return all
    }
  }

  /// The shape of an outline that `compound(of:)` makes nothing of.
  private static func part(of outline: ItemShape) throws(PhysicsError) -> CompoundShape.Part {
    switch outline {
    case .rectangle(let width, let height, let cornerRadius):
      return CompoundShape.Part(try rectangle(width, height, cornerRadius))
    case .ellipse(let width, let height): return CompoundShape.Part(try ellipse(width, height))
    case .path(let corners, let growth):
      let center = PolygonMeasures(corners).center
      return CompoundShape.Part(try .polygon(corners, radius: growth), at: center)
    case .compound: preconditionFailure("it is one of several shapes")
    }
  }

  /// Whether an outline is one of the solver's polygons.
  private static func isPlain(_ corners: [Vector2]) -> Bool {
    corners.count <= 8 && (try? BodyShape.polygon(corners)) != nil
  }

  private static func refusedArea(of outline: ItemShape) -> DynamicsError.Refusal {
    var area: Float = 0
    if case .path(let corners, _) = outline { area = PolygonMeasures(corners).area }
    let most = PhysicsLimit.size.upperBound * PhysicsLimit.size.upperBound
    return DynamicsError.Refusal(
      property: .area, value: area, allowed: PhysicsLimit.area...most)
  }

  /// Full rounding turns a box into a capsule; an upright one keeps a hair of straight edge,
  /// because the solver's capsules lie along x.
  private static func rectangle(
    _ width: Float, _ height: Float, _ cornerRadius: Float
  ) throws(PhysicsError) -> BodyShape {
    let shorter = width < height ? width : height
    guard cornerRadius * 2 >= shorter else {
      return try .box(width: width, height: height, cornerRadius: cornerRadius)
    }
    if width > height + 1 {
      return try .capsule(halfLength: (width - height) * 0.5, radius: height * 0.5)
    }
    return try .box(width: width, height: height, cornerRadius: shorter * 0.4995)
  }

  /// Eight corners, four of them on the axes, grown by a radius so that the four ends are exact.
  ///
  ///            ___o___
  ///        _o-         -o_      o  the corners, each at the middle of an arc
  ///       o               o
  ///         -o_       _o-
  ///            ---o---
  ///
  /// The radius and where the other four lie are polynomials in the root of the aspect ratio,
  /// fitted to what a search over all three found to leave the least error at fourteen ratios from
  /// 1.05 to 10. It leaves at most a fiftieth of a point of 100 more than that search did.
  private static func ellipse(_ width: Float, _ height: Float) throws(PhysicsError) -> BodyShape {
    if width == height { return try .circle(radius: width * 0.5) }
    let (a, b) = (width * 0.5, height * 0.5)
    let (long, short) = a > b ? (a, b) : (b, a)
    let s = (short / long).squareRoot()
    let best = short * s * (1 + (1 - s) * (-0.128 + s * (-0.773 + s * 0.643)))
    // What is nearly a circle would have corners that lie in one place.
    let most = short * 0.999 - 0.02
    let radius = best < most ? best : most
    assert(radius > 0 && radius < short)
    let (along, across) = (0.834 + s * (-0.489 + s * 0.212), 0.671 + s * 0.128)
    let (x, y) = (a - radius, b - radius)
    let (u, v) = a > b ? (x * along, y * across) : (x * across, y * along)
    return try .polygon(
      [
        Vector2(x, 0), Vector2(u, v), Vector2(0, y), Vector2(-u, v), Vector2(-x, 0),
        Vector2(-u, -v), Vector2(0, -y), Vector2(u, -v),
      ], radius: radius)
  }
}
