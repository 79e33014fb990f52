import Testing

@testable import Dynamics
@testable import Physics

/// How near the rounded outline of an ellipse is to one.
@Suite struct EllipseTests {
  /// How far a point is outside of the outline that an item collides with, in points.
  private func gap(_ point: Vector2, _ shape: BodyShape) -> Float {
    ConvexDistance(shape.core, ConvexCore(point: point)).distance - shape.radius
  }

  /// The largest error along the whole ellipse.
  private func error(_ width: Float, _ height: Float) throws -> Float {
    let shape = try SolidShape(.ellipse(width: width, height: height)).shape
    var worst: Float = 0
    for i in 0..<720 {
      let turn = Rotation(angle: Float(i) * .pi / 360)
      let point = Vector2(turn.cosine * width * 0.5, turn.sine * height * 0.5)
      worst = max(worst, abs(gap(point, shape)))
    }
    return worst
  }

  /// What the documentation of `ItemShape.ellipse` says.
  @Test func itIsOffByHalfAPointOfAHundredAtMost() throws {
    var (worst, at): (Float, Float) = (0, 0)
    for step in 1...180 {
      let ratio = 1 + Float(step) * 0.05
      let found = try error(100, 100 / ratio)
      if found > worst { (worst, at) = (found, ratio) }
    }
    #expect(worst < 0.5 && worst > 0.49, "\(worst) at \(at)")
    for (height, most) in [(Float(50), Float(0.49)), (10, 0.275), (100 / 1.1, 0.15), (95, 0.09)] {
      let (flat, upright) = (try error(100, height), try error(height, 100))
      #expect(flat < most && abs(upright - flat) < 0.001, "\(flat) of 100×\(height)")
    }
    #expect(try error(1000, 2) < 0.12)
  }

  @Test func itsEndsAreExactAndItIsSymmetric() throws {
    for (width, height) in [(Float(100), Float(50)), (30, 44), (300, 20), (80, 79)] {
      let shape = try SolidShape(.ellipse(width: width, height: height)).shape
      #expect((shape.size - Vector2(width, height)).length < 1e-3)
      for end in [Vector2(width * 0.5, 0), Vector2(0, height * 0.5)] {
        #expect(abs(gap(end, shape)) < 1e-3 && abs(gap(-end, shape)) < 1e-3)
      }
      for i in 0..<20 {
        let turn = Rotation(angle: Float(i) * 0.0785)
        let (x, y) = (turn.cosine * width, turn.sine * height)
        let out = gap(Vector2(x, y), shape)
        #expect(abs(gap(Vector2(-x, y), shape) - out) < 1e-3)
        #expect(abs(gap(Vector2(x, -y), shape) - out) < 1e-3)
      }
      // Thin ones have a little less than the true ellipse.
      let solid = try SolidShape(.ellipse(width: width, height: height))
      #expect(isClose(solid.area, .pi * width * height / 4, within: 0.03))
      #expect(
        isClose(solid.inertiaPerMass, (width * width + height * height) / 16, within: 0.02))
    }
  }

  @Test func theExtremesAreTaken() throws {
    for (width, height) in [
      (Float(0.5), Float(0.5001)), (0.5, 2000), (8192, 8191.99), (8192, 2.048), (1, 0.999_99),
      (0.5, 0.6), (40, 39.9999),
    ] {
      let solid = try SolidShape(.ellipse(width: width, height: height))
      #expect(isClose(solid.area, .pi * width * height / 4, within: 0.05))
    }
  }
}
