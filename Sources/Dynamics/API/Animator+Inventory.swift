/// What there is in an animator, for whoever checks one that came from a snapshot.
extension Animator {
  /// Behaviours in the animator.
  package var behaviorCount: Int { order.count }

  /// Every behaviour's slot is below this number.
  package var behaviorSlotCount: Int { behaviorRecords.count }

  /// The behaviour in a slot, composites without their children; nil when the slot is free.
  package func behavior(atSlot slot: Int) -> Behavior? {
    behaviorRecords[slot].exists ? behaviorRecords[slot].value : nil
  }

  /// Whether no item is made of others, and each one is as `isSound` says of its tag, its outline
  /// and its mass.
  package func hasOnlyItems(
    _ isSound: (UInt32, ItemShape, Float) -> Bool
  ) -> Bool {
    items.withUnsafeBufferPointer { records in
      for slot in records.indices where records[slot].exists {
        guard records[slot].members.isEmpty,
          isSound(records[slot].tag, records[slot].outline, records[slot].mass)
        else { return false }
      }
      return true
    }
  }
}
