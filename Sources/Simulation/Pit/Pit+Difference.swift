import Dynamics
import Physics
import Wire

extension Pit {
  /// The name of the first thing in which two pits of the same tick differ, for people who look for
  /// the fault: as in "velocity of the sticker in slot 12". Nil for equal pits.
  public func firstDifference(from other: Pit) -> String? {
    if tick != other.tick { return "tick" }
    if scene != other.scene { return "scene" }
    if stickers != other.stickers { return "sticker set" }
    if host != other.host { return "what the host decided" }
    if gravity != other.gravity { return "gravity" }
    return playground.firstDifference(from: other.playground) ?? ruleDifference(from: other)
  }

  private func ruleDifference(from other: Pit) -> String? {
    var (own, others) = (StateHash(), StateHash())
    rules.write(&own)
    other.rules.write(&others)
    if own.value != others.value { return "the scene's rules" }
    // What is left has no name for people: caches, and the order of things in memory.
    return playground.animator.stateHash() == other.playground.animator.stateHash()
      ? nil : "what contacts and behaviours remember"
  }
}

extension Playground {
  fileprivate func firstDifference(from other: Playground) -> String? {
    if chance.state != other.chance.state { return "chance" }
    if seed != other.seed { return "seed" }
    if ages != other.ages { return "which stickers there are" }
    for id in ages {
      if let field = Self.difference(animator.state(of: id), other.animator.state(of: id)) {
        return "\(field) of the sticker in slot \(id.slot)"
      }
      if sticker(of: id) != other.sticker(of: id) {
        return "kind of the sticker in slot \(id.slot)"
      }
    }
    if grips.count != other.grips.count { return "who holds what" }
    for index in grips.indices {
      let (own, others) = (grips[index], other.grips[index])
      if own.item != others.item || own.person != others.person { return "who holds what" }
      if own.finger != others.finger { return "finger on slot \(own.item.slot)" }
      if own.hand != others.hand { return "hand on slot \(own.item.slot)" }
    }
    let isSame =
      flights.count == other.flights.count
      && flights.indices.allSatisfy {
        flights[$0].item == other.flights[$0].item && flights[$0].ends == other.flights[$0].ends
      }
    return isSame ? nil : "which stickers fly"
  }

  private static func difference(_ own: ItemState, _ other: ItemState) -> String? {
    if own.center != other.center { return "place" }
    if own.rotation != other.rotation { return "angle" }
    if own.velocity != other.velocity { return "velocity" }
    return own.angularVelocity == other.angularVelocity ? nil : "spin"
  }
}
