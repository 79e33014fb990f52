/// Keeps attachments together around the solver's tick.
///
/// Before the tick it finds the impulses after which, with the forces known, every attachment's
/// places fit at the tick's end; after the tick it takes away the velocities that would part them.
/// Together that is the RATTLE scheme (H. C. Andersen 1983), which neither gains nor loses energy:
/// a pendulum keeps its height. Springs get the kick and the force of their exact motion. What
/// contacts add during a tick is answered in the next.
///
/// Why not the solver's joints, which follow the same scheme within sub-steps: these ties hold an
/// item to a finger at up to 6000 pt/s (a joint's anchor travels at most 2000 pt/s and is then
/// mended), count a pin's full turns, and know when to give way to what is in an item's way. The
/// price: a contact in a tick moves the item off its rod until the next one.
struct AttachmentSolver: Equatable, Sendable {
  var bodies: [TiedBody] = []
  var ties: [Tie] = []

  /// More ties need more sweeps until an impulse has gone through a chain.
  private var sweeps: Int { 16 + (ties.count < 48 ? 2 * ties.count : 96) }

  /// Corrections below this many points (or radians × 100) are done.
  private static let exact: Float = 0.0005

  mutating func clear() {
    bodies.removeAll(keepingCapacity: true)
    ties.removeAll(keepingCapacity: true)
  }

  /// Springs and friction first, then the rigid places.
  mutating func solvePlaces() {
    for i in 0..<ties.count {
      assert(Int(ties[i].a) < bodies.count && Int(ties[i].b) < bodies.count)
      ties[i].begin(bodies)
      if ties[i].isSpring { ties[i].spring(&bodies) } else { ties[i].friction(&bodies) }
    }
    for i in 0..<bodies.count { bodies[i].predict() }
    for _ in 0..<sweeps {
      var largest: Float = 0
      for i in 0..<ties.count where !ties[i].isSpring {
        let error = ties[i].correctPlace(&bodies)
        assert(!(error < 0), "an error is a size")
        largest = error > largest ? error : largest
      }
      if largest < Self.exact { break }
    }
  }

  mutating func solveVelocities() {
    for _ in 0..<sweeps {
      var largest: Float = 0
      for i in 0..<ties.count where !ties[i].isSpring {
        let error = ties[i].correctVelocity(&bodies)
        assert(!(error < 0), "an error is a size")
        largest = error > largest ? error : largest
      }
      if largest < 0.01 { break }
    }
  }
}

/// A body as the ties see it: where it is, where it will be, how it moves.
struct TiedBody: Equatable, Sendable {
  /// The item's slot.
  var item: UInt16
  var inverseMass: Float
  var inverseInertia: Float
  var position: Vector2
  var rotation: Rotation
  var velocity: Vector2
  var spin: Float
  /// Acceleration by the forces known for the tick.
  var acceleration: Vector2
  var spinning: Float
  /// Force and torque that springs add.
  var force = Vector2.zero
  var torque: Float = 0
  /// Where the tick will leave it.
  var nextPosition = Vector2.zero
  var nextRotation = Rotation.identity
  var turned: Float = 0
  /// Whether a tie drags it after a jump, and how it moved in the tick for that.
  var isDragged = false
  var moved = Vector2.zero
  var movedSpin: Float = 0

  mutating func predict() {
    let h = PhysicsWorld.tickLength
    let share = Steering.share * h * h
    nextPosition = position + velocity * h + acceleration * share
    turned = spin * h + spinning * share
    nextRotation = Rotation(angle: turned) * rotation
  }

  mutating func push(_ impulse: Vector2, _ arm: Vector2) {
    velocity += impulse * inverseMass
    spin += arm.cross(impulse) * inverseInertia
  }

  mutating func pull(_ force: Vector2, _ arm: Vector2) {
    self.force += force
    torque += arm.cross(force)
    acceleration += force * inverseMass
    spinning += arm.cross(force) * inverseInertia
  }

  func velocity(at arm: Vector2) -> Vector2 { velocity + arm.perpendicular * spin }
}
