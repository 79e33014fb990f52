// From the joints as they are kept to batches, at the start of a part of a tick, and back.

/// What a batch needs of one joint.
private struct JointStart {
  var a: Int32
  var b: Int32
  /// x and y of both arms.
  var arms = Lanes.zero
  /// From the first centre to the second, and how fast the world's anchor travels.
  var way = Lanes.zero
  /// The impulse, whether the joint is firm, and how far it is corrected in a sub-step.
  var push = Lanes.zero
  /// The relative angle, the limits, and the friction; of a rod or rope its length, and whether it
  /// is a rope.
  var turn = Lanes.zero
  /// What the rows of angles carry.
  var turnPush = Lanes.zero
  /// Whether the joint is a weld, whether it has limits, its motor's speed, and whether that yields
  /// to contacts.
  var kind = Lanes.zero
}

extension WorldStorage {
  /// Lists the joints that are solved in this part of a tick.
  func prepareJoints(_ h: Float) {
    guard joints.count > 0 else { return }
    waves.begin(rows: bodies.rowCount)
    waves.areAlone =
      contacts.onePoint.count + contacts.twoPoint.count + contacts.edges.count == 0 && !zone.isOn
      && !state.ledger.isOpen
    var (rigid, motors, springs) = (0, 0, 0)
    for place in 0..<joints.count where isActive(place) {
      let joint = joints.base + place
      let a = Int(slots[Int(joint.pointee.slotA)].row)
      let b = joint.pointee.slotB < 0 ? -1 : Int(slots[Int(joint.pointee.slotB)].row)
      waves.note(row: a)
      if b >= 0 { waves.note(row: b) }
      if joint.pointee.isSpring { springs += 1 } else { rigid += 1 }
      if joint.pointee.isDriven { motors += 1 }
      joint.pointee.isPressing = false
      guard joint.pointee.isHinge || joint.pointee.isRod else {
        waves.others.append(Int32(truncatingIfNeeded: place))
        continue
      }
      let entry = JointEntry(
        place: Int32(truncatingIfNeeded: place), a: Int32(truncatingIfNeeded: a),
        b: Int32(truncatingIfNeeded: b < 0 ? bodies.rowCount : b))
      if joint.pointee.isRod {
        waves.rods.joints.append(entry)
      } else if joint.pointee.holdsAngles {
        waves.turners.joints.append(entry)
      } else {
        waves.hinges.joints.append(entry)
      }
    }
    waves.deal(bodies, rigid: rigid)
    let isBounded = waves.sweeps > 1 && motors == 0 && state.demands.kinematic == 0
    waves.drive = isBounded ? driveOfAnchors : .infinity
    if motors > 0 { notePressingMotors() }
    waves.halved.count = 0
    if springs > 0 { prepareSprings(h) }
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    for i in 0..<waves.rods.count {
      let four = startOfFour(waves.rods.joints.base, waves.rods.lanes.base + 4 * i, h)
      fill(waves.rods.batches.base + i, four, motions)
    }
    for i in 0..<waves.hinges.count {
      let four = startOfFour(waves.hinges.joints.base, waves.hinges.lanes.base + 4 * i, h)
      fill(waves.hinges.batches.base + i, four, motions)
    }
    for i in 0..<waves.turners.count {
      let four = startOfFour(waves.turners.joints.base, waves.turners.lanes.base + 4 * i, h)
      fill(waves.turners.batches.base + i, four, motions)
      fill(waves.turns.base + i, four)
      waves.turns.base[i].settle(motions, waves.turners.batches.base[i])
    }
  }

  /// What anchors that travel may add to twice the energy of what joints move: all of it as fast as
  /// the fastest anchor, and a little where none does.
  private var driveOfAnchors: Float {
    var (fastest, mass): (Float, Float) = (30, 0)
    for place in 0..<joints.count where joints[place].exists {
      let speed = joints[place].anchorTravelVelocity.length
      fastest = speed > fastest ? speed : fastest
    }
    for k in 0..<waves.rows.count {
      let inverse = bodies.motions[2 * Int(waves.rows[k])].w
      if inverse > 0 { mass += 1 / inverse }
    }
    return mass * fastest * fastest
  }

  private typealias FourStarts = (JointStart, JointStart, JointStart, JointStart)

