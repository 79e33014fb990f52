// From the joints as they are kept to batches, at the start of a part of a tick, and back.

/// What a batch needs of one joint.
private struct HingeStart {
  var a: Int32
  var b: Int32
  /// x and y of both arms.
  var arms = Lanes.zero
  /// From the first centre to the second, and how fast the world's anchor travels.
  var way = Lanes.zero
  /// The impulse, whether the joint is firm, and how far it is corrected in a sub-step.
  var push = Lanes.zero
  /// The relative angle, the limits, and the friction.
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
      guard joint.pointee.isHinge else {
        waves.others.append(Int32(truncatingIfNeeded: place))
        continue
      }
      let entry = HingeEntry(
        place: Int32(truncatingIfNeeded: place), a: Int32(truncatingIfNeeded: a),
        b: Int32(truncatingIfNeeded: b < 0 ? bodies.rowCount : b))
      if joint.pointee.holdsAngles {
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

  private typealias FourStarts = (HingeStart, HingeStart, HingeStart, HingeStart)

  @inline(__always)
  private func startOfFour(
    _ joints: UnsafeMutablePointer<HingeEntry>, _ lanes: UnsafeMutablePointer<Int32>, _ h: Float
  ) -> FourStarts {
    (
      start(joints, lanes[0], h), start(joints, lanes[1], h), start(joints, lanes[2], h),
      start(joints, lanes[3], h)
    )
  }

  @inline(__always)
  private func start(
    _ entries: UnsafeMutablePointer<HingeEntry>, _ lane: Int32, _ h: Float
  ) -> HingeStart {
    let idle = Int32(truncatingIfNeeded: bodies.rowCount)
    guard lane >= 0 else { return HingeStart(a: idle, b: idle) }
    let entry = entries[Int(lane)]
    let joint = joints.base + Int(entry.place)
    let pose = bodies.poses[Int(entry.a)]
    let rotation = Rotation(cosine: pose.z, sine: pose.w)
    let arm = joint.pointee.anchorA.rotated(by: rotation)
    var start = HingeStart(a: entry.a, b: entry.b)
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
  private func fill(
    _ batch: UnsafeMutablePointer<HingeBatch>, _ four: FourStarts,
    _ motions: UnsafeMutableRawPointer
  ) {
    let (p, q, r, s) = four
    var new = HingeBatch()
    new.a = IntLanes(p.a, q.a, r.a, s.a) &<< 5
    new.b = IntLanes(p.b, q.b, r.b, s.b) &<< 5
    new.inertiaA = loadInertias(motions, new.a)
    new.inertiaB = loadInertias(motions, new.b)
    (new.startArmAX, new.startArmAY, new.startArmBX, new.startArmBY) = transpose(
      p.arms, q.arms, r.arms, s.arms)
    (new.startX, new.startY, new.driftX, new.driftY) = transpose(p.way, q.way, r.way, s.way)
    (new.impulseX, new.impulseY, new.firm, new.correction) = transpose(
      p.push, q.push, r.push, s.push)
    _ = new.settle(motions, HingeMotion(motions, new), .zero, tolerance: 0)
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
    remember(
      waves.hinges.joints.base, waves.hinges.lanes.base, waves.hinges.batches.base, nil,
      waves.hinges.count)
    remember(
      waves.turners.joints.base, waves.turners.lanes.base, waves.turners.batches.base,
      waves.turns.base, waves.turners.count)
  }

  private func remember(
    _ entries: UnsafeMutablePointer<HingeEntry>, _ lanes: UnsafeMutablePointer<Int32>,
    _ batches: UnsafeMutablePointer<HingeBatch>, _ turns: UnsafeMutablePointer<TurnRows>?,
    _ count: Int
  ) {
    for i in 0..<count {
      let batch = batches + i
      for lane in 0..<4 where lanes[4 * i + lane] >= 0 {
        let joint = joints.base + Int(entries[Int(lanes[4 * i + lane])].place)
        assert(joint.pointee.exists && joint.pointee.isHinge)
        var impulses = SIMD8<Float>.zero
        impulses[0] = batch.pointee.impulseX[lane]
        impulses[1] = batch.pointee.impulseY[lane]
        if let turns {
          impulses[2] = turns[i].weld[lane]
          impulses[3] = turns[i].low[lane]
          impulses[4] = turns[i].high[lane]
          impulses[5] = turns[i].brake[lane]
          if joint.pointee.countsTurns { joint.pointee.noteAngle(turns[i].angle[lane]) }
        }
        joint.pointee.impulses = impulses
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

  var holdsAngles: Bool {
    kind == .weld || (kind == .revolute && (hasLimits || frictionTorque > 0))
  }
}
