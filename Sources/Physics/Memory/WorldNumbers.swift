/// What a world knows in single numbers: copied as one, and forgotten as one.
struct WorldNumbers: BitwiseCopyable {
  var tick: UInt64 = 0
  var gravity = Vector2.zero
  /// Length in seconds of the part of a tick that is being solved.
  var span = PhysicsWorld.tickLength
  /// Length in seconds that neighbours are looked up for: a tick, or its part where that is short.
  var lookupSpan = PhysicsWorld.tickLength
  /// In how many parts the last tick was solved; 0 when nothing was to be done.
  var partsSolved = 0

  /// During a part of a tick.
  var ledger = EnergyLedger()

  // MARK: Neighbours
  /// Whether the lists of neighbours know all bodies and boundaries.
  var listsAreValid = false
  /// Whether bodies fell asleep or woke since the neighbours were dealt out by shapes.
  var splitIsStale = false
  /// Whether nothing has changed since `dropCaches`.
  var isCanonical = false
  /// The fastest speed, squared.
  var largestSpeed: Float = 1e30
  /// Pairs that the last lookup left out, because a body had more about it than it looks out for.
  var pairsLeftOut = 0
  /// Pieces of boundaries that have a material of their own.
  var edgesWithMaterial = 0
  /// During a step: what a body may gain within it, in pt/s.
  var hiddenSpeed: Float = 0
  /// The part of it with which joints bring bodies to where their anchors meet again.
  var correctionSpeed: Float = 0
  /// How far the fastest body might get before the next lookup, when the edges were looked up.
  var listedSweep: Float = 0
  /// How far it gets in this part of the tick.
  var edgeSweep: Float = 0

  /// Whether something besides motion may have changed what sensors overlap since they were last
  /// looked at.
  var sensorsAreStale = true

  // MARK: Bodies
  /// Shapes of bodies besides their first ones, each of which has a slot and a row.
  var furtherShapes = 0
  /// Whether any force or torque waits for the next step.
  var forcesAreSet = false
  var demands = BodyDemands()
  var sleeperCount = 0
  /// Rows that are neither anchored nor asleep.
  var activeRows = 0
  var hasAnchoredRows = false
  /// Every joint's place below this one is in use.
  var lowestFreeJoint = 0
  /// Joints whose bodies don't collide.
  var jointsThatMute = 0
  /// Joints that break under too much load.
  var jointsThatBreak = 0
  /// Bodies whose numbers ran out, since the start or the last restore.
  var lostBodies = 0
  /// Whether the state came from a snapshot, in which somebody may have forged numbers.
  var isRestored = false
  /// The largest inverse mass or inertia that a restore met.
  var lightest: Float = 0
}

/// How many bodies need more than the default's work: worlds without them don't pay for it.
struct BodyDemands: BitwiseCopyable {
  var damped = 0
  var scaled = 0
  var filtered = 0
  var elastic = 0
  var sensors = 0
  var kinematic = 0

  /// Counts a body that came, or (−1) that goes.
  @inline(__always)
  mutating func count(_ properties: BodyProperties, _ bodies: Int = 1) {
    damped += properties.isDamped ? bodies : 0
    scaled += properties.isScaled ? bodies : 0
    filtered += properties.isFiltered ? bodies : 0
    elastic += properties.isElastic ? bodies : 0
    sensors += properties.isSensor ? bodies : 0
    kinematic += properties.kind == .kinematic ? bodies : 0
    assert(damped >= 0 && scaled >= 0 && filtered >= 0 && elastic >= 0, "who goes had come")
  }
}

extension BodyProperties {
  /// Restitution from which on a body passes blows on.
  static let elastic: Float = 0.9

  var isElastic: Bool { restitution >= Self.elastic }
  var isScaled: Bool { gravityScale != 1 }
  var isDamped: Bool { linearDamping > 0 || angularDamping > 0 }
  /// Sensors are filtered out of all pairs.
  var isFiltered: Bool { collisionGroup != 1 || collisionMask != .max || isSensor }

  /// Whether the groups and masks let two bodies meet.
  func meets(_ other: BodyProperties) -> Bool {
    collisionGroup & other.collisionMask != 0 && other.collisionGroup & collisionMask != 0
  }
}
