import Wire

/// One stream of a play and the clients that receive it, as a server has them: the encoder, and of
/// each tick what its clients need.
final class PlayedStream {
  let rate: FrameRate
  let profile: CodecProfile
  private let encoder: StreamEncoder
  /// The tick that clients in step have, before the newest frame.
  private var base: UInt32 = 0
  private var kind = StateFrameKind.keyframe
  private var own: [UInt8] = []
  private var world = LatticeWorld()
  private var truth: StreamTruth

  init(_ shape: StreamShape) {
    rate = shape.rate
    profile = shape.profile
    encoder = StreamEncoder(shape, holdsCalm: true)
    truth = StreamTruth(shape)
  }

  func isDue(at tick: UInt32) -> Bool { encoder.shape.isDue(at: tick) }

  /// Encodes a tick. Returns what is wrong with it, if anything is.
  func encode(
    _ bodies: [StreamBody], scenery: Scenery, tick: UInt32, gravity: QuantizedGravity
  ) -> PlayFault.Kind? {
    own.removeAll(keepingCapacity: true)
    base = encoder.givenTick
    kind = encoder.encode(bodies, scenery: scenery, tick: tick, gravity: gravity, into: &own)
    encoder.copyWorld(into: &world)
    if encoder.restarts > 0 { return .restarted }
    return truth.missed(world, by: bodies).map { .farFromTruth(slot: $0) }
  }

  /// The frame for a client at `position`, and where that leads it; nil for nothing this time.
  func frame(for position: StreamPosition?) -> (bytes: [UInt8], leadsTo: StreamPosition)? {
    var bytes: [UInt8] = []
    guard let position else {
      let next = encoder.keyframe(into: &bytes)
      return (bytes, next)
    }
    if position.isInStep, position.tick == base {
      guard kind == .state else { return nil }
      return (own, StreamPosition(tick: encoder.tick, isInStep: true))
    }
    let behind = StreamPosition(
      tick: position.tick, isInStep: false, isCoarse: position.isCoarse)
    if let next = encoder.catchUp(from: behind, into: &bytes) { return (bytes, next) }
    return frame(for: nil)
  }

  /// Compares what a client makes of a frame with what the encoder has.
  func fault(of frame: [UInt8], for witness: FrameWitness) -> FrameFault? {
    witness.take(frame, leadingTo: world)
  }
}
