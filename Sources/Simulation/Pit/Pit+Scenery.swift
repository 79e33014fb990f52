import Dynamics
import Wire

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
