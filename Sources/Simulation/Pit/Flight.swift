import Dynamics
import Physics
import Wire

/// A sticker on its way to a point where somebody wants it. It ends there and is free again.
struct Flight: Sendable {
  let item: ItemID
  let snap: BehaviorHandle<SnapBehavior>
  /// The tick at which it is free again even if something kept it from the point.
  let ends: UInt32

  /// Stickers that fly at a time in a world: more than there are fingers.
  static let most = 256
  /// Longest flight in ticks: the spring of 4 Hz needs 50 across the largest screen.
  static let longest: UInt32 = 120
}

extension Playground {
  /// Sends an item to a point, or changes the point of its flight. Returns whether it flies.
  mutating func fly(_ id: ItemID, to point: Vector2) throws(DynamicsError) -> Bool {
    guard hasRoomToFly(id) else { return false }
    try endFlight(of: id)
    let snap = try animator.add(SnapBehavior(item: id, snapTo: point))
    flights.append(Flight(item: id, snap: snap, ends: tick &+ Flight.longest))
    assert(flights.count <= Flight.most)
    assert(holder(of: id) == nil, "a hand that held it opened first")
    return true
  }

  /// Whether an item may fly: it does already, or one more may.
  func hasRoomToFly(_ id: ItemID) -> Bool {
    flights.count < Flight.most || flights.contains { $0.item == id }
  }

  /// Ends an item's flight wherever it is.
  mutating func endFlight(of id: ItemID) throws(DynamicsError) {
    for index in flights.indices where flights[index].item == id {
      try animator.remove(flights.remove(at: index).snap)
      return
    }
  }

  /// Whether an item flies.
  func isFlying(_ id: ItemID) -> Bool {
    for flight in flights where flight.item == id { return true }
    return false
  }

  /// The first flight that is over; nil when all are on their way.
  func landedFlight() throws(DynamicsError) -> Flight? {
    for flight in flights {
      assert(flight.ends.ticks(since: tick) >= 0, "no flight outlasts its end")
      if flight.ends == tick { return flight }
      let state = animator.state(of: flight.item)
      let away = try animator.behavior(flight.snap).snapPoint - state.center
      let isThere =
        away.lengthSquared < 0.0025 && state.velocity.lengthSquared < 1
        && state.rotation.cosine > 0.9999
      if isThere { return flight }
    }
    return nil
  }
}
