import Dynamics
import Physics
import Wire

extension Pit {
  /// Writes the world as the wire sees it. Allocates nothing once `world` has held as many bodies.
  public func lattice(into world: inout LatticeWorld) {
    world.tick = tick
    world.gravity = gravity
    world.bodies.removeAll(keepingCapacity: true)
    playground.animator.forEachItem { id, state in
      world.bodies.append(latticeBody(id, state))
    }
  }

  private func latticeBody(_ id: ItemID, _ state: ItemState) -> LatticeBody {
    let sticker = playground.sticker(of: id)
    let turns = state.angle * Pit.anglesPerRadian
    return LatticeBody(
      slot: id.slot, generation: id.generation, kind: sticker.kind, size: sticker.size,
      x: Fixed.nearest(state.center.x * LatticeBody.stepsPerPoint),
      y: Fixed.nearest(state.center.y * LatticeBody.stepsPerPoint),
      angle: UInt16(truncatingIfNeeded: Fixed.nearest(turns)))
  }

  private static let anglesPerRadian: Float = 1024 / (2 * DeterministicMath.pi)
}
