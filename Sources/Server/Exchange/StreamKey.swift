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

/// What the network thread needs encoded of one stream.
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
