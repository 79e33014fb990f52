import Wire

/// Where the keyframes and catch-up frames of the last ticks led.
///
/// A network thread says what its clients need after it has sent a tick. With many clients that may
/// take longer than the time to the next tick, whose frames are encoded without hearing of it. Then
/// what was needed before is led on: whoever was to get a frame has it by now, and stands where it
/// leads. Otherwise frames would be encoded from places where nobody stands any more, and everybody
/// who is not in step would get none.
struct FrameSteps {
  private struct Step {
    let stream: Int
    /// Nil for a keyframe.
    let from: StreamPosition?
    let to: StreamPosition
  }

  /// Ticks by which a network thread may be late. Further back, a client is led on from where it
  /// was heard of last.
  private static let kept = 8

  /// Places that are led on; with more, most clients are not where anybody waits for a frame.
  private static let mostLed = 64

  /// By tick.
  private var steps: [(tick: UInt32, steps: [Step])] =
    Array(repeating: (0, []), count: FrameSteps.kept)
  private var newest: UInt32 = 0

  /// Begins a tick.
  mutating func begin(_ tick: UInt32) {
    newest = tick
    steps[Self.place(of: tick)].tick = tick
    steps[Self.place(of: tick)].steps.removeAll(keepingCapacity: true)
  }

  /// Notes a frame of the tick.
  /// - Parameter from: nil for a keyframe.
  mutating func add(_ stream: Int, from: StreamPosition?, to: StreamPosition) {
    steps[Self.place(of: newest)].steps.append(Step(stream: stream, from: from, to: to))
  }

  /// Adds to `wanted` what was needed of a stream after a tick, led on to now.
  func add(
    _ demand: StreamDemand, of stream: Int, after tick: UInt32, to wanted: inout StreamDemand
  ) {
    let late = newest.ticks(since: tick)
    guard late > 0, late <= Self.kept, demand.positions.count <= Self.mostLed else {
      return wanted.add(demand)
    }
    wanted.isWanted = wanted.isWanted || demand.isWanted
    // Somebody may have come since: a keyframe more costs little.
    wanted.wantsKeyframe = wanted.wantsKeyframe || demand.wantsKeyframe
    for position in demand.positions { lead(position, of: stream, after: tick, into: &wanted) }
    if demand.wantsKeyframe { lead(nil, of: stream, after: tick, into: &wanted) }
  }

  private func lead(
    _ start: StreamPosition?, of stream: Int, after tick: UInt32, into wanted: inout StreamDemand
  ) {
    var position = start
    for later in 1...newest.ticks(since: tick) {
      let (known, steps) = steps[Self.place(of: tick &+ UInt32(later))]
      guard known == tick &+ UInt32(later) else { continue }
      if let step = steps.first(where: { $0.stream == stream && $0.from == position }) {
        position = step.to
      }
    }
    if let position, !position.isInStep { wanted.add(position) }
  }

  private static func place(of tick: UInt32) -> Int { Int(tick) % kept }
}
