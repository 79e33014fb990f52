/// What both ends know about one coordinate of one body, and where they expect it next.
///
/// A bank of eight candidates is blended, each weighted by the inverse fourth power of its recent
/// error. All numbers are in lattice steps and frames.
struct AxisPredictor {
  /// Where the body is.
  private(set) var position = 0.0
  /// Where it was a frame before.
  private(set) var before = 0.0
  /// How far the blend was off lately: a sum that forgets a quarter each frame.
  private(set) var noise = 1.0

  /// How far each candidate was off lately: sums that forget a fifth each frame.
  private var errors = SIMD8<Double>(repeating: 1)
  /// Four α-β filters: slow, quick, and the same two falling with gravity.
  private var level = SIMD4<Double>(repeating: 0)
  private var slope = SIMD4<Double>(repeating: 0)
  /// Frames each filter has averaged; 2 after a restart.
  private var age = SIMD4<Double>(repeating: 2)

  init() {}

  /// A coordinate that is at `position` and moves `velocity` a frame. `isCalm` says that the body
  /// does not move at all, which is likely to stay so.
  init(position: Double, velocity: Double, isCalm: Bool) {
    self.position = position
    before = position - velocity
    level = SIMD4(repeating: position)
    slope = SIMD4(repeating: velocity)
    if isCalm {
      noise = AxisPredictor.calm
      errors = AxisPredictor.calmErrors
    }
  }

  private static let calm = 0.1
  /// What lies still does not fall: the filters that fall with gravity must prove themselves first.
  private static let calmErrors = SIMD8<Double>(calm, calm, calm, calm, calm, calm, 4, 4)

  @inline(__always)
  var velocity: Double { position - before }

  /// Says what the last frame's move was, without touching anything else. For frames that bring
  /// position and velocity.
  mutating func setVelocity(_ velocity: Double) {
    assert(velocity.isFinite)
    before = position - velocity
  }

  /// Where the coordinate may be next: hold, linear with half of the neighbours' mean acceleration,
  /// half as fast, linear with all of it, and the filters.
  @inline(__always)
  func candidates(gravity: Double, acceleration: Double) -> SIMD8<Double> {
    let linear = position + velocity
    let simple = SIMD4(
      position, linear + 0.5 * acceleration, position + 0.5 * velocity, linear + acceleration)
    return SIMD8(lowHalf: simple, highHalf: level + slope + SIMD4(0, 0, gravity, gravity))
  }

  /// The candidates' mean, each weighted by 1 / (error + 0.15)⁴.
  @inline(__always)
  func blend(_ candidates: SIMD8<Double>) -> Double {
    let error = errors + 0.15
    let square = error * error
    let weight = 1 / (square * square)
    return position + sum(weight * (candidates - position)) / sum(weight)
  }

  /// Takes in where the coordinate really went: errors, filters, history. `step` is the widened
  /// step, in whose units a filter judges that the motion broke off and starts anew.
  @inline(__always)
  mutating func advance(
    to actual: Double, candidates: SIMD8<Double>, blend: Double, gravity: Double, step: Double
  ) {
    assert(actual.isFinite && blend.isFinite)
    let off = magnitude(actual - candidates)
    errors = errors * 0.8 + off
    noise = noise * 0.75 + abs(actual - blend)

    let expected = candidates.highHalf
    let miss = actual - expected
    let broken = negativeLanes(SIMD4(2.2, 1.6, 2.2, 1.6) * step - off.highHalf)
    age = age + 1
    let oldest = SIMD4<Double>(14, 4, 14, 4)
    age = select(oldest, age, negativeLanes(oldest - age))
    let share = 1 / (age * (age + 1))
    let alpha = (4 * age - 2) * share
    let beta = 6 * share
    let newLevel = expected + alpha * miss
    let newSlope = slope + SIMD4(0, 0, gravity, gravity) + beta * miss
    level = select(SIMD4(repeating: actual), newLevel, broken)
    slope = select(SIMD4(repeating: actual - position), newSlope, broken)
    age = select(SIMD4(repeating: 2), age, broken)

    before = position
    position = actual
  }
}
