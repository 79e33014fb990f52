import Wire

/// What one tick sends out: encoded once, the same bytes for everybody in step.
struct Publication: Sendable {
  let tick: UInt32
  /// When the tick was due, in monotonic nanoseconds.
  let deadline: UInt64
  /// The state frame of each rate that is due at this tick and has clients, by `FrameRate.index`.
  var frames: [[UInt8]?] = Array(repeating: nil, count: FrameRate.allCases.count)
  /// The whole world, in ticks in which somebody waits for it.
  var keyframe: [UInt8]?

  func frame(for rate: FrameRate) -> [UInt8]? { frames[rate.index] }
}
