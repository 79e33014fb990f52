import Physics

/// Waits between attempts to connect, in milliseconds. When a server goes, everybody loses it in
/// the same moment, so first attempts are spread over three seconds; later waits double.
struct Waits {
  /// Within these falls the first attempt.
  private static let spread = 3000.0
  /// Before the second attempt, and the longest.
  private static let first = 500.0
  private static let longest = 8000.0

  private var failures = 0
  private var random: RandomGenerator

  init(seed: UInt64) { random = RandomGenerator(seed: seed) }

  /// The next wait: at first any part of the spread, then between half of the doubled time and all
  /// of it.
  mutating func next() -> Double {
    defer { failures += 1 }
    let share = Double(random.nextFloat())
    guard failures > 0 else { return Self.spread * share }
    let doubled = Self.first * Double(1 << min(failures - 1, 10))
    return min(Self.longest, doubled) * (0.5 + share / 2)
  }

  /// The server has named the first wait, in milliseconds.
  mutating func told(_ milliseconds: UInt16) -> Double {
    failures = 1
    return Double(milliseconds)
  }

  /// An attempt succeeded.
  mutating func reset() { failures = 0 }
}
