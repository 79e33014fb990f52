/// The memory of a world. `PhysicsWorld` is a value around it: before a change it makes sure that
/// nobody else holds the same storage.
///
/// A body has a *slot*, its name's number, which never changes, and a *row*, its place among the
/// bodies in the order of the grid's cells, which changes whenever neighbours are looked up again.
/// What the solver's loops read lies by row; the rest lies by slot.
final class WorldStorage: @unchecked Sendable {
  // Exclusive access is not tracked at run time here (an eighth of a step's instructions): the
  // storage is used by one owner at a time, and debug builds of the tests checked it with tracking.

  // MARK: The state, all of which a copy takes over
  @exclusivity(unchecked) var configuration: WorldConfiguration
  @exclusivity(unchecked) var state = WorldNumbers()
  @exclusivity(unchecked) var events = ContactEvents()
  /// Contacts that ended between steps: one of the two was removed, or put elsewhere and looked up.
  @exclusivity(unchecked) var pendingEnded: [ContactEvent] = []
  /// What sensors overlapped at the end of the last step, in order; state like what touches.
  @exclusivity(unchecked) var sensorOverlaps: [SensorEvent] = []
  @exclusivity(unchecked) var sensorEvents = SensorEvents()
  /// Joints that broke in the last step.
  @exclusivity(unchecked) var brokenJoints: [JointID] = []
  @exclusivity(unchecked) var slots = BodySlots()
  @exclusivity(unchecked) var shapeTable = InternTable(blank: BodyShape.blank)
  /// Properties without the caller's number, which lies in the slot.
  @exclusivity(unchecked) var propertyTable = InternTable(blank: BodyProperties())
  @exclusivity(unchecked) var bodies = BodyRows()
  @exclusivity(unchecked) var edges = Table(capacity: 8, blank: EdgeRecord())
  @exclusivity(unchecked) var joints = Table(capacity: 8, blank: JointRecord())
  @exclusivity(unchecked) var neighbours = NeighbourList()
  @exclusivity(unchecked) var edgePairs = EdgePairList()

  // MARK: The same before the last lookup, which carries over what pairs remember
  @exclusivity(unchecked) var formerBodies = BodyRows()
  @exclusivity(unchecked) var formerNeighbours = NeighbourList()
  @exclusivity(unchecked) var formerEdgePairs = EdgePairList()

  // MARK: Scratch of a step
  @exclusivity(unchecked) var grid = Grid()
  @exclusivity(unchecked) var crowds = CrowdScratch()
  @exclusivity(unchecked) var mutedPairs = MutedPairs()
  @exclusivity(unchecked) var pairLists = PairLists()
  @exclusivity(unchecked) var contacts = Contacts()
  @exclusivity(unchecked) var batches = ContactBatches()
  @exclusivity(unchecked) var zone = FastZone()
  @exclusivity(unchecked) var waves = JointWaves()
  @exclusivity(unchecked) var welded = WeldedGroups()
  @exclusivity(unchecked) var integration = IntegrationScratch()
  @exclusivity(unchecked) var groups = GroupScratch()
  @exclusivity(unchecked) var eventChains = EventChains()
  /// Most pairs that a lookup may find.
  @exclusivity(unchecked) var mostPairs = PairCounts.any

  /// Memory that a restore reads into, so that a snapshot that breaks off leaves the world alone.
  @exclusivity(unchecked) var spare: WorldStorage?

  init(_ configuration: WorldConfiguration) {
    self.configuration = configuration
  }

  /// Length of a tick in seconds.
  @inline(__always)
  var stepLength: Float {
    configuration.ticksPerSecond == 120
      ? PhysicsWorld.tickLength * 0.5 : PhysicsWorld.tickLength
  }

  /// Another storage in the same state.
  func copy() -> WorldStorage {
    let other = WorldStorage(configuration)
    other.assign(self)
    return other
  }

  /// Becomes another world in the memory that is there, which grows where it is too small. What
  /// only a step uses is left out: the next one makes it anew.
  func assign(_ other: WorldStorage) {
    assert(other !== self, "nobody becomes himself")
    configuration = other.configuration
    reserve(slots: other.slots.records.capacity)
    state = other.state
    events.assign(other.events)
    pendingEnded.assign(other.pendingEnded)
    sensorOverlaps.assign(other.sensorOverlaps)
    sensorEvents.assign(other.sensorEvents)
    brokenJoints.assign(other.brokenJoints)
    slots.copy(other.slots)
    shapeTable.copy(other.shapeTable)
    propertyTable.copy(other.propertyTable)
    bodies.copy(other.bodies)
    edges.copy(other.edges)
    joints.copy(other.joints)
    neighbours.copy(other.neighbours)
    edgePairs.copy(other.edgePairs)
    forgetFormer()
    restIdleRow()
    state.splitIsStale = state.listsAreValid
    assert(rowsMatchSlots)
  }

  /// Forgets everything but the memory.
  func clear() {
    state = WorldNumbers()
    events.began.removeAll(keepingCapacity: true)
    events.ended.removeAll(keepingCapacity: true)
    events.sides.removeAll(keepingCapacity: true)
    pendingEnded.removeAll(keepingCapacity: true)
    sensorOverlaps.removeAll(keepingCapacity: true)
    sensorEvents.clear()
    brokenJoints.removeAll(keepingCapacity: true)
    (slots.count, slots.bodyCount) = (0, 0)
    shapeTable.clear()
    propertyTable.clear()
    bodies.rowCount = 0
    (edges.count, joints.count) = (0, 0)
    neighbours.clear()
    edgePairs.clear()
    forgetFormer()
  }

  /// Forgets what belongs to the life that the memory had before: the last lookup, and what was
  /// measured of the bodies for it.
  private func forgetFormer() {
    formerBodies.rowCount = 0
    formerNeighbours.clear()
    formerEdgePairs.clear()
    grid.radiiAreStale = true
  }

  @inline(__always)
  func shape(ofSlot slot: Int) -> BodyShape {
    assert(slots[slot].exists, "a free slot has no shape")
    return shapeTable[slots[slot].shape]
  }

  @inline(__always)
  func properties(ofSlot slot: Int) -> BodyProperties {
    assert(slots[slot].exists, "a free slot has no properties")
    return propertyTable[slots[slot].properties]
  }

  /// Makes room for bodies, and for the lanes past the last row that loops of four may touch.
  func reserve(slots count: Int) {
    slots.reserve(count)
    events.began.reserveCapacity(2 * slots.records.capacity)
    events.ended.reserveCapacity(2 * slots.records.capacity)
    let rows = count + 8
    bodies.reserve(rows)
    formerBodies.reserve(rows)
    integration.reserve(rows)
    groups.reserve(rows)
  }
}
