/// What the solver's loops read of the bodies, by row: a body's place in the order of the grid's
/// cells, which changes whenever neighbours are looked up.
///
/// Loops go by fours: behind the last row there is always room for them, and rows that nothing
/// happens to (`WorldStorage.restIdleRow`).
struct BodyRows: ~Copyable {
  /// Rows in use, those of removed bodies included until the next lookup.
  var rowCount = 0
  /// x, y, cosine, sine.
  var poses = Buffer(capacity: 72, blank: Lanes.zero)
  /// Two a row: velocity x, y, spin, inverse mass; then motion since the contacts were found x, y,
  /// turn, inverse inertia.
  var motions = Buffer(capacity: 144, blank: Lanes.zero)
  /// Half extents of the core, corner radius, bounding radius. Negative extents mark a core of its
  /// own, whose pairs are looked at one by one.
  var forms = Buffer(capacity: 72, blank: Lanes.zero)
  /// Square root of the friction, and restitution.
  var materials = Buffer(capacity: 72, blank: SIMD2<Float>.zero)
  /// Slot of the row, −1 when its body is gone.
  var slots = Buffer(capacity: 72, blank: Int32(-1))
  /// The circle that the body's path was to stay in when its neighbours were looked up: its middle
  /// and radius (`WorldStorage.computeSweeps`).
  var sweepMiddles = Buffer(capacity: 72, blank: SIMD2<Float>.zero)
  var sweepRadii = Buffer(capacity: 72, blank: Float(0))

  /// The extents that mark a core of its own: −1, and −2 where it is a point and touches in one.
  static func extents(ofCorners count: Int) -> Vector2 {
    count > 1 ? Vector2(-1, -1) : Vector2(discBeside, discBeside)
  }

  /// The extents of a disc beside its body's centre of mass.
  static let discBeside: Float = -2

  mutating func reserve(_ rows: Int) {
    poses.reserve(rows)
    motions.reserve(2 * rows)
    forms.reserve(rows)
    materials.reserve(rows)
    slots.reserve(rows)
    sweepMiddles.reserve(rows)
    sweepRadii.reserve(rows)
  }

  /// Becomes `count` rows of another memory in the order in which `places` names them.
  mutating func take(
    _ count: Int, of other: borrowing BodyRows, in places: UnsafeMutablePointer<Int32>
  ) {
    assert(count >= 0 && count <= other.rowCount, "nobody is there twice")
    rowCount = count
    for row in 0..<count {
      let place = Int(places[row])
      assert(place >= 0 && place < other.rowCount)
      poses[row] = other.poses[place]
      motions[2 * row] = other.motions[2 * place]
      motions[2 * row + 1] = other.motions[2 * place + 1]
      forms[row] = other.forms[place]
      materials[row] = other.materials[place]
      slots[row] = other.slots[place]
      sweepMiddles[row] = other.sweepMiddles[place]
      sweepRadii[row] = other.sweepRadii[place]
    }
  }

  mutating func copy(_ other: borrowing BodyRows) {
    rowCount = other.rowCount
    poses.copy(other.poses, count: rowCount)
    motions.copy(other.motions, count: 2 * rowCount)
    forms.copy(other.forms, count: rowCount)
    materials.copy(other.materials, count: rowCount)
    slots.copy(other.slots, count: rowCount)
    sweepMiddles.copy(other.sweepMiddles, count: rowCount)
    sweepRadii.copy(other.sweepRadii, count: rowCount)
  }
}
