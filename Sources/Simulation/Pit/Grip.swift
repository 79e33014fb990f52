import Dynamics
import Physics

/// A person's hold on a sticker: an attachment whose anchor is the finger.
struct Grip: Sendable {
  let item: ItemID
  let person: UInt16
  /// The attachment between the sticker and the finger.
  let tie: BehaviorHandle<AttachmentBehavior>
  /// How far the finger stays from the sides in points, so that the sticker has room beside it.
  let margin: Float
  /// Where the finger is, and where the hand is that follows it: the attachment's anchor.
  var finger: Vector2
  var hand: Vector2

  /// Fastest hand in points a tick: 3600 pt/s, which no finger on glass reaches, so the sticker is
  /// under the finger in the same tick. A finger that is suddenly elsewhere, because messages were
  /// lost or somebody plays tricks, is followed at that speed.
  static let fastest: Float = 60
  /// Stickers that are held at a time in a world: what one message can list.
  static let most = 256
  /// Stickers that a person holds at a time: as many as fingers find room on a phone.
  static let mostOfPerson = 3
  /// Most of `margin`: half of the largest sticker.
  static let mostMargin: Float = 128
  /// How far outside a sticker's circle a finger still takes hold of it, in points: a finger's
  /// width and the way of a fast sticker while the message travelled.
  static let reach: Float = 160
}

extension Playground {
  /// Who holds anything, each once, in ascending order.
  var holders: [UInt16] {
    var people: [UInt16] = []
    for grip in grips where !people.contains(grip.person) { people.append(grip.person) }
    people.sort()
    return people
  }

  /// Who holds an item; nil when nobody does.
  func holder(of id: ItemID) -> UInt16? {
    for grip in grips where grip.item == id { return grip.person }
    return nil
  }

  /// Whether a person holds anything.
  func holds(_ person: UInt16) -> Bool {
    for grip in grips where grip.person == person { return true }
    return false
  }

  /// Where the person's grip on a slot stands in the list.
  func grip(of person: UInt16, slot: UInt16) -> Int? {
    var low = 0
    var high = grips.count
    while low < high {
      let middle = (low + high) / 2
      if grips[middle].item.slot < slot { low = middle + 1 } else { high = middle }
    }
    guard low < grips.count, grips[low].item.slot == slot else { return nil }
    return grips[low].person == person ? low : nil
  }

  /// Whether the person may hold one more.
  func hasHandFree(_ person: UInt16) -> Bool {
    var held = 0
    for grip in grips where grip.person == person { held += 1 }
    return held < Grip.mostOfPerson && grips.count < Grip.most
  }

  /// Whether a finger at a point can take hold of an item.
  func reaches(_ point: Vector2, _ id: ItemID) -> Bool {
    let box = animator.shape(of: id).size
    let away = (point - animator.center(of: id)).length
    return away <= box.length * 0.5 + Grip.reach
  }

  /// The item's point under a finger, from its centre in its own frame; for a finger beside the
  /// item the nearest point of its box.
  func touched(_ id: ItemID, at point: Vector2) -> Vector2 {
    let offset = animator.convert(point, to: id)
    let half = animator.shape(of: id).size * 0.5
    return Vector2(
      Playground.clamp(offset.x, -half.x, half.x), Playground.clamp(offset.y, -half.y, half.y))
  }

  /// Notes a hold.
  mutating func hold(_ grip: Grip) {
    assert(holder(of: grip.item) == nil, "one hand holds it at a time")
    assert(hasHandFree(grip.person))
    assert(grip.margin >= 0 && grip.margin <= Grip.mostMargin)
    var index = grips.count
    while index > 0 && grips[index - 1].item.slot > grip.item.slot { index -= 1 }
    grips.insert(grip, at: index)
    assert(index == 0 || grips[index - 1].item.slot < grip.item.slot)
    assert(grips.count <= Grip.most)
  }

  /// Moves the finger of a grip; the sticker follows within the tick.
  mutating func move(_ index: Int, to point: Vector2) {
    grips[index].finger = inside(point, margin: grips[index].margin)
  }

  /// Brings every hand to its finger.
  mutating func moveHands() throws(DynamicsError) {
    for index in grips.indices where grips[index].hand != grips[index].finger {
      let way = grips[index].finger - grips[index].hand
      let length = way.length
      let place =
        length > Grip.fastest
        ? grips[index].hand + way * (Grip.fastest / length) : grips[index].finger
      grips[index].hand = place
      assert(length > 0 && place.x.isFinite && place.y.isFinite)
      try animator.update(grips[index].tie) { $0.anchorPoint = place }
    }
  }
}