  @inline(__always)
  private func startOfFour(
    _ joints: UnsafeMutablePointer<JointEntry>, _ lanes: UnsafeMutablePointer<Int32>, _ h: Float
  ) -> FourStarts {
    (
      start(joints, lanes[0], h), start(joints, lanes[1], h), start(joints, lanes[2], h),
      start(joints, lanes[3], h)
    )
  }

  @inline(__always)
  private func start(
    _ entries: UnsafeMutablePointer<JointEntry>, _ lane: Int32, _ h: Float
  ) -> JointStart {
    let idle = Int32(truncatingIfNeeded: bodies.rowCount)
    guard lane >= 0 else { return JointStart(a: idle, b: idle) }
    let entry = entries[Int(lane)]
    let joint = joints.base + Int(entry.place)
    let pose = bodies.poses[Int(entry.a)]
    let rotation = Rotation(cosine: pose.z, sine: pose.w)
    let arm = joint.pointee.anchorA.rotated(by: rotation)
    var start = JointStart(a: entry.a, b: entry.b)
    var (other, otherArm) = (Vector2.zero, Vector2.zero)
    var turned = rotation.inverse
    if entry.b == idle {
      other = joint.pointee.anchorB + joint.pointee.anchorTravel
    } else {
      let pose = bodies.poses[Int(entry.b)]
      let rotation = Rotation(cosine: pose.z, sine: pose.w)
      other = Vector2(pose.x, pose.y)
      otherArm = joint.pointee.anchorB.rotated(by: rotation)
      turned = rotation * turned
    }
    let drift = joint.pointee.anchorTravelVelocity
    start.arms = Lanes(arm.x, arm.y, otherArm.x, otherArm.y)
    start.way = Lanes(other.x - pose.x, other.y - pose.y, drift.x, drift.y)
    let i = joint.pointee.impulses
    start.push = Lanes(i[0], i[1], joint.pointee.isBlocked ? 0 : 1, joint.pointee.reach * h)
    if joint.pointee.isRod {
      start.turn = Lanes(joint.pointee.length, joint.pointee.kind == .rope ? 1 : 0, 0, 0)
    }
    guard joint.pointee.holdsAngles else { return start }
    let angle = joint.pointee.counted((turned * Rotation(angle: -joint.pointee.angle)).angle)
    let strength =
      joint.pointee.isPressing
      ? strengthOfContacts(joint.pointee) : joint.pointee.frictionTorque
    start.turn = Lanes(angle, joint.pointee.lower, joint.pointee.upper, strength * h)
    start.turnPush = Lanes(i[2], i[3], i[4], i[5])
    start.kind = Lanes(
      joint.pointee.kind == .weld ? 1 : 0, joint.pointee.hasLimits ? 1 : 0,
      joint.pointee.motorSpeed, joint.pointee.isPressing ? 1 : 0)
    return start
  }

  @inline(__always)
  private func arms(_ four: FourStarts, _ motions: UnsafeMutableRawPointer) -> JointArms {
    let (p, q, r, s) = four
    var new = JointArms()
    new.a = IntLanes(p.a, q.a, r.a, s.a) &<< 5
    new.b = IntLanes(p.b, q.b, r.b, s.b) &<< 5
    new.inertiaA = loadInertias(motions, new.a)
    new.inertiaB = loadInertias(motions, new.b)
    (new.startAX, new.startAY, new.startBX, new.startBY) = transpose(p.arms, q.arms, r.arms, s.arms)
    (new.startX, new.startY, new.driftX, new.driftY) = transpose(p.way, q.way, r.way, s.way)
    return new
  }

  @inline(__always)
  private func fill(
    _ batch: UnsafeMutablePointer<HingeBatch>, _ four: FourStarts,
    _ motions: UnsafeMutableRawPointer
  ) {
    let (p, q, r, s) = four
    var new = HingeBatch(arms: arms(four, motions))
    (new.impulseX, new.impulseY, new.firm, new.correction) = transpose(
      p.push, q.push, r.push, s.push)
    _ = new.settle(motions, JointMotion(motions, new.arms), .zero, tolerance: 0)
    batch.pointee = new
  }

