/// What a client that follows the log counts.
public struct FollowStatistics: Equatable, Sendable {
  /// Messages of records, and their bytes.
  public internal(set) var messages: UInt32 = 0
  public internal(set) var bytes: UInt32 = 0
  /// Snapshots that it began with or went on from.
  public internal(set) var snapshots: UInt32 = 0
  /// Times that its world was another one than the server's, and whether it is now.
  public internal(set) var diverged: UInt32 = 0
  public internal(set) var isDiverged = false
  /// The tick whose hash was another one last.
  public internal(set) var divergedTick: UInt32 = 0
  /// When it was last, in milliseconds.
  public internal(set) var lastDivergence = -1e9
  /// Rollbacks after which a sticker was seen to be elsewhere: by more than a tenth of a point.
  public private(set) var corrections: UInt32 = 0
  /// The largest of them, in points: ever, and since `startOfRecent`.
  public private(set) var largestCorrection: Float = 0
  public private(set) var recentCorrection: Float = 0
  private var startOfRecent = 0.0

  /// A smaller one is not seen.
  private static let smallest: Float = 0.1
  /// Milliseconds that count as recent.
  private static let recent = 2000.0

  /// What is no longer recent counts no more.
  mutating func forgetOldCorrection(now: Double) {
    if now - startOfRecent > Self.recent { (recentCorrection, startOfRecent) = (0, now) }
  }

  mutating func noteDivergence(in tick: UInt32, now: Double) {
    diverged &+= 1
    isDiverged = true
    lastDivergence = now
    divergedTick = tick
  }

  mutating func take(correction: Float, now: Double) {
    forgetOldCorrection(now: now)
    guard correction > Self.smallest else { return }
    corrections &+= 1
    if correction > largestCorrection { largestCorrection = correction }
    if correction > recentCorrection { recentCorrection = correction }
  }
}
