/// Going on from another animator's state in memory that is there, as prediction does in every
/// frame.
extension Animator {
  /// Becomes a copy of another animator in the memory that is there, its events included. From the
  /// second time on nothing is allocated for an animator of the same size. A plain assignment
  /// shares the memory instead, and the next change of either makes a whole copy.
  public mutating func assign(_ other: Animator) {
    referenceBounds = other.referenceBounds
    world.assign(other.world)
    events.assign(other.events)
    itemCount = other.itemCount
    furtherShapes = other.furtherShapes
    isPaused = other.isPaused
    stepCount = other.stepCount
    items.assign(other.items)
    itemOfBody.assign(other.itemOfBody)
    behaviorRecords.assign(other.behaviorRecords)
    order.assign(other.order)
    boundaryOwners.assign(other.boundaryOwners)
    channels.assign(other.channels)
    hasOneChannel = other.hasOneChannel
    restTicks = other.restTicks
    hasChanged = other.hasChanged
    dragged.assign(other.dragged)
    assert(itemCount <= items.count && channels.count == Self.channelLimit)
  }

  /// Forgets everything but the memory. Items and behaviours stay until their places are taken,
  /// because their shapes and lists serve again.
  mutating func clear() {
    events.clear()
    itemCount = 0
    furtherShapes = 0
    isPaused = false
    stepCount = 0
    order.removeAll(keepingCapacity: true)
    boundaryOwners.removeAll(keepingCapacity: true)
    for channel in channels.indices { channels[channel] = -1 }
    hasOneChannel = true
    restTicks = 0
    hasChanged = false
    dragged.removeAll(keepingCapacity: true)
  }
}

extension StepEvents {
  /// Becomes what other events are, in the memory that is there.
  mutating func assign(_ other: StepEvents) {
    began.assign(other.began)
    ended.assign(other.ended)
    willResume = other.willResume
    didPause = other.didPause
  }
}

/// Memory that an animator restores into, so that a snapshot that breaks off leaves it alone; the
/// two take turns. Unchecked, because it is only touched by the one value that knows it.
final class AnimatorSpare: @unchecked Sendable {
  private var animator: Animator?

  /// The spare that a value keeps, or a new one if a copy of the value keeps it too.
  static func kept(_ spare: inout AnimatorSpare?) -> AnimatorSpare {
    let isOwn = isKnownUniquelyReferenced(&spare)
    defer { spare = nil }
    return isOwn ? spare! : AnimatorSpare()
  }

  /// The animator, which is its taker's alone from here on.
  func take() -> Animator? {
    defer { animator = nil }
    return animator
  }

  func put(_ animator: consuming Animator) {
    var animator = animator
    animator.spare = nil
    self.animator = animator
  }
}
