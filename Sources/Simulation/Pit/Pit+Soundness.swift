import Dynamics
import Physics
import Wire

/// Checks that the parts of a snapshot fit each other, so that no later tick asks the animator for
/// what it refuses: after a change that was half done a pit would have to stop.
extension Pit {
  mutating func isSound() -> Bool {
    guard hasSoundHost, playground.hasSoundItems(), playground.hasSoundBehaviors(),
      playground.hasSoundHands()
    else { return false }
    return playground.ownsTies(besides: rules)
  }

  /// A limit is one that the host may set here, and the stickers keep within it.
  private var hasSoundHost: Bool {
    guard let most = host.mostBodies else { return true }
    return Pit.lendsStickers(scene) && most > 0 && Int(most) < capacity
      && playground.ages.count <= Int(most)
  }
}

extension Playground {
  /// The heaviest sticker weighs 13; a finger's flick by a hundred is a push that is in range.
  private static let mostMass: Float = 100
  /// Behaviours of a scene, besides its ties and flights, and pieces of its boundaries: the gallery
  /// has the most, 8 and 10.
  private static let mostOfScene = 64

  /// Every item has one age, and a mass that hands can move.
  fileprivate mutating func hasSoundItems() -> Bool {
    guard animator.isEveryItem(ages) else { return false }
    return animator.hasOnlyItems { tag, outline, mass in
      assert(outline == Playground.itemShape(ofTag: tag, stickers), "it was made of the tag")
      return mass > 0 && mass <= Playground.mostMass
    }
  }

  /// No more behaviours and boundaries than scenes have, and no kinds that they don't.
  fileprivate func hasSoundBehaviors() -> Bool {
    let most = Playground.mostOfScene
    guard animator.behaviorCount <= most + Grip.most + Flight.most,
      animator.world.boundaryPieceCount <= most
    else { return false }
    for slot in 0..<animator.behaviorSlotCount {
      switch animator.behavior(atSlot: slot) {
      case .field, .composite: return false
      default: break
      }
    }
    return true
  }

  /// Every hand has its own sticker and tie, every flight its own sticker and snap.
  fileprivate mutating func hasSoundHands() -> Bool {
    for index in grips.indices {
      if index > 0, grips[index - 1].item.slot >= grips[index].item.slot { return false }
      let grip = grips[index]
      guard grip.margin >= 0, grip.margin <= Grip.mostMargin, isOnly(grip.item, in: grip.tie.id)
      else { return false }
    }
    clearMarks(animator.itemSlotCount)
    for flight in flights {
      let left = flight.ends.ticks(since: tick)
      guard left >= 0, left <= Int(Flight.longest), !marks[Int(flight.item.slot)],
        isOnly(flight.item, in: flight.snap.id)
      else {
        return false
      }
      marks[Int(flight.item.slot)] = true
    }
    return true
  }

  /// Whether a behaviour has this one item.
  func isOnly(_ item: ItemID, in behavior: BehaviorID) -> Bool {
    do throws(DynamicsError) {
      let items = try animator.behavior(behavior).items
      return items.count == 1 && items[0] == item
    } catch { return false }
  }

  /// Each attachment and snap belongs to one hand, one flight, or once to the scene: whoever
  /// removes one takes it from nobody else, and none is left over.
  fileprivate mutating func ownsTies(besides rules: PlayedScene) -> Bool {
    clearMarks(animator.behaviorSlotCount)
    var owned = marks
    marks = []
    defer { marks = owned }
    var isSound = true
    func claim(_ id: BehaviorID) {
      isSound = isSound && !owned[Int(id.slot)]
      owned[Int(id.slot)] = true
    }
    for grip in grips { claim(grip.tie.id) }
    for flight in flights { claim(flight.snap.id) }
    guard rules.isSound(self, claim), isSound else { return false }
    for slot in 0..<animator.behaviorSlotCount where !owned[slot] {
      switch animator.behavior(atSlot: slot) {
      case .attachment, .snap: return false
      default: break
      }
    }
    return true
  }

  private mutating func clearMarks(_ count: Int) {
    marks.removeAll(keepingCapacity: true)
    marks.append(contentsOf: repeatElement(false, count: count))
  }
}

extension PlayedScene {
  fileprivate func isSound(_ ground: Playground, _ claim: (BehaviorID) -> Void) -> Bool {
    switch self {
    case .pit(let scene): return scene.isSound(ground, claim)
    case .rain(let scene): return scene.isSound(ground, claim)
    case .gallery(let scene): return scene.isSound(ground, claim)
    case .drag(let scene): return scene.isSound(ground, claim)
    case .toss(let scene): return scene.isSound(ground, claim)
    case .away: return false
    }
  }
}
