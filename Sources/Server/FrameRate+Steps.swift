import Wire

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

  /// The next slower rate, or itself when it is the slowest.
  var slower: FrameRate { Self.allCases[min(index + 1, Self.allCases.count - 1)] }
  /// The next faster rate, or itself when it is the fastest.
  var faster: FrameRate { Self.allCases[max(index - 1, 0)] }

  func isDue(at tick: UInt32) -> Bool { tick % interval == 0 }
}
