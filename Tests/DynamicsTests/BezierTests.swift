import Dynamics
import Testing

@Suite(.tags(.fact)) struct BezierTests {
  /// A point of a cubic curve, in Double.
  private func cubic(_ p: [Vector2], _ t: Double) -> (x: Double, y: Double) {
    let u = 1 - t
    let w = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t]
    return (
      (0..<4).reduce(0) { $0 + w[$1] * Double(p[$1].x) },
      (0..<4).reduce(0) { $0 + w[$1] * Double(p[$1].y) }
    )
  }

  private func distance(_ x: Double, _ y: Double, _ a: Vector2, _ b: Vector2) -> Double {
    let (dx, dy) = (Double(b.x - a.x), Double(b.y - a.y))
    var t = ((x - Double(a.x)) * dx + (y - Double(a.y)) * dy) / (dx * dx + dy * dy)
    t = min(max(t, 0), 1)
    let (ex, ey) = (x - Double(a.x) - t * dx, y - Double(a.y) - t * dy)
    return (ex * ex + ey * ey).squareRoot()
  }

  @Test("Collision: curves are flattened to within 0.25 pt")
  func tolerance() {
    var random = RandomGenerator(seed: 11)
    for _ in 0..<40 {
      let p = (0..<4).map { _ in
        Vector2(random.nextFloat(-2000, 2000), random.nextFloat(-2000, 2000))
      }
      var path = BezierPath(from: p[0])
      path.addCurve(to: p[3], controlPoint1: p[1], controlPoint2: p[2])
      #expect(path.points.first == p[0] && path.points.last == p[3])
      #expect(path.points.count < 200)
      for i in 0...500 {
        let (x, y) = cubic(p, Double(i) / 500)
        let off = (1..<path.points.count).map {
          distance(x, y, path.points[$0 - 1], path.points[$0])
        }
        #expect(off.min()! < 0.2501)
      }
      // A quadratic curve is the cubic one whose controls lie two thirds of the way.
      var quadratic = BezierPath(from: p[0])
      quadratic.addQuadCurve(to: p[2], controlPoint: p[1])
      let raised = [
        p[0], p[0] + (p[1] - p[0]) * (2 / 3), p[2] + (p[1] - p[2]) * (2 / 3), p[2],
      ]
      for i in 0...500 {
        let (x, y) = cubic(raised, Double(i) / 500)
        let off = (1..<quadratic.points.count).map {
          distance(x, y, quadratic.points[$0 - 1], quadratic.points[$0])
        }
        #expect(off.min()! < 0.26)
      }
    }
  }

  @Test("Collision: a concave outline of lines and curves keeps items in and out")
  func concave() throws {
    // A bowl: a dent in the upper side of a block.
    var bowl = BezierPath(from: Vector2(200, 400))
    bowl.addLine(to: Vector2(400, 400))
    bowl.addQuadCurve(to: Vector2(600, 400), controlPoint: Vector2(500, 700))
    bowl.addLine(to: Vector2(800, 400))
    bowl.addLine(to: Vector2(800, 800))
    bowl.addLine(to: Vector2(200, 800))
    bowl.addLine(to: Vector2(200, 400))
    bowl.close()
    var animator = try Scenes.empty()
    let balls = try animator.addItems(
      [300, 450, 700].map { Scenes.ball(at: Vector2($0, 300)) })
    try animator.add(GravityBehavior(items: balls))
    var walls = CollisionBehavior(items: balls)
    try walls.addBoundary(bowl.boundary, id: 3)
    try animator.add(walls)
    try animator.add(ItemBehavior(items: balls, resistance: 1))
    animator.step(times: 600)
    #expect(isClose(animator.center(of: balls[0]).y, 380))
    #expect(isClose(animator.center(of: balls[2]).y, 380))
    // In the dent, whose lowest place is at 550; the ball is rounder than its bottom.
    #expect(abs(animator.center(of: balls[1]).x - 500) < 3)
    #expect(abs(animator.center(of: balls[1]).y - 530) < 1)
  }

  @Test func shortAndSenselessPathsAreRefused() {
    var walls = CollisionBehavior()
    #expect(throws: DynamicsError.emptyPath) {
      try walls.addBoundary(BezierPath(from: .zero).boundary, id: 1)
    }
    var line = BezierPath(from: .zero)
    line.addLine(to: Vector2(9, 9))
    line.addLine(to: .zero)
    line.close()
    #expect(throws: DynamicsError.emptyPath) { try walls.addBoundary(line.boundary, id: 1) }
    var wild = BezierPath(from: .zero)
    wild.addCurve(
      to: Vector2(9, 9), controlPoint1: Vector2(.nan, 0), controlPoint2: Vector2(.infinity, 0))
    wild.addCurve(to: Vector2(9, .nan), controlPoint1: .zero, controlPoint2: Vector2(1e30, 0))
    #expect(refusal { try walls.addBoundary(wild.boundary, id: 1) }?.property == .position)
    #expect(walls.boundaryIdentifiers.isEmpty)
  }
}
