import Physics
import Testing

@Suite struct ShapeTests {
  @Test func areasAndInertiasAreTheTextbooks() throws {
    let circle = try BodyShape.circle(radius: 20)
    #expect(abs(circle.area - 1256.637) < 0.01)
    #expect(abs(circle.inertiaPerMass - 200) < 0.01)
    let box = try BodyShape.box(width: 30, height: 40)
    #expect(box.area == 1200)
    #expect(abs(box.inertiaPerMass - (900 + 1600) / 12) < 0.01)
    let triangle = try BodyShape.polygon([Vector2(0, 0), Vector2(60, 0), Vector2(0, 60)])
    #expect(triangle.area == 1800)
    #expect(abs(triangle.inertiaPerMass - 400) < 0.5)
  }

  @Test func roundedShapesAgreeWithASum() throws {
    let capsule = try BodyShape.capsule(halfLength: 30, radius: 10)
    let rounded = try BodyShape.box(width: 80, height: 50, cornerRadius: 12)
    for (shape, half, r) in [
      (capsule, Vector2(30, 0), Float(10)), (rounded, Vector2(28, 13), Float(12)),
    ] {
      var area = 0.0
      var moment = 0.0
      let cell = 0.125
      for i in -400..<400 {
        for j in -400..<400 {
          let x = (Double(i) + 0.5) * cell
          let y = (Double(j) + 0.5) * cell
          let dx = max(abs(x) - Double(half.x), 0)
          let dy = max(abs(y) - Double(half.y), 0)
          if dx * dx + dy * dy <= Double(r * r) {
            area += cell * cell
            moment += cell * cell * (x * x + y * y)
          }
        }
      }
      #expect(abs(Double(shape.area) / area - 1) < 0.001)
      #expect(abs(Double(shape.inertiaPerMass) / (moment / area) - 1) < 0.001)
    }
  }

  @Test func badShapesAreRefused() {
    expectRefused(.radius) { try BodyShape.circle(radius: 0.1) }
    expectRefused(.radius) { try BodyShape.circle(radius: .nan) }
    expectRefused(.radius) { try BodyShape.capsule(halfLength: 5, radius: 4097) }
    expectRefused(.halfLength) { try BodyShape.capsule(halfLength: 0, radius: 5) }
    expectRefused(.width) { try BodyShape.box(width: 0.4, height: 10) }
    expectRefused(.height) { try BodyShape.box(width: 10, height: .infinity) }
    expectRefused(.cornerRadius) { try BodyShape.box(width: 10, height: 10, cornerRadius: 5) }
    expectRefused(.cornerRadius) { try BodyShape.box(width: 10, height: 10, cornerRadius: -1) }
    let triangle = [Vector2(0, 0), Vector2(40, 0), Vector2(0, 40)]
    expectRefused(.radius) { try BodyShape.polygon(triangle, radius: -1) }
    expectRefused(.corner) { try BodyShape.polygon(triangle.map { $0 * 500 }) }
    expectRefused(.area) { try BodyShape.polygon(triangle.map { $0 * 0.01 }) }
    #expect(throws: PhysicsError.notConvex) {
      try BodyShape.polygon([Vector2(0, 0), Vector2(10, 0), Vector2(20, 0)])
    }
    #expect(throws: PhysicsError.notConvex) {
      try BodyShape.polygon([Vector2(0, 0), Vector2(40, 0), Vector2(10, 10), Vector2(0, 40)])
    }
  }
}
