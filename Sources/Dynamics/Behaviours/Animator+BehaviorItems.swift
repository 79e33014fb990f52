/// The lists of items that behaviours act on.
extension Animator {
  /// Adds an item to a behaviour; to a composite, to each of its children that has a list of items.
  ///
  /// Throws `unknownBehavior`, `unknownItem`, `itemInGroup`, `duplicateItem` when it (or a child)
  /// lists the item already, and `itemsAreFixed` for attachments, snaps and composites without such
  /// children.
  public mutating func addItem<Kind: DynamicBehavior>(
    _ item: ItemID, to handle: BehaviorHandle<Kind>
  ) throws(DynamicsError) {
    let slot = try place(handle)
    let itemSlot = try freePlace(item)
    let lists = lists(under: slot)
    guard !lists.isEmpty else { throw .itemsAreFixed(handle.id) }
    for list in lists where behaviorRecords[list].value.items.contains(item) {
      throw .duplicateItem(item)
    }
    for list in lists { enter(item, itemSlot, list) }
    touch()
  }

  /// Removes an item from a behaviour; from a composite, from all of its children. From its last
  /// behaviour removed, an item loses its body and stays where it is.
  ///
  /// Throws `unknownBehavior`, `itemNotInBehavior`, and `itemsAreFixed` for attachments, snaps and
  /// composites without children that have a list of items.
  public mutating func removeItem<Kind: DynamicBehavior>(
    _ item: ItemID, from handle: BehaviorHandle<Kind>
  ) throws(DynamicsError) {
    let lists = lists(under: try place(handle))
    guard !lists.isEmpty else { throw .itemsAreFixed(handle.id) }
    var wasThere = false
    for list in lists where drop(item, from: list) { wasThere = true }
    guard wasThere else { throw .itemNotInBehavior(item) }
    release(Int(item.slot))
    touch()
  }

  /// The behaviour itself when it has a list of items; a composite's descendants that have one.
  private func lists(under slot: Int) -> [Int] {
    guard isComposite(slot) else { return behaviorRecords[slot].value.hasItemList ? [slot] : [] }
    var result: [Int] = []
    for child in children(slot) { result += lists(under: child) }
    return result
  }

  /// Puts a changed value in a behaviour's place: first its items, then its numbers.
  mutating func replace(_ slot: Int, with value: Behavior) throws(DynamicsError) {
    if case .composite(let changed) = value {
      guard changed == composite(slot) else { throw .childrenChanged }
      return
    }
    let old = behaviorRecords[slot].value
    guard value != old else { return }
    guard value.kindNumber == old.kindNumber else { throw .unknownBehavior(name(slot)) }
    try validate(value, at: slot)
    guard value.items != old.items else {
      amend(slot, from: old, to: value)
      return touch()
    }
    guard value.hasItemList else { throw .itemsAreFixed(name(slot)) }
    try validate(items: value.items)
    let (joining, leaving) = (
      missing(value.items, in: old.items), missing(old.items, in: value.items)
    )
    for item in leaving { drop(item, from: slot) }
    for item in joining { enter(item, Int(item.slot), slot) }
    assert(behaviorRecords[slot].value.items.count == value.items.count)
    amend(slot, from: behaviorRecords[slot].value, to: value)
    for item in leaving { release(Int(item.slot)) }
    touch()
  }

  /// Those items of one list that another lacks, in order.
  private func missing(_ list: [ItemID], in other: [ItemID]) -> [ItemID] {
    var isThere = [Bool](repeating: false, count: items.count)
    for item in other { isThere[Int(item.slot)] = true }
    return list.filter { !isThere[Int($0.slot)] }
  }

  private mutating func enter(_ item: ItemID, _ itemSlot: Int, _ slot: Int) {
    assert(contains(item) && !behaviorRecords[slot].value.items.contains(item))
    behaviorRecords[slot].value.append(item)
    associate(itemSlot, with: slot)
  }

  /// Takes an item off a behaviour's list and undoes what the behaviour did to it. Returns whether
  /// it was there.
  @discardableResult
  mutating func drop(_ item: ItemID, from slot: Int) -> Bool {
    guard behaviorRecords[slot].value.remove(item) else { return false }
    assert(contains(item) && items[Int(item.slot)].uses > 0)
    items[Int(item.slot)].uses -= 1
    dissociate(Int(item.slot), from: slot)
    return true
  }

  mutating func countUse(_ itemSlot: Int) {
    assert(items[itemSlot].exists && items[itemSlot].group < 0, "members are not simulated")
    items[itemSlot].uses += 1
    makeBody(itemSlot)
  }

  /// Removes the body when no behaviour lists the item any more.
  mutating func release(_ itemSlot: Int) {
    assert(items[itemSlot].body != nil, "who was used has a body")
    if items[itemSlot].uses == 0 { releaseBody(itemSlot) }
  }
}
