/// How the sweeps over a list of joints go on, by how their largest error shrinks.
///
/// They go to and fro, so that an impulse gets through a chain either way. Where that converges
/// slowly, as in chains of light links with something heavy at their end, the later ones are
/// over-relaxed: each joint but sliders corrects more than its own error, by what its neighbours
/// will undo of it (successive over-relaxation, D. M. Young, 1954). With errors that shrink by ρ a
/// sweep the best factor is 2 / (1 + √(1 − ρ)), for sweeps that go one way.
struct SweepProgress {
  /// Sweeps that come before any that is over-relaxed: what converges at all well is done by then.
  private static let patience = 5
  /// What shrinks faster than this in a sweep converges well.
  private static let slow: Float = 0.3
  /// The slowest rate that is believed: errors that grow for a while say nothing about the best
  /// factor, which comes to 1.7 at most with it. With 0.99, a factor of 1.8, a chain of ten with a
  /// ball of twelve links' mass gained 52 pt of height in 16 s, where it gained 29.
  private static let slowest: Float = 0.97
  /// By how many points corrections may grow from sweep to sweep before these are given up.
  private static let grown: Float = 0.5

  /// How much more than its own error each joint corrects.
  private(set) var relaxation: Float = 1
  private(set) var goesBack = false
  private let mayRelax: Bool
  private var count = 0
  private var (first, last): (Float, Float) = (0, 0)

  /// - Parameter sweeps: how many there may be; a few leave over-relaxation no time to pay.
  init(of sweeps: Int) {
    assert(sweeps > 0)
    mayRelax = sweeps > 2 * Self.patience
  }

  /// Takes notice of the largest error that a sweep has met.
  mutating func note(_ error: Float) {
    assert(!(error < 0), "an error is a size")
    if count == 0 { first = error }
    if count == Self.patience && mayRelax && error > Self.slow * last {
      let rate = error < Self.slowest * last ? error / last : Self.slowest
      relaxation = 2 / (1 + (1 - rate).squareRoot())
      assert(relaxation > 1 && relaxation < 2, "beyond 2 nothing converges")
    }
    last = error
    count += 1
    goesBack = relaxation == 1 && count & 1 == 1
  }

  /// Whether corrections have grown so much that going on would throw the bodies.
  var isDiverging: Bool { last > first + 4 * Self.grown }

  /// Whether the last sweep met errors that are hardly larger than those of the first one.
  var hasHeld: Bool { last <= first + Self.grown }
}
