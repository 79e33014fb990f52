import Simulation
import Wire

/// The streams' encoders: one for each rate and profile that somebody receives, once a tick,
/// whatever the number of clients.
///
/// An encoder takes about 3 kB for each body that there may be, so it is made when the first client
/// asks for its stream, and let go when nobody has for a while. With everybody in step, a tick
/// allocates nothing. How many bodies a tick encodes at most is decided by `StreamOffer` and
/// `FrameQueue`.
struct StreamDesk {
  private struct Stream {
    var encoder: StreamEncoder?
    /// The last tick at which somebody wanted it.
    var wantedTick: UInt32 = 0
  }

  private var streams = StreamKey.all.map { _ in Stream() }
  private var queue: FrameQueue
  /// Where the frames of the last ticks led those who are not in step.
  private(set) var steps = FrameSteps()
  private var bytes: [UInt8] = []
  private(set) var encoded = EncodedFrames()

  private let checksFrames: Bool

  init(limits: Limits, checksFrames: Bool = false) {
    self.checksFrames = checksFrames
    queue = FrameQueue(limits: limits)
  }

  /// Encodes the pit's tick for everybody who waits for it.
  mutating func encode(
    _ pit: Pit, bodies: [StreamBody], scenery: Scenery, demand: [StreamDemand],
    into publication: Publication
  ) {
    queue.begin()
    steps.begin(pit.tick)
    for (index, key) in StreamKey.all.enumerated() {
      publication.editions[index].clear()
      guard key.isDue(at: pit.tick) else { continue }
      guard demand[index].isWanted else {
        forget(index, at: pit.tick)
        continue
      }
      streams[index].wantedTick = pit.tick
      // A stream that begins costs twice a frame, and its encoder has to be made. So it must fit
      // into what is left of the tick, and when many begin, they do so in several ticks.
      let begins = !continues(index, at: pit.tick)
      guard !begins || queue.hasRoom(for: 2 * bodies.count) else {
        publication.editions[index].keyframeWaits = true
        continue
      }
      if begins { queue.spend(2 * bodies.count) }
      encodeOwn(index, pit, bodies, scenery, into: &publication.editions[index])
      var others = demand[index]
      if begins { others.wantsKeyframe = false }
      queue.add(others, of: index, at: pit.tick)
    }
    encodeOthers(of: bodies.count, at: pit.tick, into: publication)
  }

  /// Whether a stream's frame of a tick follows on its last one.
  private func continues(_ index: Int, at tick: UInt32) -> Bool {
    guard let encoder = streams[index].encoder, encoder.hasBase else { return false }
    return encoder.tick &+ encoder.shape.rate.interval == tick
  }

  /// The stream's frame of the tick: for everybody in step, or, when it begins, for everybody.
  private mutating func encodeOwn(
    _ index: Int, _ pit: Pit, _ bodies: [StreamBody], _ scenery: Scenery,
    into edition: inout Edition
  ) {
    let encoder = encoder(index, pit)
    bytes.removeAll(keepingCapacity: true)
    let base = encoder.givenTick
    let restarts = encoder.restarts
    let kind = encoder.encode(
      bodies, scenery: scenery, tick: pit.tick, gravity: pit.gravity, into: &bytes)
    encoded.own.count()
    encoded.restarted.count(encoder.restarts - restarts)
    edition.isOpen = true
    edition.oldest = encoder.oldestTick
    if checksFrames {
      var world = LatticeWorld()
      encoder.copyWorld(into: &world)
      edition.world = world
    }
    switch kind {
    case .keyframe:
      edition.base = pit.tick
      edition.keyframe.replace(with: bytes)
      edition.keyframePosition = StreamPosition(tick: pit.tick, isInStep: true, isCoarse: true)
      encoded.keyframes.count()
    case .state:
      edition.base = base
      edition.own.replace(with: bytes)
      edition.hasOwn = true
    case .held: edition.base = base
    }
  }

  /// Keyframes and catch-up frames, each encoded once for all who need the same.
  private mutating func encodeOthers(
    of bodies: Int, at tick: UInt32, into publication: Publication
  ) {
    queue.sort(at: tick)
    while let request = queue.next(bodies: bodies, at: tick) {
      let encoder = streams[request.stream].encoder!
      bytes.removeAll(keepingCapacity: true)
      guard let position = request.position else {
        let next = encoder.keyframe(into: &bytes)
        publication.editions[request.stream].keyframePosition = next
        steps.add(request.stream, from: nil, to: next)
        publication.editions[request.stream].keyframe.replace(with: bytes)
        encoded.keyframes.count()
        continue
      }
      guard let next = encoder.catchUp(from: position, into: &bytes) else { continue }
      publication.editions[request.stream].addCatchUp(from: position, to: next, bytes: bytes)
      steps.add(request.stream, from: position, to: next)
      encoded.catchUps.count()
    }
    for request in queue.keyframes {
      publication.editions[request.stream].keyframeWaits = true
    }
  }

  private mutating func encoder(_ index: Int, _ pit: Pit) -> StreamEncoder {
    if let encoder = streams[index].encoder { return encoder }
    let key = StreamKey.all[index]
    let encoder = StreamEncoder(
      pit.shape(profile: key.profile, rate: key.rate), holdsCalm: true)
    streams[index].encoder = encoder
    return encoder
  }

  /// Ticks for which the encoder of a stream is kept that nobody receives: ten seconds, so that a
  /// page that is loaded again finds it still there.
  private static let mostIdleTicks = 600

  /// Nobody receives the stream now; after a while its memory is given back.
  private mutating func forget(_ index: Int, at tick: UInt32) {
    guard streams[index].encoder != nil,
      tick.ticks(since: streams[index].wantedTick) > Self.mostIdleTicks
    else { return }
    streams[index].encoder = nil
  }
}
