import Dynamics
import Physics

/// Hands: who takes, moves and lets go what.
extension Pit {
  /// Takes hold of a sticker. One hand holds it at a time.
  mutating func grab(
    _ slot: UInt16, _ generation: UInt16, at point: Vector2, by person: UInt16
  ) -> Bool {
    guard let id = wanted(slot, generation, by: person), playground.holder(of: id) == nil,
      playground.hasHandFree(person), playground.reaches(point, id)
    else { return false }
    let half = playground.animator.shape(of: id).size * 0.5
    let smaller = half.x < half.y ? half.x : half.y
    let room = smaller - playground.touched(id, at: point).length
    let margin = rules.hasWalls && room > 0 ? room : 0
    assert(margin <= Grip.mostMargin)
    let place = playground.inside(point, margin: margin)
    return attempt { (pit) throws(DynamicsError) in
      try pit.playground.endFlight(of: id)
      try pit.rules.take(.giveUp(id), &pit.playground)
      guard let tie = try pit.rules.tie(id, to: place, &pit.playground) else { return false }
      let hand = try pit.playground.animator.behavior(tie).anchorPoint
      pit.playground.hold(
        Grip(item: id, person: person, tie: tie, margin: margin, finger: hand, hand: hand))
      return true
    }
  }

  /// Moves the finger that holds a sticker.
  mutating func move(_ slot: UInt16, to point: Vector2, by person: UInt16) -> Bool {
    guard let index = playground.grip(of: person, slot: slot) else { return false }
    playground.move(index, to: point)
    return true
  }

  /// Opens the hand.
  mutating func release(_ slot: UInt16, velocity: Vector2, by person: UInt16) -> Bool {
    guard let index = playground.grip(of: person, slot: slot) else { return false }
    open(index, velocity: velocity)
    return true
  }

  /// Sends a sticker to a point; the hand of the person who wants it opens.
  mutating func snap(
    _ slot: UInt16, _ generation: UInt16, to point: Vector2, by person: UInt16
  ) -> Bool {
    guard let id = wanted(slot, generation, by: person), playground.hasRoomToFly(id) else {
      return false
    }
    if let index = playground.grip(of: person, slot: slot) { open(index, velocity: nil) }
    let box = playground.animator.shape(of: id).size
    let margin = (box.x < box.y ? box.x : box.y) * 0.5
    let place = playground.inside(point, margin: rules.hasWalls ? margin : 0)
    return attempt { (pit) throws(DynamicsError) in
      try pit.rules.take(.giveUp(id), &pit.playground)
      try pit.rules.take(.takeOff(id), &pit.playground)
      return try pit.playground.fly(id, to: place)
    }
  }

  /// Opens every hand of somebody who left.
  mutating func leave(_ person: UInt16) -> Bool {
    var had = false
    while let index = playground.grips.firstIndex(where: { $0.person == person }) {
      open(index, velocity: nil)
      had = true
    }
    return had
  }

  /// Ends the flights of stickers that are where they were sent.
  mutating func endFlights() {
    while !playground.flights.isEmpty {
      let landed = attempt { (pit) throws(DynamicsError) -> Bool in
        guard let flight = try pit.playground.landedFlight() else { return false }
        try pit.playground.endFlight(of: flight.item)
        try pit.rules.take(.landed(flight.item), &pit.playground)
        return true
      }
      guard landed else { return }
    }
  }

  /// The sticker of a message, if it is there and nobody else holds it; who wants what another
  /// holds is told.
  private mutating func wanted(
    _ slot: UInt16, _ generation: UInt16, by person: UInt16
  ) -> ItemID? {
    guard let id = playground.item(slot: slot, generation: generation) else { return nil }
    guard let holder = playground.holder(of: id), holder != person else { return id }
    playground.events.append(.grabRefused(person: person, slot: slot, holder: holder))
    return nil
  }

  private mutating func open(_ index: Int, velocity: Vector2?) {
    let grip = playground.grips.remove(at: index)
    assert(playground.animator.contains(grip.item), "what is gone is in nobody's hand")
    attempt { (pit) throws(DynamicsError) in
      try pit.playground.animator.remove(grip.tie)
      try pit.rules.take(.letGo(grip.item, velocity: velocity), &pit.playground)
    }
  }
}
