import Physics

/// How deep bodies stand in each other and in their room, frame by frame: what
/// `Benchmarks/physics/quality.c` reads from dumps, measured in the world itself.
struct Overlaps {
  /// Deepest overlap of two bodies, in points.
  private(set) var worst = 0.0
  /// Deepest overlap of a body with the room's walls.
  private(set) var worstAtWalls = 0.0
  /// Most bodies whose centre was outside the room in a frame.
  private(set) var escaped = 0
  /// Pairs of bodies measured near each other, so that nobody measures an empty room.
  private(set) var near = 0

  private var frameMaxima: [Double] = []
  private var depths: [Double] = []

  mutating func measure(_ world: PhysicsWorld, room: Rect2) {
    struct Placed {
      let id: BodyID
      let center: Vector2
      let reach: Float
      let silhouette: Silhouette
    }
    var placed: [Placed] = []
    world.forEachBody { id, state in
      let shape = world.shape(of: id)!
      placed.append(
        Placed(
          id: id, center: state.position, reach: shape.boundingRadius,
          silhouette: Silhouette(shape, state)))
    }
    placed.sort { $0.center.x < $1.center.x }
    let widest = placed.map(\.reach).max() ?? 0
    var deepest = 0.0
    for (i, a) in placed.enumerated() {
      for b in placed[(i + 1)...] {
        if b.center.x - a.center.x > a.reach + widest { break }
        guard (a.center - b.center).length < a.reach + b.reach else { continue }
        near += 1
        let depth = -a.silhouette.gap(to: b.silhouette)
        guard depth > 0 else { continue }
        depths.append(depth)
        deepest = max(deepest, depth)
      }
    }
    worst = max(worst, deepest)
    let atWalls = placed.map { -$0.silhouette.gap(to: .inside(room)) }.max() ?? 0
    worstAtWalls = max(worstAtWalls, atWalls)
    frameMaxima.append(max(deepest, atWalls))
    escaped = max(escaped, placed.count { !room.contains($0.center) })
  }

  /// Mean over the frames of the deepest overlap in each, walls included.
  var meanOfFrameMaxima: Double { frameMaxima.reduce(0, +) / Double(max(frameMaxima.count, 1)) }

  /// The depth that 99 of a hundred overlapping pairs don't reach.
  var percentile99: Double {
    depths.isEmpty ? 0 : depths.sorted()[min(depths.count - 1, depths.count * 99 / 100)]
  }
}
