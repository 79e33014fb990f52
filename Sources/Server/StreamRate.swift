/// How often a client gets a state frame. A rate is a divisor of the tick, so that all clients of a
/// rate share the same bytes.
enum StreamRate: Int, CaseIterable, Comparable {
  case every = 0
  case second, third, sixth

  /// - Parameter hertz: 60, 30, 20 or 10.
  init?(hertz: UInt8) {
    switch hertz {
    case 60: self = .every
    case 30: self = .second
    case 20: self = .third
    case 10: self = .sixth
    default: return nil
    }
  }

  /// Ticks from one frame to the next.
  var divisor: UInt32 {
    switch self {
    case .every: 1
    case .second: 2
    case .third: 3
    case .sixth: 6
    }
  }

  /// The next lower rate, or itself when it is the lowest.
  var lower: StreamRate { StreamRate(rawValue: rawValue + 1) ?? self }
  /// The next higher rate, or itself when it is the highest.
  var higher: StreamRate { StreamRate(rawValue: rawValue - 1) ?? self }

  func isDue(at tick: UInt32) -> Bool { tick % divisor == 0 }

  static func < (a: StreamRate, b: StreamRate) -> Bool { a.rawValue < b.rawValue }
}
