// Bodies of several shapes. Each shape has a slot and a row of its own, and is looked up and
// collided like a body; the first one's slot names the body (its owner). All of them lie about the
// body's centre of mass, so that their rows have the same pose and the same velocity, and what a
// contact says of a shape's row holds for the owner's: contacts are found between shapes, and
// solved between owners (`nameOwners`). Only the owner's row is moved by the solve; the others are
// put where it is (`followOwners`). Worlds without such bodies pay nothing.

extension WorldStorage {
  /// Whether a slot is a body's, and not that of one of its further shapes.
  @inline(__always)
  func isBody(_ slot: Int) -> Bool { slots[slot].exists && owner(ofSlot: slot) == slot }

  /// Whether a slot's body has several shapes.
  @inline(__always)
  func isCompound(_ slot: Int) -> Bool { slots[slot].owner != SlotRecord.nobody }

  /// The slot that names a slot's body.
  @inline(__always)
  func owner(ofSlot slot: Int) -> Int {
    let owner = slots[slot].owner
    return owner == SlotRecord.nobody ? slot : Int(owner)
  }

  /// The row of a row's body, which the solver moves.
  func ownerRow(_ row: Int) -> Int {
    let slot = Int(bodies.slots[row])
    guard slot >= 0, isCompound(slot) else { return row }
    return Int(slots[owner(ofSlot: slot)].row)
  }

  func ownerRow(_ row: Int32) -> Int32 { Int32(truncatingIfNeeded: ownerRow(Int(row))) }

  /// Calls `action` for each shape's slot, the body's own first, then the others in their order.
  @inline(__always)
  func forEachShape(ofBody slot: Int, _ action: (Int) -> Void) {
    action(slot)
    guard isCompound(slot) else { return }
    assert(owner(ofSlot: slot) == slot, "a body is named by its first shape")
    for other in 0..<slots.count where other != slot && isShape(other, of: slot) { action(other) }
  }

  private func isShape(_ slot: Int, of body: Int) -> Bool {
    slots[slot].exists && Int(slots[slot].owner) == body
  }

  /// Whether any shape's row says yes.
  func anyShape(ofBody slot: Int, _ says: (Int) -> Bool) -> Bool {
    var found = false
    forEachShape(ofBody: slot) { found = found || says(Int(slots[$0].row)) }
    return found
  }

  /// Bodies that sleep, each once.
  var sleepingBodies: Int {
    guard state.furtherShapes > 0 else { return state.sleeperCount }
    var count = 0
    for slot in 0..<slots.count where isBody(slot) && slots[slot].isAsleep { count += 1 }
    return count
  }

  /// Area, rotational inertia by mass, and the radius about the centre of mass of a slot's body.
  func measures(
    ofSlot slot: Int, _ shape: BodyShape
  ) -> (area: Float, inertiaPerMass: Float, boundingRadius: Float) {
    guard isCompound(slot) else {
      return (shape.area, shape.inertiaPerMass, shape.boundingRadius)
    }
    var (area, inertia, radius): (Float, Float, Float) = (0, 0, 0)
    forEachShape(ofBody: owner(ofSlot: slot)) {
      let shape = self.shape(ofSlot: $0)
      area += shape.area
      inertia += shape.area * shape.inertiaPerMass
      radius = shape.boundingRadius > radius ? shape.boundingRadius : radius
    }
    assert(area > 0 && inertia > 0 && radius > 0)
    return (area, inertia / area, radius)
  }

  /// The middle of a row's shape: its body's centre of mass where it has one shape. A shape of
  /// several may lie on another side of a boundary than the centre of mass does.
  @inline(__always)
  func center(ofRow row: Int) -> Vector2 {
    state.furtherShapes > 0 ? middle(ofRow: row) : position(ofRow: row)
  }

  private func middle(ofRow row: Int) -> Vector2 {
    guard isCompound(Int(bodies.slots[row])) else { return position(ofRow: row) }
    return placedCore(row: row).middle
  }

  // MARK: Adding and removing

  func addFurtherShapes(of definition: BodyDefinition, to body: Int) {
    assert(slots[body].exists && !isCompound(body))
    slots[body].owner = UInt16(body)
    var other = definition
    for shape in definition.furtherShapes {
      other.shape = shape
      let slot = addShape(other)
      slots[slot].owner = UInt16(body)
      state.furtherShapes += 1
    }
    forEachShape(ofBody: body) { refresh($0) }
    follow(body)
  }

