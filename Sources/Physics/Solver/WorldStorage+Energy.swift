// What contacts may do to the energy of motion: take of it, never add. The sweeps of a pass descend
// to the velocities with the least energy that the contacts allow, so exact impulses cannot gain
// any. But a warm start repeats the last impulses where they don't fit any more, the bias pass
// pushes overlap apart, and two sweeps are too few to take all of that back where many bodies are
// jammed: let go, they would fly apart faster than they came. So energy is tracked, and where
// there is a gain, the sweeps go on.

extension WorldStorage {
  /// Most sweeps that are added to a sub-step.
  static let moreSweeps: Float = 16
  /// A gain below this share of the energy, with rounding in it, is none.
  static let noGain: Float = 1e-5

  /// Start tracking kinetic energy for this part of a tick, where a gain would persist. The
  /// neighbours must be known.
  ///
  /// A gain would persist where nothing drives the bodies, and between elastic ones. What piles do
  /// with the energy of gravity is far more, and more sweeps make them sway.
  func trackEnergy() {
    let floats = state.gravity == .zero && !state.forcesAreSet
    // What is kinematic gives as much as its contacts ask for.
    state.ledger = EnergyLedger(
      isOpen: (floats || everyoneMayStrike) && state.demands.kinematic == 0)
    if state.ledger.isOpen { weighRows() }
  }

  /// The masses and inertias of the rows and of the idle one past them; 0 for what nothing moves.
  private func weighRows() {
    assert(integration.masses.capacity > bodies.rowCount, "the idle row is weighed, too")
    for row in 0...bodies.rowCount { noteMass(ofRow: row) }
  }

  @inline(__always)
  func noteMass(ofRow row: Int) {
    let one = Lanes(repeating: 1)
    let (mass, inertia) = (bodies.motions[2 * row].w, bodies.motions[2 * row + 1].w)
    let inverse = Lanes(mass, mass, inertia, 0)
    let moves = inverse .> 0
    integration.masses[row] = select(moves, one / select(moves, inverse, one), .zero)
  }

  /// Energy that the rows have gained since they had the velocities in `integration.bases`.
  private var gainedEnergy: Float {
    let (motions, bases) = (bodies.motions.base, integration.bases.base)
    let masses = integration.masses.base
    var (even, odd) = (Lanes.zero, Lanes.zero)
    var row = 0
    while row < bodies.rowCount {
      let (v, w) = (motions[2 * row], motions[2 * row + 2])
      even += masses[row] * (v - bases[row]) * (v + bases[row])
      odd += masses[row + 1] * (w - bases[row + 1]) * (w + bases[row + 1])
      row &+= 2
    }
    return energy(even + odd)
  }

  private var baseEnergy: Float {
    let (masses, bases) = (integration.masses.base, integration.bases.base)
    var sum = Lanes.zero
    for row in 0..<bodies.rowCount { sum += masses[row] * bases[row] * bases[row] }
    return energy(sum)
  }

  @inline(__always)
  func energy(_ sum: Lanes) -> Float { 0.5 * (sum.x + sum.y + sum.z) }

  /// Runs a pass over the joints, which may give energy: springs do.
  @inline(__always)
  func trackJoints(_ pass: () -> Void) {
    guard state.ledger.isOpen && joints.count > 0 else { return pass() }
    let before = gainedEnergy
    pass()
    state.ledger.givenByOthers += gainedEnergy - before
  }

  /// Relaxes the contacts of a sub-step until they have taken energy, and tracks how much.
  func settleContacts(_ soft: Softness, _ edgeSoft: Softness) {
    guard state.ledger.isOpen else { return }
    let given = state.ledger.givenByOthers
    var gain = gainedEnergy - given
    if gain > 0 {
      let none = Self.noGain * baseEnergy
      // Where there are many contacts a sweep takes longer, so there are fewer sweeps; the energy
      // that they leave is small, because overlaps are pushed apart more slowly there.
      let share = shareOfUsual(rows: state.activeRows)
      var sweeps = Self.moreSweeps * share * share
      while gain > none && sweeps > 0 {
        passRelaxed(soft, edgeSoft)
        gain = gainedEnergy - given
        sweeps -= 1
      }
    }
    state.ledger.taken -= gain
    state.ledger.givenByOthers = 0
  }

  /// Gives the contacts that pressed and came fast their bounce, but no more energy with it than
  /// they have taken: where several bounce together, each takes the others' approach for its own.
  func applyRestitution() {
    guard state.ledger.isOpen else { return bounceContacts() }
    let (motions, bases) = (bodies.motions.base, integration.bases.base)
    for row in 0..<bodies.rowCount { bases[row] = motions[2 * row] }
    assert(state.ledger.givenByOthers == 0, "what others gave has been settled")
    bounceContacts()
    let gain = gainedEnergy
    guard gain > state.ledger.taken else { return }
    var square = Lanes.zero
    for row in 0..<bodies.rowCount {
      let change = motions[2 * row] - bases[row]
      square += integration.masses[row] * change * change
    }
    let share = bounceShare(
      gain: gain, square: energy(square), within: most(state.ledger.taken, 0))
    for row in 0..<bodies.rowCount {
      let change = motions[2 * row] - bases[row]
      motions[2 * row] = bases[row] + change * Lanes(share, share, share, 1)
    }
  }

  /// The share s of a bounce that gains `allowed`. With Δ for the change that gains `gain` when it
  /// is whole, the gain ½·mass·Δ²·s² + mass·v·Δ·s is a parabola; `square` is its ½·mass·Δ².
  func bounceShare(gain: Float, square: Float, within allowed: Float) -> Float {
    assert(allowed >= 0, "contacts may give what they have taken, never less than nothing")
    guard square > 0 else { return 1 }
    assert(state.isRestored || square.isFinite)
    let half = 0.5 * (gain - square)
    let share = ((half * half + square * allowed).squareRoot() - half) / square
    return share < 1 ? share : 1
  }
}

@inline(__always)
private func most(_ a: Float, _ b: Float) -> Float { a > b ? a : b }

/// What a part of a tick has done to the energy of motion, where that is watched.
struct EnergyLedger: BitwiseCopyable {
  /// Whether energy is tracked in this part.
  var isOpen = false
  /// What the contacts have taken in this part, in the unit ½·mass·speed².
  var taken: Float = 0
  /// What joints, and the contacts of a zone that has a ledger of its own, have given in this
  /// sub-step.
  var givenByOthers: Float = 0
}
