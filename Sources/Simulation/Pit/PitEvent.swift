import Wire

/// Something that happened in a tick and that clients are told.
public enum PitEvent: Equatable, Sendable {
  /// Rain: so many stickers fell that the floor is about to go.
  case rainNotice
  /// Rain: all four bounds are open from this tick on.
  case floorOpened
  /// Rain: the bounds are back, and what was outside is gone.
  case floorClosed
  /// Rain: somebody's keyword brought stickers of the kind `keyword`.
  case rainBegan(keyword: UInt8, person: UInt16)
  /// Gallery: an item touched something.
  case contactBegan(WireContact)
  /// Gallery: an item ceased to touch something.
  case contactEnded(WireContact)
  /// Somebody wanted a sticker that somebody else holds: for the former only.
  case grabRefused(person: UInt16, slot: UInt16, holder: UInt16)

  /// The person for whom this event is meant; nil for everybody.
  public var onlyPerson: UInt16? {
    if case .grabRefused(let person, _, _) = self { return person }
    return nil
  }

  /// The event as clients are told it.
  public var told: WireEvent {
    switch self {
    case .rainNotice: .rainNotice
    case .floorOpened: .floorOpened
    case .floorClosed: .floorClosed
    case .rainBegan(let keyword, let person): .rainBegan(keyword: keyword, client: person)
    case .contactBegan(let contact): .contactBegan(contact)
    case .contactEnded(let contact): .contactEnded(contact)
    case .grabRefused(_, let slot, let holder): .grabRefused(slot: slot, holder: holder)
    }
  }
}
