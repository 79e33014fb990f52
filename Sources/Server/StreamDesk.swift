import Simulation
import Wire

/// The streams' encoders: one for each rate and profile that somebody receives, once a tick,
/// whatever the number of clients.
///
/// An encoder takes about 3 kB for each body that there may be, so it is made when the first client
/// asks for its stream, and let go when nobody has for a while. With everybody in step, a tick
/// allocates nothing.
struct StreamDesk {
  private struct Stream {
    var encoder: StreamEncoder?
    /// The last tick at which somebody wanted it.
    var wantedTick: UInt32 = 0
  }

  private var streams = StreamKey.all.map { _ in Stream() }
  private let limits: Limits
  private var bytes: [UInt8] = []
  private var positions: [StreamPosition] = []
  private(set) var encoded = EncodedFrames()

  init(limits: Limits) {
    self.limits = limits
  }

  /// Encodes the pit's tick for everybody who waits for it.
  mutating func encode(
    _ pit: Pit, bodies: [StreamBody], scenery: Scenery, demand: [StreamDemand],
    into publication: Publication
  ) {
    var catchUpsLeft = limits.catchUpsPerTick
    for (index, key) in StreamKey.all.enumerated() {
      publication.editions[index].clear()
      guard key.rate.isDue(at: pit.tick) else { continue }
      guard demand[index].isWanted else {
        forget(index, at: pit.tick)
        continue
      }
      streams[index].wantedTick = pit.tick
      let encoder = encoder(index, pit)
      bytes.removeAll(keepingCapacity: true)
      let base = encoder.givenTick
      let kind = encoder.encode(
        bodies, scenery: scenery, tick: pit.tick, gravity: pit.gravity, into: &bytes)
      encoded.own += 1
      publication.editions[index].isOpen = true
      publication.editions[index].base = kind == .keyframe ? pit.tick : base
      publication.editions[index].oldest = encoder.oldestTick
      if kind == .state {
        publication.editions[index].own.replace(with: bytes)
        publication.editions[index].hasOwn = true
      }
      addOthers(
        of: encoder, demand[index], left: &catchUpsLeft, into: &publication.editions[index])
    }
  }

  /// The keyframe and the catch-up frames, each encoded once for all who need the same.
  private mutating func addOthers(
    of encoder: StreamEncoder, _ demand: StreamDemand, left: inout Int,
    into edition: inout Edition
  ) {
    if demand.wantsKeyframe {
      bytes.removeAll(keepingCapacity: true)
      edition.keyframePosition = encoder.keyframe(into: &bytes)
      edition.keyframe.replace(with: bytes)
      encoded.keyframes += 1
    }
    guard !demand.positions.isEmpty else { return }
    // The newest first: there most clients are, and who is too far behind gets a keyframe.
    positions.removeAll(keepingCapacity: true)
    positions.append(contentsOf: demand.positions)
    positions.sort { Int32(bitPattern: $0.tick &- $1.tick) > 0 }
    for position in positions where left > 0 {
      bytes.removeAll(keepingCapacity: true)
      guard let next = encoder.catchUp(from: position, into: &bytes) else { continue }
      edition.addCatchUp(from: position, to: next, bytes: bytes)
      encoded.catchUps += 1
      left -= 1
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

  /// Nobody receives the stream now; soon its memory is given back. A page that is loaded again
  /// finds it still there.
  private mutating func forget(_ index: Int, at tick: UInt32) {
    guard streams[index].encoder != nil, tick &- streams[index].wantedTick > 600 else { return }
    streams[index].encoder = nil
  }
}
