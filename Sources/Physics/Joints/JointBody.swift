/// One of a joint's two bodies during a sub-step; the world has no mass.
struct JointBody {
  let row: Int
  var velocity = Vector2.zero
  var spin: Float = 0
  var inverseMass: Float = 0
  var inverseInertia: Float = 0
  var position = Vector2.zero
  var rotation = Rotation.identity
  /// From the centre to the anchor.
  var arm = Vector2.zero

  /// The world, held at a point that moves at a velocity.
  init(worldPoint: Vector2, velocity: Vector2) {
    row = -1
    position = worldPoint
    self.velocity = velocity
  }

  /// A body as it is now, from storage that is borrowed, so that nobody counts references to it.
  /// - Parameter turns: whether its rotation is asked for though its anchor is its centre.
  init(_ world: borrowing WorldStorage, slot: Int, anchor: Vector2, turns: Bool) {
    row = Int(world.slots[slot].row)
    assert(row >= 0 && row < world.bodies.rowCount, "a joint goes with its bodies")
    let pose = world.bodies.poses[row]
    let v = world.bodies.motions[2 * row]
    let moved = world.bodies.motions[2 * row + 1]
    velocity = Vector2(v.x, v.y)
    spin = v.z
    inverseMass = v.w
    inverseInertia = moved.w
    position = Vector2(pose.x + moved.x, pose.y + moved.y)
    guard turns || anchor != .zero else { return }
    rotation = Rotation(angle: moved.z) * Rotation(cosine: pose.z, sine: pose.w)
    arm = anchor.rotated(by: rotation)
  }

  var anchor: Vector2 { position + arm }

  /// Where the anchor will be after `h` seconds at this velocity.
  func anchor(after h: Float) -> Vector2 {
    let place = position + velocity * h
    return arm == .zero ? place : place + arm.rotated(by: Rotation(angle: spin * h))
  }

  mutating func push(_ impulse: Vector2, at arm: Vector2) {
    velocity += impulse * inverseMass
    spin += arm.cross(impulse) * inverseInertia
  }

  mutating func turn(_ impulse: Float) { spin += impulse * inverseInertia }

  /// Clamps velocities to the world's limits; joints that would exceed them pull less.
  mutating func keepLimits() {
    let (top, turn) = (PhysicsWorld.speedLimit, PhysicsWorld.spinLimit)
    let squared = velocity.lengthSquared
    if squared > top * top { velocity *= top / squared.squareRoot() }
    spin = spin > turn ? turn : spin < -turn ? -turn : spin
  }

  mutating func takeBack(_ change: Lanes) {
    velocity -= Vector2(change.x, change.y)
    spin -= change.z
  }

  /// Writes the velocity back.
  func store(_ world: borrowing WorldStorage) {
    guard row >= 0 else { return }
    assert(row < world.bodies.rowCount)
    let old = world.bodies.motions[2 * row]
    world.bodies.motions[2 * row] = Lanes(velocity.x, velocity.y, spin, old.w)
  }
}