  /// Makes a body one of its first shape, whose mass is to be refreshed.
  func removeFurtherShapes(of body: Int) {
    guard isCompound(body) else { return }
    for slot in 0..<slots.count where slot != body && isShape(slot, of: body) {
      removeShape(slot: slot)
      slots[slot].owner = SlotRecord.nobody
      state.furtherShapes -= 1
    }
    slots[body].owner = SlotRecord.nobody
    assert(state.furtherShapes >= 0, "what goes had come")
  }

  func setShape(_ shape: CompoundShape, slot: Int) {
    setShape(shape.shapes[0], slot: slot)
    let place = position(ofRow: Int(slots[slot].row))
    let properties = fullProperties(ofSlot: slot)
    let definition = BodyDefinition(shape: shape, position: place, properties: properties)
    if !definition.furtherShapes.isEmpty { addFurtherShapes(of: definition, to: slot) }
  }

  // MARK: Steps

  /// Puts a body's further shapes where it is, after somebody has moved it.
  func follow(_ body: Int) {
    guard isCompound(body) else { return }
    let (row, hasJumped) = (Int(slots[body].row), slots[body].hasJumped)
    forEachShape(ofBody: body) {
      slots[$0].hasJumped = slots[$0].hasJumped || hasJumped
      take(Int(slots[$0].row), after: row)
    }
  }

  /// Puts all further shapes where their bodies are, and gives them their motion.
  func followOwners() {
    for row in 0..<bodies.rowCount {
      let owner = ownerRow(row)
      if owner != row { take(row, after: owner) }
    }
  }

  private func take(_ row: Int, after owner: Int) {
    bodies.poses[row] = bodies.poses[owner]
    bodies.motions[2 * row] = bodies.motions[2 * owner]
    bodies.motions[2 * row + 1] = bodies.motions[2 * owner + 1]
  }

  /// Gives the contacts that were found between shapes to their bodies, which have the same pose.
  func nameOwners() {
    for k in 0..<contacts.onePoint.count { nameOwners(&contacts.onePoint.rows.base[k]) }
    for k in 0..<contacts.twoPoint.count { nameOwners(&contacts.twoPoint.rows.base[k]) }
  }

  private func nameOwners(_ rows: inout ContactRows) {
    rows.a = ownerRow(rows.a)
    rows.b = ownerRow(rows.b)
    assert(rows.a != rows.b, "shapes of one body don't meet")
  }

  // MARK: Snapshots

  /// Checks what a snapshot said of shapes that belong together, and weighs them together.
  func restoreOwners() throws(PhysicsError) {
    let counts = groups.tails.base
    counts.update(repeating: 0, count: slots.count)
    for slot in 0..<slots.count where slots[slot].exists && isCompound(slot) {
      let owner = Int(slots[slot].owner)
      guard owner < slots.count, slots[owner].exists, Int(slots[owner].owner) == owner,
        slots[owner].properties == slots[slot].properties,
        slots[owner].isAsleep == slots[slot].isAsleep
      else { throw .malformedSnapshot }
      counts[owner] += 1
    }
    for slot in 0..<slots.count where slots[slot].exists && isCompound(slot) {
      let count = Int(counts[Int(slots[slot].owner)])
      guard count >= 2, count <= CompoundShape.mostShapes else { throw .malformedSnapshot }
      refresh(slot)
      weigh(Int(slots[slot].row))
    }
    followOwners()
  }

  /// Whether any body has several shapes, or was said to.
  var hasOwners: Bool {
    for slot in 0..<slots.count where slots[slot].exists && isCompound(slot) { return true }
    return false
  }

  /// Whether no two shapes of one body are neighbours.
  var shapesAreApart: Bool {
    for k in 0..<neighbours.count
    where ownerRow(neighbours.lower[k]) == ownerRow(neighbours.upper[k]) {
      return false
    }
    return true
  }

  /// Whether the shapes of a body sleep in one group. The groups must be circles.
  var shapesSleepTogether: Bool {
    let circles = groups.tails.base
    circles.update(repeating: -1, count: slots.count)
    for slot in 0..<slots.count where slots[slot].exists && slots[slot].isAsleep {
      var next = slot
      while circles[next] < 0 {
        circles[next] = Int32(slot)
        next = Int(slots[next].islandNext)
      }
    }
    for slot in 0..<slots.count where slots[slot].exists && isCompound(slot) {
      if circles[slot] != circles[owner(ofSlot: slot)] { return false }
    }
    return true
  }
}
