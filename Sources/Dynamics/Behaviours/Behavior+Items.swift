extension Behavior {
  /// Stands in a free slot, and in a behaviour's place while its payload is being changed, so that
  /// the payload's arrays have one owner and are changed without a copy.
  static var empty: Behavior { .gravity(GravityBehavior()) }

  /// Whether items can be added to and removed from the behaviour's list. Attachments and snaps
  /// have the items they were made with.
  var hasItemList: Bool {
    switch self {
    case .gravity, .collision, .item, .push, .field: return true
    case .attachment, .snap, .composite: return false
    }
  }

  /// Tells the kinds apart; snapshots use the same numbers.
  var kindNumber: UInt32 {
    switch self {
    case .gravity: return 0
    case .collision: return 1
    case .item: return 2
    case .push: return 3
    case .attachment: return 4
    case .snap: return 5
    case .field: return 6
    case .composite: return 7
    }
  }

  /// Takes the list of items away, for its memory; an empty behaviour is left.
  mutating func takeItems() -> [ItemID] {
    let whole = self
    self = .empty
    return whole.items
  }

  mutating func append(_ item: ItemID) {
    let whole = self
    self = .empty
    self = whole.appending(item)
  }

  private consuming func appending(_ item: ItemID) -> Behavior {
    switch consume self {
    case .gravity(var value):
      value.items.append(item)
      return .gravity(value)
    case .collision(var value):
      value.items.append(item)
      return .collision(value)
    case .item(var value):
      value.items.append(item)
      return .item(value)
    case .push(var value):
      value.items.append(item)
      value.offsets.append(.zero)
      assert(value.offsets.count == value.items.count)
      return .push(value)
    case .field(var value):
      value.items.append(item)
      return .field(value)
    case .attachment, .snap, .composite:
      preconditionFailure("this behaviour has no list of items")
    }
  }

  /// Whether the item was there.
  mutating func remove(_ item: ItemID) -> Bool {
    guard let place = items.firstIndex(of: item) else { return false }
    let whole = self
    self = .empty
    self = whole.removing(at: place)
    return true
  }

  private consuming func removing(at place: Int) -> Behavior {
    switch consume self {
    case .gravity(var value):
      value.items.remove(at: place)
      return .gravity(value)
    case .collision(var value):
      value.items.remove(at: place)
      return .collision(value)
    case .item(var value):
      let item = value.items.remove(at: place)
      value.kicks.removeAll { $0.item == item }
      return .item(value)
    case .push(var value):
      value.items.remove(at: place)
      value.offsets.remove(at: place)
      assert(value.offsets.count == value.items.count)
      return .push(value)
    case .field(var value):
      value.items.remove(at: place)
      return .field(value)
    case .attachment, .snap, .composite:
      preconditionFailure("this behaviour has no list of items")
    }
  }
}

/// A behaviour whose list of items can change: all but attachments, snaps and composites. The list
/// is closed: only this module's types conform.
public protocol ItemListBehavior: DynamicBehavior {
  /// The items that the behaviour acts on, in order of addition.
  var items: [ItemID] { get }
}

extension ItemListBehavior {
  /// Adds an item to the behaviour's list. In an animator, `Animator.addItem(_:to:)` does the same.
  /// Throws `duplicateItem`; whether the item exists is known when the behaviour is added.
  public mutating func addItem(_ item: ItemID) throws(DynamicsError) {
    var whole = behavior
    guard !whole.items.contains(item) else { throw .duplicateItem(item) }
    whole.append(item)
    if let changed = Self(whole) { self = changed }
  }

  /// Removes an item from the behaviour's list, and what was set for it. Throws
  /// `itemNotInBehavior`.
  public mutating func removeItem(_ item: ItemID) throws(DynamicsError) {
    var whole = behavior
    guard whole.remove(item) else { throw .itemNotInBehavior(item) }
    if let changed = Self(whole) { self = changed }
  }
}
