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
  /// How far the fastest body might get before the next lookup, when the edges were looked up.
  var listedSweep: Float = 0
  /// How far it gets in this part of the tick.
  var edgeSweep: Float = 0

  /// Whether something besides motion may have changed what sensors overlap since they were last
  /// looked at.
  var sensorsAreStale = true

  // MARK: Bodies
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
