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
      value.items.remove(at: place)
      return .item(value)
    case .push(var value):
      value.items.remove(at: place)
      value.offsets.remove(at: place)
      return .push(value)
    case .field(var value):
      value.items.remove(at: place)
      return .field(value)
    case .attachment, .snap, .composite:
      preconditionFailure("this behaviour has no list of items")
    }
  }
}
