import Wire

/// What one tick sends out: encoded once, the same bytes for everybody in step.
struct Publication: Sendable {
  let tick: UInt32
  /// When the tick was due, in monotonic nanoseconds.
  let deadline: UInt64
  /// The state frame of each rate that is due at this tick and has clients, by `FrameRate.index`.
  var frames: [[UInt8]?] = Array(repeating: nil, count: FrameRate.allCases.count)
  /// The whole world for each rate at which somebody waits for it, likewise.
  var keyframes: [[UInt8]?] = Array(repeating: nil, count: FrameRate.allCases.count)
}
