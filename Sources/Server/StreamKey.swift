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
}
