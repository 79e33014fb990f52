import Wire

/// Something that happened in a tick and that clients are told.
public enum PitEvent: Equatable, Sendable {
  /// Rain: so many stickers fell that the floor is about to go.
  case rainNotice
  /// Rain: all four bounds are open from this tick on.
  case floorOpened
  /// Rain: the bounds are back, and what was outside is gone.
  case floorClosed
  /// Rain: a client's keyword brought stickers of the kind `keyword`.
  case rainBegan(keyword: UInt8, client: UInt16)
  /// Gallery: an item touched something.
  case contactBegan(WireContact)
  /// Gallery: an item ceased to touch something.
  case contactEnded(WireContact)
  /// A client wanted a sticker that somebody else holds: for that client only.
  case grabRefused(client: UInt16, slot: UInt16, holder: UInt16)

  /// The client that this event is meant for; nil for everybody.
  public var onlyClient: UInt16? {
    if case .grabRefused(let client, _, _) = self { return client }
    return nil
  }

  /// The event as clients are told it.
  public var told: WireEvent {
    switch self {
    case .rainNotice: .rainNotice
    case .floorOpened: .floorOpened
    case .floorClosed: .floorClosed
    case .rainBegan(let keyword, let client): .rainBegan(keyword: keyword, client: client)
    case .contactBegan(let contact): .contactBegan(contact)
    case .contactEnded(let contact): .contactEnded(contact)
    case .grabRefused(_, let slot, let holder): .grabRefused(slot: slot, holder: holder)
    }
  }
}
