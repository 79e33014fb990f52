import Physics
import Wire

/// When to tell the server of a tilt: a changed one at most 30 times a second, an unchanged one
/// three times a second, because the server counts a tilt less and less from half a second on.
/// Times are milliseconds.
struct TiltPace {
  private static let shortest = 33.0
  private static let longest = 300.0
  /// A smaller change is a sensor's noise.
  private static let noise: Float = 0.004

  private var sentAt = -Double.infinity
  private var sent = PitVector(0, 1)

  /// Whether a tilt is to be sent now; it counts as sent then.
  mutating func isDue(_ tilt: PitVector, now: Double) -> Bool {
    let waited = now - sentAt
    let change = PitVector(tilt.x - sent.x, tilt.y - sent.y).length
    guard waited >= (change > Self.noise ? Self.shortest : Self.longest) else { return false }
    (sentAt, sent) = (now, tilt)
    return true
  }
}

/// When fingers' moves are sent: 60 times a second, which for three hands is all that the server
/// takes of a connection. Of several moves of a hand the last counts.
struct MovePace {
  private static let interval = 1000.0 / 60

  /// Where hands are now and the server has not been told, by slots: at most three, see
  /// `PitClient.mostHands`.
  private(set) var waiting: [(slot: UInt16, to: PitVector)] = []
  private var next = -Double.infinity

  /// Notes where a hand is. Of a fourth hand nothing is noted: the server gives nobody more.
  mutating func note(_ slot: UInt16, at point: PitVector) {
    if let index = waiting.firstIndex(where: { $0.slot == slot }) {
      waiting[index].to = point
    } else if waiting.count < PitClient.mostHands {
      waiting.append((slot, point))
    }
  }

  /// Takes what is waiting, if it is time.
  mutating func take(now: Double) -> [(slot: UInt16, to: PitVector)] {
    guard now >= next, !waiting.isEmpty else { return [] }
    // Counted from when it was due, so that a screen of 60 Hz that is a little late misses none.
    next = max(next, now - Self.interval) + Self.interval
    defer { waiting.removeAll(keepingCapacity: true) }
    return waiting
  }

  /// Takes what is waiting of one hand.
  mutating func take(_ slot: UInt16) -> PitVector? {
    guard let index = waiting.firstIndex(where: { $0.slot == slot }) else { return nil }
    return waiting.remove(at: index).to
  }

  mutating func removeAll() { waiting.removeAll() }
}

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
