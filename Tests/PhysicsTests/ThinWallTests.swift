import Physics
import Testing

/// Nothing passes a line, however fast, however thin, wherever it strikes.
@Suite struct ThinWallTests {
  private func shape(_ kind: Int, _ size: Float) throws -> BodyShape {
    switch kind {
    case 0: return try .circle(radius: size)
    case 1: return try .box(width: 2 * size, height: 2 * size)
    case 2: return try .capsule(halfLength: size, radius: size * 0.5)
    default:
      return try .polygon([Vector2(0, -size), Vector2(size, size), Vector2(-size, size)])
    }
  }

  private func world(isChain: Bool) throws -> PhysicsWorld {
    var world = try Worlds.empty()
    let (a, b) = (Vector2(1000, -500), Vector2(1000, 500))
    try world.addBoundary(
      isChain ? .chain([a, Vector2(1000, 0), b], closed: false) : .segment(a, b),
      id: BoundaryID(0))
    return world
  }

  @Test(arguments: [Float(4), 20, 60])
  func nothingPassesAtTenThousand(size: Float) throws {
    for angle in [Float(0), 0.5, 1, -1.3] {
      for offset in 0..<12 {
        for kind in 0..<4 {
          var world = try world(isChain: offset % 2 == 1)
          let way = Vector2(1, 0).rotated(by: Rotation(angle: angle))
          let start = Vector2(990, 30) - way * (100 + Float(offset) * 13 + 2 * size)
          var definition = BodyDefinition(
            shape: try shape(kind, size), position: start, angle: Float(offset))
          definition.velocity = way * 10_000
          definition.angularVelocity = offset % 3 == 0 ? 50 : 0
          let id = try world.addBody(definition)
          var met = false
          for _ in 0..<30 {
            world.step()
            met = met || !world.contactEvents.began.isEmpty
            let p = world.body(id)!.position
            #expect(p.x < 1000.01 || abs(p.y) > 500, "\(kind) at \(angle), \(offset)")
            if p.x > 1000 { break }
          }
          #expect(met, "\(kind) at \(angle), \(offset)")
        }
      }
    }
  }

  /// Aimed within a point of an end, on the line's side of it, a centre does not cross the line.
  @Test(arguments: [Float(4), 20], [false, true])
  func nothingPassesNearAnEnd(size: Float, isChain: Bool) throws {
    for inset in [Float(1), 2, 4, 8, 20] {
      for kind in 0..<4 {
        for offset in 0..<6 {
          var world = try world(isChain: isChain)
          var definition = BodyDefinition(
            shape: try shape(kind, size),
            position: Vector2(980 - size - Float(offset) * 31, 500 - inset), angle: Float(offset))
          definition.velocity = Vector2(10_000, 0)
          let id = try world.addBody(definition)
          var last = world.body(id)!.position
          for _ in 0..<30 {
            world.step()
            let p = world.body(id)!.position
            if last.x <= 1000 && p.x > 1000 {
              // Where the way crosses the line's extension: past the end is fair.
              let share = (1000 - last.x) / (p.x - last.x)
              let y = last.y + (p.y - last.y) * share
              #expect(abs(y) > 499, "\(kind), inset \(inset), \(offset): crossed at \(y)")
            }
            last = p
          }
        }
      }
    }
  }
}
