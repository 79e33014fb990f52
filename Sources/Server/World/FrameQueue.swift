import Wire

/// Shares what a tick may spend on keyframes and catch-up frames among all who wait for one.
///
/// Keyframes and catch-up frames take turns, and of each kind the one goes first that has waited
/// longest since it was encoded last. So nothing starves: what is not encoded now comes before all
/// that is encoded now.
struct FrameQueue {
  /// A frame that somebody waits for.
  struct Request: Equatable {
    /// The stream's index.
    var stream: Int
    /// Where it is to lead on from; nil for a keyframe.
    var position: StreamPosition?
    fileprivate var since: UInt32
  }

  /// The ticks at which frames were encoded last for one stream.
  private struct Served {
    var keyframe: UInt32?
    /// For each position from which a frame can still lead on, in a ring.
    var positions: [(position: StreamPosition, tick: UInt32)?] =
      Array(repeating: nil, count: 2 * StreamShape.catchUpFrames)
  }

  private let limit: Int
  private var served = StreamKey.all.map { _ in Served() }
  /// Keyframes that are wanted; after the last call of `next` those for which nothing was left.
  private(set) var keyframes: [Request] = []
  private var catchUps: [Request] = []
  private var isKeyframesTurn = true
  private var spent = 0

  init(limits: Limits) {
    limit = limits.othersPerTick
  }

  /// Begins a tick: nothing is spent, and nobody waits.
  mutating func begin() {
    spent = 0
    keyframes.removeAll(keepingCapacity: true)
    catchUps.removeAll(keepingCapacity: true)
  }

  /// Whether a frame of so many bodies fits in what is left. The first one of a tick always does.
  func hasRoom(for bodies: Int) -> Bool { spent == 0 || spent + bodies <= limit }

  /// Notes that a keyframe was encoded out of turn, because a stream began with it.
  mutating func spend(_ bodies: Int) { spent += max(bodies, 1) }

  /// Notes everything that is wanted of a stream.
  mutating func add(_ demand: StreamDemand, of stream: Int, at tick: UInt32) {
    if demand.wantsKeyframe {
      let since = served[stream].keyframe ?? tick
      served[stream].keyframe = since
      keyframes.append(Request(stream: stream, position: nil, since: since))
    }
    for position in demand.positions {
      let last = served[stream].positions[Self.place(of: position, stream)]
      let since = last?.position == position ? last!.tick : position.tick
      catchUps.append(Request(stream: stream, position: position, since: since))
    }
  }

  /// Puts those first who have waited longest; called when everything is added.
  mutating func sort(at tick: UInt32) {
    // The last one goes first.
    keyframes.sort { tick.ticks(since: $0.since) < tick.ticks(since: $1.since) }
    catchUps.sort { tick.ticks(since: $0.since) < tick.ticks(since: $1.since) }
  }

  /// The next frame to encode, of so many bodies; nil when all are, or nothing is left to spend.
  mutating func next(bodies: Int, at tick: UInt32) -> Request? {
    guard hasRoom(for: bodies) else { return nil }
    let isKeyframe = catchUps.isEmpty || (isKeyframesTurn && !keyframes.isEmpty)
    guard let request = isKeyframe ? keyframes.popLast() : catchUps.popLast() else { return nil }
    isKeyframesTurn = !isKeyframe
    spend(bodies)
    if let position = request.position {
      let place = Self.place(of: position, request.stream)
      served[request.stream].positions[place] = (position, tick)
    } else {
      served[request.stream].keyframe = tick
    }
    return request
  }

  private static func place(of position: StreamPosition, _ stream: Int) -> Int {
    let frame = Int(position.tick / StreamKey.all[stream].rate.interval)
    return frame % StreamShape.catchUpFrames * 2 + (position.isCoarse ? 1 : 0)
  }
}
