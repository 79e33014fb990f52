import Physics
import Testing

/// A box that lands flat touches with two points. Solved one after the other, one of them would
/// turn it onto the other, and friction would make a throw to the side of that: 60 pt/s in the
/// first of these falls.
@Suite struct FlatLandingTests {
  struct Fall: CustomTestStringConvertible {
    var size: Vector2
    var height: Float
    var restitution: Float = 0.6
    var friction: Float = 0.2
    var onBody = false

    var testDescription: String {
      "\(size.x)×\(size.y) from \(height) pt\(onBody ? " onto a body" : "")"
    }

    /// How fast it ever is to the side, in pt/s, and how fast it turns, in rad/s.
    func fastest() throws -> (side: Float, spin: Float) {
      var world = try Worlds.empty(gravity: Vector2(0, 1000))
      if onBody {
        var floor = Worlds.anchored
        floor.friction = friction
        try world.addBody(
          BodyDefinition(
            shape: .box(width: 600, height: 40), position: Vector2(0, 20), properties: floor))
      } else {
        try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: 0), id: 0)
      }
      let id = try world.addBody(
        BodyDefinition(
          shape: .box(width: size.x, height: size.y),
          position: Vector2(3, -height - size.y / 2),
          properties: Worlds.properties(restitution: restitution, friction: friction)))
      var (side, spin): (Float, Float) = (0, 0)
      for _ in 0..<240 {
        world.step()
        let state = try #require(world.body(id))
        side = max(side, abs(state.velocity.x))
        spin = max(spin, abs(state.angularVelocity))
      }
      return (side, spin)
    }
  }

  private static let sizes = [
    Vector2(40, 40), Vector2(100, 100), Vector2(60, 20), Vector2(100, 30), Vector2(20, 60),
  ]

  @Test(arguments: sizes)
  func itIsNotThrownToTheSide(size: Vector2) throws {
    for height in stride(from: Float(40), through: 440, by: 20) {
      for restitution in [Float(0), 0.6] {
        let fastest = try Fall(size: size, height: height, restitution: restitution).fastest()
        #expect(fastest.side < 1 && fastest.spin < 0.05, "\(height) pt, \(restitution): \(fastest)")
      }
    }
  }

  @Test(arguments: [
    Fall(size: Vector2(40, 40), height: 300, onBody: true),
    Fall(size: Vector2(60, 20), height: 300, onBody: true),
    Fall(size: Vector2(100, 30), height: 100, friction: 0.5, onBody: true),
  ])
  func norIsItOnABody(fall: Fall) throws {
    let fastest = try fall.fastest()
    #expect(fastest.side < 1 && fastest.spin < 0.05, "\(fastest)")
  }
}
