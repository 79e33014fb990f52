/// Scratch of a part of a tick: which joints are solved, and in which order.
///
/// Joints that hold two points together are solved four at a time, in `hinges` and, where angles
/// count as well, in `turners`; so are rods and ropes; sliders and springs one by one.
struct JointWaves: ~Copyable {
  /// Sweeps over all joints take about this many joints: 8 over 32 of them, 1 over more than 128.
  private static let mostVisits = 256
  /// So few joints are swept until they hold, so that what swings neither gains nor loses: chains
  /// of four gained 88 pt of height in 20 s with 8 sweeps, and 3 pt with 32.
  private static let exactlySwept = 24
  private static let mostSweeps = 32

  /// The joints that are solved one by one, by place.
  var others = Table(capacity: 8, blank: Int32(-1))
  var rods = JointList(blank: RodBatch())
  var hinges = JointList(blank: HingeBatch())
  var turners = JointList(blank: HingeBatch())
  /// What the joints of `turners` allow of angles.
  var turns = Buffer(capacity: 1, blank: TurnRows())
  /// Rows that the joints move, and what contacts have changed of their velocities since the
  /// sub-step's base.
  var rows = Table(capacity: 8, blank: Int32(-1))
  var shares = Buffer(capacity: 8, blank: Lanes.zero)
  /// The same rows' motions before a stage that may be taken back.
  var starts = Buffer(capacity: 8, blank: Lanes.zero)
  /// How often each stage of a sub-step goes over the rigid joints at most.
  var sweeps = 1
  /// How far apart, in points, the anchors of a joint may be before it is asked whether something
  /// is in its way. What is swept once seldom comes together at once even if nothing is.
  var tolerance: Float {
    sweeps > 1 ? JointSolver.tolerance : JointSolver.largestPositionCorrection
  }
  /// Whether nothing touches anything in this part of the tick.
  var areAlone = false
  /// What travelling anchors may add to twice the energy of what joints move; infinite where motors
  /// or bodies that move by themselves add to it, and where a single sweep can't diverge.
  var drive: Float = 0
  /// By row: the joints met so far, as the dealing has it.
  private var marks = Buffer(capacity: 72, blank: UInt64(0))
  /// By row: whether the body has a contact; known where motors ask.
  private var pressed = Buffer(capacity: 72, blank: false)

  /// By row: how stiff all springs of the body together are.
  var stiffness = Buffer(capacity: 72, blank: Float(0))
  /// The rows of bodies on springs about whose kicks forces are halved, and by row, whether it is
  /// one of them.
  var halved = Table(capacity: 8, blank: Int32(-1))
  var isHalved = Buffer(capacity: 72, blank: false)

  /// Begins to note how stiff the springs of so many rows are.
  mutating func forgetStiffness(rows count: Int) {
    halved.count = 0
    stiffness.reserve(count + 1)
    stiffness.base.update(repeating: 0, count: count + 1)
    isHalved.reserve(count + 1)
    isHalved.base.update(repeating: false, count: count + 1)
  }

  /// Begins a list of the joints of a world with so many rows.
  mutating func begin(rows count: Int) {
    (others.count, rods.joints.count, rows.count) = (0, 0, 0)
    (hinges.joints.count, turners.joints.count) = (0, 0)
    marks.reserve(count + 1)
    marks.base.update(repeating: 0, count: count + 1)
  }

  /// Notes that joints move a row.
  mutating func note(row: Int) {
    assert(row >= 0 && row < marks.capacity)
    guard marks[row] == 0 else { return }
    marks[row] = 1
    rows.append(Int32(truncatingIfNeeded: row))
  }

  /// Begins to note which of so many rows, and of the idle one, have contacts.
  mutating func forgetPressed(rows count: Int) {
    pressed.reserve(count + 1)
    pressed.base.update(repeating: false, count: count + 1)
  }

  func isPressed(row: Int) -> Bool { pressed[row] }

  func notePressed(row: Int) { pressed[row] = true }

  func notePressed(_ rows: ContactRows) {
    pressed[Int(rows.a)] = true
    pressed[Int(rows.b)] = true
  }

