import Wire

/// Names one of the server's streams: everybody who asked for the same gets the same bytes.
struct StreamKey: Equatable {
  var rate: FrameRate
  var profile: CodecProfile

  /// Its place in arrays with one entry a stream.
  var index: Int { rate.index * CodecProfile.allCases.count + Int(profile.rawValue) }

  /// All of them, by index.
  static let all = FrameRate.allCases.flatMap { rate in
    CodecProfile.allCases.map { StreamKey(rate: rate, profile: $0) }
  }

  /// Whether it has a frame of a tick.
  func isDue(at tick: UInt32) -> Bool { rate.isDue(at: tick, profile: profile) }
}

/// What is to be encoded of one stream, for the clients of one network thread or of all.
struct StreamDemand: Equatable {
  /// Somebody receives the stream.
  var isWanted = false
  /// Somebody has nothing yet, or too little.
  var wantsKeyframe = false
  /// Where those are who are not in step, without repetition.
  var positions: [StreamPosition] = []

  mutating func clear() {
    isWanted = false
    wantsKeyframe = false
    positions.removeAll(keepingCapacity: true)
  }

  /// Notes that somebody is at `position` and not in step.
  mutating func add(_ position: StreamPosition) {
    if !positions.contains(position) { positions.append(position) }
  }

  /// Notes what others need besides.
  mutating func add(_ other: StreamDemand) {
    isWanted = isWanted || other.isWanted
    wantsKeyframe = wantsKeyframe || other.wantsKeyframe
    for position in other.positions { add(position) }
  }
}

/// A rate is a divisor of the tick, so that all clients of a rate share the same bytes.
extension FrameRate {
  /// Its place in arrays with one entry a rate, 0 for the fastest.
  var index: Int {
    switch self {
    case .hz60: 0
    case .hz30: 1
    case .hz20: 2
    case .hz10: 3
    }
  }
}

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
