/// Stands beside a client: takes every frame that the client is sent, and says whether the client
/// would refuse it, or would have another world after it than the encoder.
///
///     let witness = FrameWitness()
///     encoder.copyWorld(into: &world)   // at the frame's tick
///     if let fault = witness.take(frame, leadingTo: world) { … }
///
/// It costs as much as a client's decoder: meant for debug builds, tests and soaks.
public final class FrameWitness {
  private let decoder = StreamDecoder()

  public init() {}

  /// The tick that the client has.
  public var tick: UInt32 { decoder.world.tick }

  /// Takes a frame in the order in which the client gets it. `world` is what the encoder has at the
  /// tick that the frame leads to. Returns nil if the client has the same then.
  public func take(
    _ frame: UnsafeRawBufferPointer, leadingTo world: LatticeWorld
  ) -> FrameFault? {
    do throws(WireError) { try decoder.decode(frame) } catch { return .refused(error) }
    return FrameFault(of: decoder.world, insteadOf: world)
  }

  /// `take` for an array.
  public func take(_ frame: [UInt8], leadingTo world: LatticeWorld) -> FrameFault? {
    frame.withUnsafeBytes { take($0, leadingTo: world) }
  }
}

/// What is wrong with a frame that a client was sent.
public enum FrameFault: Equatable, Sendable {
  /// The client refuses it.
  case refused(WireError)
  /// The client has another tick, profile, gravity or scenery.
  case otherWorld(client: UInt32, encoder: UInt32)
  /// The client has another body in this slot, or has it elsewhere; the lowest such slot.
  case otherBody(slot: UInt16)

  /// What tells `world` from the one `insteadOf` which it should be; nil for nothing.
  init?(of world: LatticeWorld, insteadOf expected: LatticeWorld) {
    if world == expected { return nil }
    guard world.tick == expected.tick, world.profile == expected.profile,
      world.gravity == expected.gravity, world.scenery == expected.scenery
    else {
      self = .otherWorld(client: world.tick, encoder: expected.tick)
      return
    }
    var index = 0
    while index < world.bodies.count, index < expected.bodies.count,
      world.bodies[index] == expected.bodies[index]
    { index += 1 }
    let slots = [world.bodies, expected.bodies].compactMap { bodies in
      index < bodies.count ? bodies[index].slot : nil
    }
    self = .otherBody(slot: slots.min() ?? 0)
  }
}
