/// The change of impulse that a point asks for by itself, as if its contact had no other point.
struct PointDemand {
  /// By how much the impulse is too large.
  let excess: Lanes
  /// Impulse for each unit of speed: the point's mass, less where it is soft.
  let mass: Lanes
  /// The most that may be taken from the impulse.
  let removable: Lanes
}

/// The changes of the impulses at two points of a contact that are solved together. One after the
/// other they would undo part of each other's work, and a box that lands flat would turn: what the
/// second point does turns the box onto the first, which answers, and so on. The sweeps from one to
/// the other form a geometric series, whose sum is taken at once. `shared` is the speed that an
/// impulse of 1 at one point makes at the other.
///
///     +-----------+     p asks for a, and answers what q does by -p.mass * shared times that
///     |     o     |     q asks for b, and answers what p does by -q.mass * shared times that
///     +-----------+     ratio = p.mass * shared * q.mass * shared
///      ^p       ^q      p in all, if none of the two lets go:
///     =============     (a - p.mass * shared * b) * (1 + ratio + ratio^2 + ...)
@_transparent
func solveTogether(
  _ p: PointDemand, _ q: PointDemand, _ shared: Lanes
) -> (first: Lanes, second: Lanes) {
  let (toP, toQ) = (p.mass * shared, q.mass * shared)
  // At most: points that lie on each other settle within one sweep.
  let ratio = least(toP * toQ, Lanes(repeating: 0.99))
  assert(all(ratio .< 1) && all(p.removable .>= 0) && all(q.removable .>= 0))
  let both = (toP * q.excess - p.excess) / (Lanes(repeating: 1) - ratio)
  let second = most(-q.excess - toQ * most(both, -p.removable), -q.removable)
  // Once more, for a second point that lets go instead of pulling.
  let first = most(-p.excess - toP * second, -p.removable)
  return (first, second)
}
