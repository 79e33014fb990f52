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

extension Pit {
  /// Fills `scenery` with what a page draws besides the stickers: boundaries that are there now,
  /// who holds what, and rods. Allocates nothing once `scenery` has held as much.
  public func scenery(into scenery: inout Scenery) {
    scenery.removeAll()
    do throws(DynamicsError) { try rules.draw(into: &scenery, playground) } catch {
      assertionFailure("the scene drew what it doesn't have")
    }
    for grip in playground.grips {
      scenery.holders.append(SceneryHolder(slot: grip.item.slot, client: grip.person))
    }
  }

  /// How worn a boundary is that vanishes some time after it was touched: the share of that time
  /// that has passed, 0 for every other one.
  public func wear(ofBoundary id: UInt8) -> Float {
    guard case .rain(let scene) = rules else { return 0 }
    return scene.wear(ofLedge: id, at: playground.tick)
  }

  /// Ticks until the floor opens, if nothing happens before; nil if it is not about to.
  public var ticksToOpening: UInt32? {
    guard !host.isFrozen, case .rain(let scene) = rules else { return nil }
    return scene.ticksToOpening(after: playground.tick)
  }
}

/// From floating point to fixed point, the same way everywhere.
public enum Fixed {
  /// The nearest whole number, halves away from zero, within ±2²⁴; 0 for what is not a number.
  /// (`rounded()` may become a call into the C library.)
  public static func nearest(_ value: Float) -> Int32 {
    guard value == value else { return 0 }
    let limit: Float = 16_777_216
    let bounded = value < -limit ? -limit : value > limit ? limit : value
    return Int32(bounded < 0 ? bounded - 0.5 : bounded + 0.5)
  }

  /// The same in 16 bits, as messages have it; what lies beyond is the largest or smallest.
  public static func int16(_ value: Float) -> Int16 { Int16(clamping: nearest(value)) }
}