  @inline(__always)
  private func fill(
    _ batch: UnsafeMutablePointer<RodBatch>, _ four: FourStarts,
    _ motions: UnsafeMutableRawPointer
  ) {
    let (p, q, r, s) = four
    var new = RodBatch(arms: arms(four, motions))
    (new.impulse, _, new.firm, new.correction) = transpose(p.push, q.push, r.push, s.push)
    (new.length, new.isRope, _, _) = transpose(p.turn, q.turn, r.turn, s.turn)
    _ = new.settle(motions, JointMotion(motions, new.arms), .zero, tolerance: 0)
    batch.pointee = new
  }

  @inline(__always)
  private func fill(_ rows: UnsafeMutablePointer<TurnRows>, _ four: FourStarts) {
    let (p, q, r, s) = four
    var new = TurnRows()
    (new.startAngle, new.lower, new.upper, new.friction) = transpose(
      p.turn, q.turn, r.turn, s.turn)
    (new.weld, new.low, new.high, new.brake) = transpose(
      p.turnPush, q.turnPush, r.turnPush, s.turnPush)
    (new.isWeld, new.isLimited, new.motor, new.isPressing) = transpose(
      p.kind, q.kind, r.kind, s.kind)
    rows.pointee = new
  }

  /// After the last sub-step of a part: the joints keep what their batches carry.
  func rememberJoints() {
    guard joints.count > 0 else { return }
    remember(waves.rods) { joint, i, lane in
      assert(joint.pointee.isRod)
      joint.pointee.impulses = .zero
      joint.pointee.impulses[0] = waves.rods.batches.base[i].impulse[lane]
    }
    remember(waves.hinges) { joint, i, lane in
      assert(joint.pointee.isHinge && !joint.pointee.holdsAngles)
      let batch = waves.hinges.batches.base + i
      joint.pointee.impulses = .zero
      joint.pointee.impulses[0] = batch.pointee.impulseX[lane]
      joint.pointee.impulses[1] = batch.pointee.impulseY[lane]
    }
    remember(waves.turners) { joint, i, lane in
      assert(joint.pointee.isHinge && joint.pointee.holdsAngles)
      let (batch, turns) = (waves.turners.batches.base + i, waves.turns.base + i)
      joint.pointee.impulses = SIMD8(
        batch.pointee.impulseX[lane], batch.pointee.impulseY[lane], turns.pointee.weld[lane],
        turns.pointee.low[lane], turns.pointee.high[lane], turns.pointee.brake[lane], 0, 0)
      if joint.pointee.countsTurns { joint.pointee.noteAngle(turns.pointee.angle[lane]) }
    }
  }

  /// - Parameter keep: notes the impulses of the joint that is in a lane of a batch.
  @inline(__always)
  private func remember<Batch: JointBatch>(
    _ list: borrowing JointList<Batch>,
    _ keep: (_ joint: UnsafeMutablePointer<JointRecord>, _ batch: Int, _ lane: Int) -> Void
  ) {
    for i in 0..<list.count {
      let batch = list.batches.base + i
      for lane in 0..<4 where list.lanes[4 * i + lane] >= 0 {
        let joint = joints.base + Int(list.joints[Int(list.lanes[4 * i + lane])].place)
        assert(joint.pointee.exists)
        keep(joint, i, lane)
        joint.pointee.isBlocked = batch.pointee.firm[lane] == 0
        let most = JointSolver.largestPositionCorrection
        joint.pointee.reach =
          PhysicsWorld.positionCorrectionSpeed * (batch.pointee.correction[lane] / most)
        joint.pointee.anchorTravel += joint.pointee.anchorTravelVelocity * state.span
      }
    }
  }
}

extension JointRecord {
  /// Whether the joint holds two points together and nothing else but angles.
  var isHinge: Bool {
    switch kind {
    case .revolute: true
    case .weld: !isSpring
    case .distance: length < 0.01 && !isSpring
    case .rope, .prismatic: false
    }
  }

  /// Whether the joint holds two points at a length, or lets them no farther apart.
  var isRod: Bool { (kind == .distance || kind == .rope) && !isHinge && !isSpring }

  var holdsAngles: Bool {
    kind == .weld || (kind == .revolute && (hasLimits || frictionTorque > 0))
  }
}
