/// What there is in an animator, for whoever checks one that came from a snapshot.
extension Animator {
  /// Behaviours in the animator.
  package var behaviorCount: Int { order.count }

  /// Every behaviour's slot is below this number.
  package var behaviorSlotCount: Int { behaviors.count }

  /// The behaviour in a slot, composites without their children; nil when the slot is free.
  package func behavior(atSlot slot: Int) -> Behavior? {
    behaviors[slot].exists ? behaviors[slot].value : nil
  }

  /// Whether any item is made of others.
  package var hasGroups: Bool {
    for slot in 0..<items.count where items[slot].exists && !items[slot].members.isEmpty {
      return true
    }
    return false
  }
}
