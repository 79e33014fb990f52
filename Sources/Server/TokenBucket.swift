/// A rate limit that lets bursts through: it holds up to two seconds' worth of permits and regains
/// them with the ticks.
struct TokenBucket {
  /// Permits are counted in sixtieths, so that a tick regains exactly `perSecond` of them.
  private var sixtieths: Int
  private let perSecond: Int
  private var lastTick: UInt32

  init(perSecond: Int, tick: UInt32) {
    self.perSecond = perSecond
    sixtieths = 2 * perSecond * 60
    lastTick = tick
  }

  /// Takes one permit; false when none is left.
  mutating func take(at tick: UInt32) -> Bool {
    // Beyond two seconds the bucket is full anyway; the cap also keeps the product small.
    let elapsed = Int(min(tick &- lastTick, 120))
    lastTick = tick
    sixtieths = min(sixtieths + elapsed * perSecond, 2 * perSecond * 60)
    guard sixtieths >= 60 else { return false }
    sixtieths -= 60
    return true
  }
}
