/// Area and moments of a core grown by a radius, about the origin.
struct RoundedMeasures {
  /// In pt².
  private(set) var area: Float = 0
  /// ∫ r dA over the shape, in pt³: the area times its centre.
  private(set) var moment = Vector2.zero
  /// ∫ r² dA over the shape, in pt⁴.
  private(set) var inertia: Float = 0

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

  /// A core wherever it lies. What lies beside the origin, as one of several shapes of a body may,
  /// is measured about its own middle and moved (Huygens and Steiner), because about the origin
  /// what is small would be the difference of what is large.
  init(core: ConvexCore, radius: Float) {
    assert(core.count > 0 && radius >= 0)
    let middle = core.count > 2 && core.holdsOrigin ? Vector2.zero : core.middle
    if core.count > 2 {
      self.init()
      addPolygon(core, about: middle)
      if radius > 0 { addRim(core, radius, about: middle) }
    } else {
      self.init(box: Vector2((core[1] - core[0]).length * 0.5, 0), radius: radius)
    }
    inertia = inertia + 2 * middle.dot(moment) + area * middle.lengthSquared
    moment += middle * area
  }

  private init() {}

  /// The triangles between a point and the sides.
  private mutating func addPolygon(_ core: ConvexCore, about middle: Vector2) {
    for i in 0..<core.count {
      let (a, b) = (core.edge(i).0 - middle, core.edge(i).1 - middle)
      let double = a.cross(b)
      area += double * 0.5
      moment += (a + b) * (double / 6)
      inertia += double * (a.dot(a) + a.dot(b) + b.dot(b)) / 12
    }
  }

  /// What a radius adds: a strip an edge and a sector a corner. With the corner b, ∫ (b + u)² over
  /// its sector is area · (b² + r²/2) + 2·b·∫ u, and ∫ u is r³/3 of the difference of the two
  /// edges' directions.
  private mutating func addRim(_ core: ConvexCore, _ r: Float, about middle: Vector2) {
    for i in 0..<core.count {
      let (a, b) = (core.edge(i).0 - middle, core.edge(i).1 - middle)
      let next = (core.edge(i + 1 == core.count ? 0 : i + 1).1 - middle - b).normalized
      let length = (b - a).length
      assert(length > 0, "corners are apart")
      let along = (b - a) / length
      let strip = length * r
      let center = (a + b) * 0.5 + Vector2(along.y, -along.x) * (r * 0.5)
      area += strip
      moment += center * strip
      inertia += strip * ((length * length + r * r) / 12 + center.lengthSquared)
      let turn = DeterministicMath.arcTangent(y: along.cross(next), x: along.dot(next))
      let sector = turn * 0.5 * r * r
      let outward = (along - next) * (r * r * r / 3)
      area += sector
      moment += b * sector + outward
      inertia += sector * (b.lengthSquared + r * r * 0.5) + 2 * b.dot(outward)
    }
  }
}
