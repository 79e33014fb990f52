/// The memory of a world. `PhysicsWorld` is a value around it: before a change it makes sure that
/// nobody else holds the same storage.
///
/// A body has a *slot*, its name's number, which never changes, and a *row*, its place among the
/// bodies in the order of the grid's cells, which changes whenever neighbours are looked up again.
/// What the solver's loops read lies by row; the rest lies by slot.
final class WorldStorage: @unchecked Sendable {
  // Exclusive access is not tracked at run time here (an eighth of a step's instructions): the
  // storage is used by one owner at a time, and debug builds of the tests checked it with tracking.
  @exclusivity(unchecked) var configuration: WorldConfiguration
  @exclusivity(unchecked) var tick: UInt64 = 0
  @exclusivity(unchecked) var gravity = Vector2.zero
  @exclusivity(unchecked) var events = ContactEvents()
  /// Contacts that ended between steps, because one of the two was removed.
  @exclusivity(unchecked) var pendingEnded: [ContactEvent] = []

  /// Memory that a restore reads into, so that a snapshot that breaks off leaves the world alone.
  @exclusivity(unchecked) var spare: WorldStorage?

  // MARK: By slot
  @exclusivity(unchecked) var slotCount = 0
  @exclusivity(unchecked) var bodyCount = 0
  @exclusivity(unchecked) var slots = Buffer(capacity: 64, blank: SlotRecord())
  @exclusivity(unchecked) var shapeTable = InternTable(blank: Shape.blank)
  /// Properties without the caller's number, which lies in the slot.
  @exclusivity(unchecked) var propertyTable = InternTable(blank: BodyProperties())
  /// Force, torque for the next step; x, y, z.
  @exclusivity(unchecked) var forces = Buffer(capacity: 64, blank: Lanes.zero)
  @exclusivity(unchecked) var forcesAreSet = false

  // MARK: By row
  /// Rows in use, those of removed bodies included until the next lookup.
  @exclusivity(unchecked) var rowCount = 0
  /// x, y, cosine, sine.
  @exclusivity(unchecked) var poses = Buffer(capacity: 144, blank: Lanes.zero)
  /// Two a row: velocity x, y, spin, inverse mass; then motion since the contacts were found x, y,
  /// turn, inverse inertia.
  @exclusivity(unchecked) var motions = Buffer(capacity: 144, blank: Lanes.zero)
  /// Half extents of the core, corner radius, bounding radius. A negative extent marks a polygon.
  @exclusivity(unchecked) var forms = Buffer(capacity: 144, blank: Lanes.zero)
  /// Square root of the friction, and restitution.
  @exclusivity(unchecked) var materials = Buffer(capacity: 72, blank: SIMD2<Float>.zero)
  /// Slot of the row, −1 when its body is gone.
  @exclusivity(unchecked) var rowSlots = Buffer(capacity: 72, blank: Int32(-1))
  /// Where the body was when its neighbours were looked up.
  @exclusivity(unchecked) var origins = Buffer(capacity: 72, blank: SIMD2<Float>.zero)
  @exclusivity(unchecked) var spareLanes = Buffer(capacity: 144, blank: Lanes.zero)
  @exclusivity(unchecked) var sparePairs = Buffer(capacity: 72, blank: SIMD2<Float>.zero)
  @exclusivity(unchecked) var spareSlots = Buffer(capacity: 72, blank: Int32(-1))

  // MARK: Neighbours
  @exclusivity(unchecked) var grid = Grid()
  /// Cells of all classes together.
  @exclusivity(unchecked) var cellCount = 0
  /// Rows before the last sort, which the former lists name.
  @exclusivity(unchecked) var formerRowCount = 0
  @exclusivity(unchecked) var neighbours = NeighbourList()
  /// The list before, for the impulses to carry over.
  @exclusivity(unchecked) var formerNeighbours = NeighbourList()
  @exclusivity(unchecked) var listsAreValid = false
  /// Whether nothing has changed since `dropCaches`.
  @exclusivity(unchecked) var isCanonical = false
  /// How far anything has moved since the lookup, squared, and the fastest speed, squared.
  @exclusivity(unchecked) var largestMove: Float = 0
  @exclusivity(unchecked) var largestSpeed: Float = 1e30
  @exclusivity(unchecked) var pairLists = PairLists()

