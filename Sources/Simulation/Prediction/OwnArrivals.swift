import Wire

/// Which stickers this person's own commands brought, and what they are called in each world. When
/// somebody else's came first, the own one gets another slot than was predicted: by its command it
/// is known again.
struct OwnArrivals: Sendable {
  /// A sticker and its new name.
  struct Renamed: Equatable, Sendable {
    var from: StickerName
    var to: StickerName
  }

  /// Where a sticker has a name: in the predicted world that is shown, in the one that is being
  /// made anew, and for good.
  enum World { case shown, anew, log }

  /// The names of the sticker that a command brought; nil where it brought none, or not yet.
  private struct Arrival {
    let sequence: UInt32
    var shown: StickerName?
    var anew: StickerName?
    var log: StickerName?
  }

  private var arrivals: [Arrival] = []
  private var renamed: [Renamed] = []

  /// More than a person may drop while a command is on its way.
  private static let most = 64

  /// Notes what a tick of a world brought.
  mutating func take(_ outcome: TickOutcome, of person: UInt16, in world: World) {
    for arrival in outcome.arrivals where arrival.person == person {
      let index = place(of: arrival.sequence)
      let name = StickerName(slot: arrival.slot, generation: arrival.generation)
      switch world {
      case .shown: arrivals[index].shown = name
      case .anew: arrivals[index].anew = name
      case .log: arrivals[index].log = name
      }
    }
  }

  private mutating func place(of sequence: UInt32) -> Int {
    if let index = arrivals.firstIndex(where: { $0.sequence == sequence }) { return index }
    if arrivals.count == Self.most { arrivals.removeFirst() }
    arrivals.append(Arrival(sequence: sequence))
    assert(arrivals.count <= Self.most)
    return arrivals.count - 1
  }

  /// A world is made anew from the log's, in which everything has its name for good.
  mutating func beginAnew() {
    for index in arrivals.indices { arrivals[index].anew = arrivals[index].log }
  }

  /// The world that was made anew is the one that is shown.
  mutating func endAnew() {
    for index in arrivals.indices {
      let (before, after) = (arrivals[index].shown, arrivals[index].anew)
      arrivals[index].shown = after
      guard let before, let after, before != after, renamed.count < Self.most else { continue }
      renamed.append(Renamed(from: before, to: after))
    }
  }

  /// Those that got another name since the last call, by the world that was shown before.
  mutating func takeRenamed() -> [Renamed] {
    guard !renamed.isEmpty else { return [] }
    defer { renamed.removeAll(keepingCapacity: true) }
    return renamed
  }
}

/// What a sticker is called as long as it is there.
struct StickerName: Equatable, Sendable {
  var slot: UInt16
  var generation: UInt16
}
