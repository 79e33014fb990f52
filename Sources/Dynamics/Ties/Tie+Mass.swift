// What the two bodies of a tie oppose to pushes, and the pushes themselves.

extension Tie {
  /// Velocity of the second point against the first, where a point of the world stands still.
  func relativeVelocity(_ bodies: [TiedBody]) -> Vector2 {
    let v = bodies[Int(a)].velocity(at: armA)
    return b >= 0 ? bodies[Int(b)].velocity(at: armB) - v : -v
  }

  /// Acceleration of the second point against the first by the forces known and by the turning.
  func relativeAcceleration(_ bodies: [TiedBody]) -> Vector2 {
    let one = bodies[Int(a)]
    var other = Vector2.zero
    if b >= 0 {
      let two = bodies[Int(b)]
      other = two.acceleration + armB.perpendicular * two.spinning - armB * (two.spin * two.spin)
    }
    return other
      - (one.acceleration + armA.perpendicular * one.spinning - armA * (one.spin * one.spin))
  }

  /// `impulse` on the second body, the opposite on the first.
  func push(_ bodies: inout [TiedBody], _ impulse: Vector2) {
    bodies[Int(a)].push(-impulse, armA)
    if b >= 0 { bodies[Int(b)].push(impulse, armB) }
  }

  func pull(_ bodies: inout [TiedBody], _ force: Vector2) {
    bodies[Int(a)].pull(-force, armA)
    if b >= 0 { bodies[Int(b)].pull(force, armB) }
  }

  /// An angular impulse that turns the first body back and the second with it.
  func turn(_ bodies: inout [TiedBody], _ impulse: Float) {
    bodies[Int(a)].spin -= impulse * bodies[Int(a)].inverseInertia
    if b >= 0 { bodies[Int(b)].spin += impulse * bodies[Int(b)].inverseInertia }
  }

  func repredict(_ bodies: inout [TiedBody]) {
    bodies[Int(a)].predict()
    if b >= 0 { bodies[Int(b)].predict() }
  }

  func turnMobility(_ bodies: [TiedBody]) -> Float {
    bodies[Int(a)].inverseInertia + (b >= 0 ? bodies[Int(b)].inverseInertia : 0)
  }

  /// The mass that the two bodies oppose to a push along `n` at their arms; 0 when neither moves.
  func lineMass(
    _ bodies: [TiedBody], _ n: Vector2, _ armA: Vector2, _ armB: Vector2
  ) -> Float {
    let one = bodies[Int(a)]
    let crossA = armA.cross(n)
    var inverse = one.inverseMass + crossA * crossA * one.inverseInertia
    if b >= 0 {
      let two = bodies[Int(b)]
      let crossB = armB.cross(n)
      inverse += two.inverseMass + crossB * crossB * two.inverseInertia
    }
    assert(!(inverse < 0))
    return inverse > 0 ? 1 / inverse : 0
  }

  /// The same for pushes of any direction: a symmetric matrix.
  func pointMass(_ bodies: [TiedBody]) -> PointMass {
    let one = bodies[Int(a)]
    var xx = one.inverseMass + armA.y * armA.y * one.inverseInertia
    var xy = -armA.x * armA.y * one.inverseInertia
    var yy = one.inverseMass + armA.x * armA.x * one.inverseInertia
    if b >= 0 {
      let two = bodies[Int(b)]
      xx += two.inverseMass + armB.y * armB.y * two.inverseInertia
      xy -= armB.x * armB.y * two.inverseInertia
      yy += two.inverseMass + armB.x * armB.x * two.inverseInertia
    }
    let determinant = xx * yy - xy * xy
    guard determinant > 0 else { return PointMass(xx: 0, xy: 0, yy: 0) }
    assert(xx >= 0 && yy >= 0)
    return PointMass(xx: yy / determinant, xy: -xy / determinant, yy: xx / determinant)
  }
}

/// A symmetric matrix that turns a velocity into an impulse.
struct PointMass {
  var xx: Float
  var xy: Float
  var yy: Float

  func times(_ v: Vector2) -> Vector2 { Vector2(xx * v.x + xy * v.y, xy * v.x + yy * v.y) }
}
