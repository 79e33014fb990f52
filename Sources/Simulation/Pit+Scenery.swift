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
      scenery.holders.append(SceneryHolder(slot: grip.item.slot, client: grip.client))
    }
  }
}
