import Dynamics
import Physics
import Wire

extension Pit {
  /// Fills `bodies` with the stickers as streams take them, in order of slots. Allocates nothing
  /// once the array has held as many.
  public func bodies(into bodies: inout [StreamBody]) {
    bodies.removeAll(keepingCapacity: true)
    playground.animator.forEachItem { id, state in
      let sticker = playground.sticker(of: id)
      bodies.append(
        StreamBody(
          slot: id.slot, generation: id.generation, kind: sticker.kind, size: sticker.size,
          x: state.center.x, y: state.center.y, angle: state.angle))
    }
  }

  /// What a stream of this pit is like.
  public func shape(profile: CodecProfile, rate: FrameRate) -> StreamShape {
    StreamShape(
      profile: profile, rate: rate, width: Pit.whole(worldSize.x), height: Pit.whole(worldSize.y),
      gravity: Pit.whole(1000 * scene.gravityMagnitude), slots: capacity)
  }

  private static func whole(_ value: Float) -> UInt16 { UInt16(clamping: Fixed.nearest(value)) }
}
