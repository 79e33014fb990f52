import Wire

/// Which of the eight streams a world can afford, decided once, by the most bodies that it takes.
///
/// Every stream that somebody receives is encoded, and four of the eight have a frame at each tick.
/// So that eight clients can't make a large world's ticks too long, streams are offered in a fixed
/// order (strict 60, the other strict ones, the visual ones) as long as no tick encodes more bodies
/// than `Limits.encodedBodiesPerTick`. Who asks for another one gets the nearest.
struct StreamOffer: Sendable {
  private let isOffered: [Bool]

  /// - Parameter bodyCap: the most bodies that there may be at a time.
  init(bodyCap: Int, limits: Limits) {
    var isOffered = StreamKey.all.map { _ in false }
    // Ticks in which all rates' rhythms repeat: six.
    let period = FrameRate.allCases.map(\.interval).max()!
    var bodies = (0..<period).map { _ in 0 }
    for key in Self.priority {
      let due = (0..<period).filter { key.isDue(at: $0) }.map(Int.init)
      let isFirst = !isOffered.contains(true)
      guard isFirst || due.allSatisfy({ bodies[$0] + bodyCap <= limits.encodedBodiesPerTick })
      else { continue }
      for tick in due { bodies[tick] += bodyCap }
      isOffered[key.index] = true
    }
    self.isOffered = isOffered
  }

  private static let priority =
    StreamKey.all.filter { $0.profile == .strict } + StreamKey.all.filter { $0.profile == .visual }

  /// The streams that are offered, by index.
  var keys: [StreamKey] { StreamKey.all.filter { isOffered[$0.index] } }

  /// What who asks for `wanted` gets: that, or of its profile the nearest rate, the slower one if
  /// two are as near, or else of the other profile.
  func nearest(to wanted: StreamKey) -> StreamKey {
    if isOffered[wanted.index] { return wanted }
    func distance(_ key: StreamKey) -> (Int, Int, Int) {
      let steps = key.rate.index - wanted.rate.index
      return (key.profile == wanted.profile ? 0 : 1, abs(steps), steps < 0 ? 1 : 0)
    }
    return keys.min { distance($0) < distance($1) }!
  }

  /// The next slower stream of the profile; nil if there is none.
  func slower(than key: StreamKey) -> StreamKey? {
    keys.first { $0.profile == key.profile && $0.rate.index > key.rate.index }
  }

  /// The next faster stream of the profile; nil if there is none.
  func faster(than key: StreamKey) -> StreamKey? {
    keys.last { $0.profile == key.profile && $0.rate.index < key.rate.index }
  }
}
