import Transport

/// When those come back who are told that the server ends: spread over as much time as the next one
/// needs to let all of them in. It is taken to have the same limits.
struct ReturnWindow: Equatable, Sendable {
  /// Milliseconds before the first one: about what a process needs to end, and another one to
  /// start.
  static let earliest = 500
  /// Milliseconds over which even a few are spread.
  static let shortest = 1000
  /// Milliseconds over which the most are spread: what 4000 with TLS take on one thread, which does
  /// 250 handshakes a second. Who is refused after all comes again later.
  static let longest = 16_000
  /// People whom a network thread can let in in a second: the upgrade, the hello, the welcome and a
  /// world take it about half a millisecond each, and it is to fan out beside that.
  private static let joinsPerSecond = 1000

  let milliseconds: Int

  /// - Parameters:
  ///   - people: how many come back.
  ///   - threads: network threads, over which the kernel spreads them by chance.
  ///   - isSecure: whether each of them needs a TLS handshake.
  init(people: Int, limits: Limits, traffic: TrafficLimits, threads: Int, isSecure: Bool) {
    var pace = min(Self.joinsPerSecond, traffic.connectionsPerSecond)
    if isSecure { pace = min(pace, traffic.handshakesPerSecond) }
    // A fifth of it stays for chance and for newcomers.
    let all = people * 1000 * 5 / (pace * threads * 4)
    // All of them may be behind one address, as far as one may have connections.
    let crowd = min(people, limits.connectionsPerAddress)
    let hellos =
      max(0, crowd - limits.helloBurstPerAddress) * 1000 / limits.hellosPerSecondPerAddress
    let arrivals =
      max(0, crowd - traffic.connectionsBurstPerAddress) * 1000
      / traffic.connectionsPerSecondPerAddress
    milliseconds = min(max(all, hellos, arrivals, Self.shortest), Self.longest)
  }

  /// When the next one comes, in milliseconds from now.
  /// - Parameters:
  ///   - place: how many of this thread were told before.
  ///   - count: how many of this thread will be told.
  func delay(place: Int, of count: Int, thread: Int, of threads: Int) -> UInt16 {
    let (place, places) = (place % max(1, count) * threads + thread, max(1, count) * threads)
    return UInt16(clamping: Self.earliest + milliseconds * place / places)
  }
}
