/// Area and second moment of a core grown by a radius, about the origin.
struct RoundedMeasures {
  let area: Float
  /// ∫ r² dA over the shape, in pt⁴.
  let inertia: Float

  /// A rectangle (or line, or point) of half extents `half`, grown by `radius`: the inner
  /// rectangle, four strips and four quarter discs, each with its own centre.
  init(box half: Vector2, radius r: Float) {
    let (a, b) = (half.x, half.y)
    let pi = DeterministicMath.pi
    let inner = 4 * a * b
    let innerMoment = inner * (a * a + b * b) / 3
    let beside = 4 * b * r
    let besideOff = a + r * 0.5
    let besideMoment = beside * ((4 * b * b + r * r) / 12 + besideOff * besideOff)
    let above = 4 * a * r
    let aboveOff = b + r * 0.5
    let aboveMoment = above * ((4 * a * a + r * r) / 12 + aboveOff * aboveOff)
    // Four quarter discs: ∫ (x + a)² + (y + b)² with ∫ x over a quarter = r³/3.
    let disc = pi * r * r
    let discMoment =
      disc * (r * r * 0.5 + a * a + b * b) + 8 * (a + b) * r * r * r / 3
    area = inner + beside + above + disc
    inertia = innerMoment + besideMoment + aboveMoment + discMoment
  }

  /// A polygon grown by `radius`. The rim is counted as a strip an edge and a sector a corner.
  init(core: ConvexCore, radius r: Float) {
    var area: Float = 0
    var inertia: Float = 0
    for i in 0..<core.count {
      let a = core[i]
      let b = core[i + 1 == core.count ? 0 : i + 1]
      let double = a.cross(b)
      area += double * 0.5
      inertia += double * (a.dot(a) + a.dot(b) + b.dot(b)) / 12
      if r > 0 {
        let edge = b - a
        let length = edge.length
        let normal = Vector2(edge.y / length, -edge.x / length)
        let strip = length * r
        let middle = (a + b) * 0.5 + normal * (r * 0.5)
        area += strip
        inertia += strip * ((length * length + r * r) / 12 + middle.lengthSquared)
        // Together the sectors make one disc; each is taken at its corner with its share of angle.
        let c = core[i + 2 >= core.count ? i + 2 - core.count : i + 2]
        let next = (c - b).normalized
        let along = edge / length
        let turn = DeterministicMath.arcTangent(y: along.cross(next), x: along.dot(next))
        let sector = turn * 0.5 * r * r
        area += sector
        inertia += sector * (b.lengthSquared + r * r * 0.5 + b.length * r * 1.3333334)
      }
    }
    self.area = area
    self.inertia = inertia
  }
}
