/// Something that keeps bodies in and never moves. It takes the material of what touches it, unless
/// its `BoundaryProperties` say otherwise.
///
/// Points lie within `PhysicsLimit.place` either way.
public enum Boundary: Equatable, Sendable {
  /// A thin line between two points at least 0.01 pt apart, solid from both sides.
  case segment(Vector2, Vector2)
  /// Lines from point to point, and back to the first when `closed`. Solid from both sides,
  /// and smooth: bodies slide over the inner points without catching. At least two points, three
  /// when closed, each at least 0.01 pt from the next.
  case chain([Vector2], closed: Bool)
  /// Everything behind a line is solid: the points p with `normal`·p < `offset`. The normal points
  /// into the free side; its length, 0.001 to 10⁶, scales the offset with it: (0, −2) and −400 is
  /// the floor y = 200 as (0, −1) and −200 is.
  case halfPlane(normal: Vector2, offset: Float)
  /// The four half-planes that keep bodies inside a rectangle with an area.
  case inside(Rect2)

  /// Another word for `inside`.
  public static func bounds(_ rectangle: Rect2) -> Boundary { .inside(rectangle) }
}

/// Whom a boundary meets, and what it is made of.
public struct BoundaryProperties: Equatable, Sendable, BitwiseCopyable {
  /// The groups of the boundary, a bit each: it meets the bodies whose collision mask has one of
  /// them. All groups by default.
  public var collisionGroup: UInt32 = .max
  /// Coulomb friction, 0…100 000; a contact uses √(a·b) with the body's. Nil takes the body's own.
  public var friction: Float?
  /// Bounciness, 0…1; a contact uses the larger of it and the body's. Nil takes the body's own.
  public var restitution: Float?
  /// Whether a segment or chain is solid from one side only: from the left hand of whoever walks it
  /// from its first point to the last. With y down, a line drawn from left to right carries what
  /// falls onto it and lets pass what comes from below; a body is carried once all of it is above.
  /// Half-planes are solid from one side anyway.
  public var isOneWay = false

  /// A boundary for all groups that takes the material of what touches it.
  public init() {}

  /// The first number outside its documented range; nil when there is none.
  var refusal: PhysicsError.Refusal? {
    friction?.refusal(.friction, in: PhysicsLimit.friction)
      ?? restitution?.refusal(.restitution, in: 0...1)
  }

  var isValid: Bool { refusal == nil }
}

extension EdgeRecord {
  /// The properties that a piece shares with its boundary.
  var properties: BoundaryProperties {
    get {
      var properties = BoundaryProperties()
      properties.collisionGroup = collisionGroup
      properties.friction = friction < 0 ? nil : friction
      properties.restitution = restitution < 0 ? nil : restitution
      properties.isOneWay = isOneWay
      return properties
    }
    set {
      assert(newValue.isValid)
      collisionGroup = newValue.collisionGroup
      friction = newValue.friction ?? -1
      restitution = newValue.restitution ?? -1
      isOneWay = newValue.isOneWay
    }
  }
}

extension PhysicsWorld {
  /// Puts the numbers of all boundaries into `result`, in ascending order. Replaces what was there
  /// and keeps its memory.
  public func boundaries(into result: inout [BoundaryID]) {
    result.removeAll(keepingCapacity: true)
    for e in 0..<storage.edges.count where storage.edges[e].exists {
      let id = storage.edges[e].id
      if !result.contains(id) { result.append(id) }
    }
    result.sort { $0.value < $1.value }
  }

  /// What a boundary is made of; nil for a number that none has.
  ///
  /// It is the boundary that was added but for two things: a half-plane's normal has length 1, and
  /// a chain of two points is a segment. A rectangle comes back to the rounding of its width and
  /// height.
  public func boundary(_ id: BoundaryID) -> Boundary? {
    var pieces: [EdgeRecord] = []
    for e in 0..<storage.edges.count where storage.edges[e].exists && storage.edges[e].id == id {
      pieces.append(storage.edges[e])
    }
    guard let first = pieces.first, let last = pieces.last else { return nil }
    if first.isHalfPlane {
      // Only a rectangle has more than one: left, right, top, bottom.
      guard pieces.count == 4 else {
        return .halfPlane(normal: first.normal, offset: first.a.dot(first.normal))
      }
      let (minX, minY) = (first.a.x, pieces[2].a.y)
      return .inside(
        Rect2(x: minX, y: minY, width: pieces[1].a.x - minX, height: last.a.y - minY))
    }
    guard pieces.count > 1 else { return .segment(first.a, first.b) }
    var points: [Vector2] = []
    for piece in pieces { points.append(piece.a) }
    if !first.isJoinedAtA { points.append(last.b) }
    return .chain(points, closed: first.isJoinedAtA)
  }

  /// A boundary's groups and material; nil for a number that none has.
  public func properties(ofBoundary id: BoundaryID) -> BoundaryProperties? {
    for e in 0..<storage.edges.count where storage.edges[e].exists && storage.edges[e].id == id {
      return storage.edges[e].properties
    }
    return nil
  }
}
