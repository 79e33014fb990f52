import Physics
import Wire

/// How a bot comes back after the server said that it ends: when it was told, and then, while
/// nobody is there, after waits that double, as a page does (`web/connection/waiting.js`).
struct BotReturn {
  /// Nanoseconds before the second attempt, and the longest wait.
  private static let first: UInt64 = 500_000_000
  private static let longest: UInt64 = 8_000_000_000

  /// When it was told.
  let told: UInt64
  /// When it is to try next.
  private(set) var next: UInt64
  /// Who it was.
  let person: UInt16
  private var failures = 0

  init(told: UInt64, afterMilliseconds delay: UInt16, person: UInt16) {
    self.told = told
    self.person = person
    next = told + UInt64(delay) * 1_000_000
  }

  /// An attempt found nobody, or was sent away.
  mutating func failed(now: UInt64, random: inout RandomGenerator) {
    let wait = min(Self.longest, Self.first << UInt64(min(failures, 10)))
    failures += 1
    next = now + wait / 2 + random.next() % (wait / 2)
  }
}