  // MARK: Boundaries
  @exclusivity(unchecked) var edges = Buffer(capacity: 8, blank: EdgeRecord())
  @exclusivity(unchecked) var edgeCount = 0
  /// How far the fastest body might get before the next lookup, when the edges were looked up.
  @exclusivity(unchecked) var listedSweep: Float = 0
  /// How far it gets in this part of the tick.
  @exclusivity(unchecked) var edgeSweep: Float = 0
  /// Length in seconds of the part of a tick that is being solved, and its number of sub-steps.
  @exclusivity(unchecked) var span: Float = 1 / 60
  @exclusivity(unchecked) var edgePairs = EdgePairList()
  @exclusivity(unchecked) var formerEdgePairs = EdgePairList()

  // MARK: Scratch of a step
  @exclusivity(unchecked) var records = ContactRecords()
  @exclusivity(unchecked) var batches = ContactBatches()
  @exclusivity(unchecked) var bases = Buffer(capacity: 72, blank: Lanes.zero)
  @exclusivity(unchecked) var drives = Buffer(capacity: 72, blank: Lanes.zero)
  @exclusivity(unchecked) var drags = Buffer(capacity: 72, blank: Lanes.zero)
  /// Bodies whose damping, gravity or filter differs from the default: the rest pays nothing.
  @exclusivity(unchecked) var dampedCount = 0
  @exclusivity(unchecked) var scaledCount = 0
  @exclusivity(unchecked) var filteredCount = 0
  @exclusivity(unchecked) var elasticCount = 0
  /// Bodies asleep, and joints whose bodies don't collide.
  @exclusivity(unchecked) var sleeperCount = 0
  @exclusivity(unchecked) var jointsThatMute = 0

  /// Bodies fell asleep or woke since the neighbours were dealt out.
  @exclusivity(unchecked) var splitIsStale = false
  /// Bodies whose numbers ran out, since the start: tests look that there are none.
  @exclusivity(unchecked) var lostBodies = 0
  /// The largest inverse mass or inertia that a restore met.
  @exclusivity(unchecked) var lightest: Float = 0
  /// Rows that are neither anchored nor asleep.
  @exclusivity(unchecked) var activeRows = 0
  @exclusivity(unchecked) var hasAnchoredRows = false
  /// Scratch of putting to sleep: parents of the groups' trees, shortest rest, last member.
  @exclusivity(unchecked) var groups = Buffer(capacity: 64, blank: Int32(0))
  @exclusivity(unchecked) var groupRests = Buffer(capacity: 64, blank: UInt8(0))
  @exclusivity(unchecked) var groupTails = Buffer(capacity: 64, blank: Int32(-1))

  // MARK: Joints
  @exclusivity(unchecked) var joints = Buffer(capacity: 8, blank: JointRecord())
  @exclusivity(unchecked) var jointCount = 0

  init(_ configuration: WorldConfiguration) {
    self.configuration = configuration
  }

  deinit {
    slots.free()
    shapeTable.free()
    propertyTable.free()
    forces.free()
    poses.free()
    motions.free()
    forms.free()
    materials.free()
    rowSlots.free()
    origins.free()
    spareLanes.free()
    sparePairs.free()
    spareSlots.free()
    grid.free()
    neighbours.free()
    formerNeighbours.free()
    pairLists.free()
    edges.free()
    joints.free()
    groups.free()
    groupRests.free()
    groupTails.free()
    edgePairs.free()
    formerEdgePairs.free()
    records.free()
    batches.free()
    bases.free()
    drives.free()
    drags.free()
  }