  /// Deals the listed joints out. `rigid` of them are swept.
  mutating func deal(_ bodies: borrowing BodyRows, rigid: Int) {
    shares.reserve(rows.count)
    starts.reserve(rows.count)
    let sweeps = Self.mostVisits / (rigid > 0 ? rigid : 1)
    self.sweeps = rigid <= Self.exactlySwept ? Self.mostSweeps : sweeps < 1 ? 1 : sweeps
    // Where impulses can't get through anyway, colours fill the lanes.
    rods.deal(&marks, bodies, keepsOrder: self.sweeps > 1)
    hinges.deal(&marks, bodies, keepsOrder: self.sweeps > 1)
    turners.deal(&marks, bodies, keepsOrder: self.sweeps > 1)
    turns.reserve(turners.batches.capacity)
  }
}

/// A joint of a list: its place and the rows of its two bodies, the idle row for the world.
struct JointEntry: BitwiseCopyable {
  var place: Int32
  var a: Int32
  var b: Int32
  var wave: Int32 = 0
}

/// Four joints of one sort that are solved side by side.
protocol JointBatch: BitwiseCopyable {
  var arms: JointArms { get set }
  /// How far the joints may be corrected in a sub-step, in points.
  var correction: Lanes { get set }
  /// 0 where a joint gives way to what is in its way, else 1.
  var firm: Lanes { get set }

  /// A joint that gives way carries nothing.
  mutating func forgetImpulse(of lane: Int)
}

/// Joints of one sort that are solved four at a time.
struct JointList<Batch: JointBatch>: ~Copyable {
  var joints = Table(capacity: 8, blank: JointEntry(place: -1, a: 0, b: 0))
  /// Which of the joints each lane holds, −1 for none.
  var lanes = Buffer(capacity: 8, blank: Int32(-1))
  var batches: Buffer<Batch>
  /// Batches in use.
  var count = 0
  /// By wave: its joints, then its next lane.
  private var waves = Buffer(capacity: 8, blank: Int32(0))

  init(blank: Batch) { batches = Buffer(capacity: 1, blank: blank) }

  /// Deals the joints out to waves in which nothing that moves occurs twice, and these to batches
  /// of four.
  ///
  /// With `keepsOrder` a joint comes into the first wave after those of all earlier joints of its
  /// bodies. A sweep then is the same as one over the joints one by one, so that an impulse goes
  /// through a whole chain in one sweep and back in the next; but a chain by itself leaves three
  /// lanes of four empty. Without it, a joint comes into the first wave that has neither body: a
  /// chain needs two waves, and an impulse gets past two joints in a sweep.
  mutating func deal(
    _ marks: inout Buffer<UInt64>, _ bodies: borrowing BodyRows, keepsOrder: Bool
  ) {
    marks.base.update(repeating: 0, count: bodies.rowCount + 1)
    waves.reserve(joints.count + 65)
    var (used, crowded): (Int, UInt64) = (0, 64)
    for k in 0..<joints.count {
      let (a, b) = (Int(joints[k].a), Int(joints[k].b))
      assert(a != b && a < bodies.rowCount && b <= bodies.rowCount)
      let movesA = bodies.motions[2 * a].w > 0
      let movesB = bodies.motions[2 * b].w > 0
      let (markA, markB) = (movesA ? marks[a] : 0, movesB ? marks[b] : 0)
      var wave: UInt64
      if keepsOrder {
        wave = markA > markB ? markA : markB
        if movesA { marks[a] = wave + 1 }
        if movesB { marks[b] = wave + 1 }
      } else {
        wave = UInt64((~(markA | markB)).trailingZeroBitCount)
        if wave == 64 {
          // A body with more joints than there are bits: these are alone in their waves.
          wave = crowded
          crowded += 1
        } else {
          if movesA { marks[a] |= 1 << wave }
          if movesB { marks[b] |= 1 << wave }
        }
      }
      let place = Int(wave)
      while used <= place {
        waves[used] = 0
        used += 1
      }
      waves[place] += 1
      joints.base[k].wave = Int32(place)
    }
    fillLanes(waves: used)
  }

  private mutating func fillLanes(waves used: Int) {
    var first: Int32 = 0
    for wave in 0..<used {
      let size = waves[wave]
      waves[wave] = first
      first += (size + 3) & ~3
    }
    count = Int(first) >> 2
    lanes.reserve(4 * count)
    lanes.base.update(repeating: -1, count: 4 * count)
    for k in 0..<joints.count {
      let wave = Int(joints[k].wave)
      lanes[Int(waves[wave])] = Int32(truncatingIfNeeded: k)
      waves[wave] += 1
    }
    batches.reserve(count)
    assert(4 * count >= joints.count, "there are lanes for all")
  }
}
