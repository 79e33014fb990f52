import Physics

/// What many people's tilts make of gravity.
///
/// The mean of many tilts is nearly nothing, and stickers hover. So a mean of length r counts as if
/// it were √n times as long, which is by how much a crowd's mean is short of one person's tilt,
/// and bends to 1 at 1: r·√(n / (1 + (n − 1)·r²)), with n = 2·people − 1. For one person that is r.
/// What opposing people leave of each other's tilts points down where it is short, so that nothing
/// hovers between two who lean against each other, and falls at a third of its weight in a crowd.
///
/// What was tried, by the mean length of gravity and the share of ticks in which it is below a
/// tenth, where stickers hover. N people sway at random about a flat phone, 0.6 each way, forgotten
/// in 0.7 s:
///
///     N                                   1        2        5        20       100
///     plain mean                      .62  2%  .43  4%  .29  9%  .14 29%  .06 89%
///     mean·√N, no longer than 1       .62  2%  .59  2%  .60  2%  .59  2%  .53  3%
///     rms of all tilts, mean's way    .62  2%  .63  1%  .65  0%  .66  0%  .63  0%
///     bent, n = people                .62  2%  .53  2%  .50  2%  .48  2%  .44  4%
///     the same with a pull down       .62  2%  .53  2%  .51  1%  .50  2%  .46  1%
///     bent, n = 2·people − 1, pull    .62  2%  .58  1%  .57  1%  .57  1%  .60  0%
///
/// The same of real bots at a real server, whose tilts wander, by `/api/world` ten times a second:
///
///     plain mean                      .78  0%  .42 10%  .36  3%  .20 24%  .09 67%
///     bent, n = 2·people − 1, pull    .78  0%  .62  0%  .60  0%  .71  0%  .68  0%
///
/// The last one it is. A cap can't be undone, and the rms needs everybody's tilt; but a page that
/// foretells gravity has the log's gravity and the number of people, and must find the mean again.
/// No continuous rule is without a zero: this one has it at a short mean upwards, and not where two
/// people with arrow keys are all the time.
enum SharedTilt {
  /// Length of a tilt below which a crowd's is pulled down; less for few, none for one.
  private static let short: Float = 0.5
  /// Share of what a short tilt lacks that it is pulled down by. Below 1, so that no two means make
  /// the same gravity.
  private static let pull: Float = 0.75

  /// The gravity that people make together.
  /// - Parameters:
  ///   - mean: the weighted mean of their tilts, no longer than 1.
  ///   - people: the sum of their weights; at most 1 is one person.
  static func gravity(ofMean mean: Vector2, people: Float) -> Vector2 {
    guard people > 1 else { return mean }
    let crowd = 2 * people - 1
    var gravity = mean * (crowd / (1 + (crowd - 1) * mean.lengthSquared)).squareRoot()
    let (short, length) = (shortLength(crowd), gravity.length)
    if length < short { gravity.y += pull * (short - length) }
    assert(gravity.lengthSquared < 1.0001)
    return gravity
  }

  /// The mean that makes this gravity: `gravity(ofMean:people:)` undone.
  /// - Parameter gravity: longer than 1 counts as 1, in the same direction.
  static func mean(ofGravity gravity: Vector2, people: Float) -> Vector2 {
    guard people > 1 else { return gravity }
    let crowd = 2 * people - 1
    let length = gravity.length
    var bent = length > 1 ? gravity / length : gravity
    let short = shortLength(crowd)
    if length < short {
      // The tilt lacked d: |bent − (0, pull·d)| = short − d.
      let half = short - pull * gravity.y
      let rest = (1 - pull * pull) * (short * short - gravity.lengthSquared)
      let root = half * half - rest
      let lack = (half - (root > 0 ? root.squareRoot() : 0)) / (1 - pull * pull)
      bent.y -= pull * lack
    }
    let left = crowd - (crowd - 1) * bent.lengthSquared
    return bent / (left > 1 ? left : 1).squareRoot()
  }

  private static func shortLength(_ crowd: Float) -> Float { short * (1 - 1 / crowd) }
}