  /// Another storage in the same state. Scratch is not copied.
  func copy() -> WorldStorage {
    let other = WorldStorage(configuration)
    other.tick = tick
    other.gravity = gravity
    other.events = events
    other.pendingEnded = pendingEnded
    other.slotCount = slotCount
    other.bodyCount = bodyCount
    other.forcesAreSet = forcesAreSet
    other.rowCount = rowCount
    other.listsAreValid = listsAreValid
    other.sleeperCount = sleeperCount
    other.jointsThatMute = jointsThatMute
    other.jointCount = jointCount
    other.largestMove = largestMove
    other.largestSpeed = largestSpeed
    other.edgeCount = edgeCount
    other.listedSweep = listedSweep
    other.dampedCount = dampedCount
    other.scaledCount = scaledCount
    other.filteredCount = filteredCount
    other.elasticCount = elasticCount
    other.reserve(slots: slots.capacity)
    slots.write(into: &other.slots, count: slotCount)
    shapeTable.write(into: &other.shapeTable)
    propertyTable.write(into: &other.propertyTable)
    forces.write(into: &other.forces, count: slotCount)
    poses.write(into: &other.poses, count: rowCount)
    motions.write(into: &other.motions, count: 2 * rowCount)
    forms.write(into: &other.forms, count: rowCount)
    materials.write(into: &other.materials, count: rowCount)
    rowSlots.write(into: &other.rowSlots, count: rowCount)
    origins.write(into: &other.origins, count: rowCount)
    edges.write(into: &other.edges, count: edgeCount)
    joints.write(into: &other.joints, count: jointCount)
    neighbours.write(into: &other.neighbours)
    edgePairs.write(into: &other.edgePairs)
    other.restIdleRow()
    if other.listsAreValid { other.splitPairs() }
    return other
  }

  @inline(__always)
  func shape(ofSlot slot: Int) -> Shape { shapeTable[slots[slot].shape] }

  @inline(__always)
  func properties(ofSlot slot: Int) -> BodyProperties { propertyTable[slots[slot].properties] }

  /// Makes room for bodies, and for the lanes past the last row that loops of four may touch.
  func reserve(slots count: Int) {
    slots.reserve(count)
    forces.reserve(count)
    events.began.reserveCapacity(2 * slots.capacity)
    events.ended.reserveCapacity(2 * slots.capacity)
    let rows = count + 8
    // As large as the spare memory that they change places with.
    poses.reserve(2 * rows)
    motions.reserve(2 * rows)
    forms.reserve(2 * rows)
    materials.reserve(rows)
    rowSlots.reserve(rows)
    origins.reserve(rows)
    spareLanes.reserve(2 * rows)
    sparePairs.reserve(rows)
    spareSlots.reserve(rows)
    bases.reserve(rows)
    drives.reserve(rows)
    drags.reserve(rows)
  }
}

/// What a slot holds besides the body's shape and properties.
struct SlotRecord: BitwiseCopyable {
  /// The body's row, −1 for a free slot.
  var row: Int32 = -1
  var generation: UInt16 = 0
  var isAsleep = false
  /// Ticks at rest, as far as they count.
  var restTicks: UInt8 = 0
  /// Next body of the same sleeping group, round in a circle.
  var islandNext: UInt16 = 0
  /// Numbers of the body's shape and properties in the tables.
  var shape: UInt16 = 0
  var properties: UInt16 = 0
  /// The caller's own number.
  var userData: UInt32 = 0
  /// Set by a jump to another place: sides of boundaries are to be judged anew.
  var hasJumped = false

  var exists: Bool { row >= 0 }
}

extension Buffer {
  /// Copies the first `count` values into another buffer, which grows as needed.
  func write(into other: inout Buffer, count: Int) {
    other.reserve(count)
    other.base.update(from: base, count: count)
  }
}
