import Foundation
import Simulation
import Transport
import Wire

/// What all network threads share. Each part can be used on all of them at a time.
struct SharedParts: Sendable {
  let exchange: Exchange
  let limits: Limits
  let world: WorldDescription
  /// The pictures of the world's stickers; nil where every page has them.
  let stickers: StickerFolder?
  /// Where people find the page.
  let venue: Venue
  /// The words that mean something to the world.
  let keywords: KeywordList
  /// Whether what is written to sessions is decoded and compared.
  let checksFrames: Bool
  /// Who is here.
  let directory: Directory
  /// Answers the host.
  let hostDesk: HostDesk
  /// What the connections of one address may do together.
  let addresses: AddressBudgets
  /// The letters between the threads.
  let handOvers: HandOverBox
  /// Makes the answers that take long.
  let worldTeller: WorldTeller
  /// Makes the snapshots.
  let packer: SnapshotPacker
  /// Finds out when the process stood still.
  let standstills: StandstillWatch
  /// The server's end.
  let drain: Drain
  /// What monitoring reads, and who answers it.
  let metrics: ServerMetrics
  let metricsDesk: MetricsDesk
  /// Writes the journal, if one is kept.
  let journal: JournalWriter?
  /// Meets the other servers of the world, if there are any.
  let cluster: (any ClusterRunning)?
  /// Where what happens is written.
  let log: ServerLog
  /// What may change while they run.
  let settings: LiveSettings

  /// The phrases that mean something here, and what falls for them, for a page that offers them.
  /// None where nothing rains.
  static func keywordsJSON(_ keywords: KeywordList, of world: WorldDescription) -> String {
    let isHeard = world.scene == Scene.rain.rawValue
    let offer = KeywordOffer(
      keywords: isHeard ? keywords.phrases : [], kinds: isHeard ? keywords.kinds : [])
    let json = try? JSONEncoder().encode(offer)
    return String(decoding: json ?? Data(), as: UTF8.self) + "\n"
  }
}

/// What `/api/keywords` tells.
private struct KeywordOffer: Encodable {
  /// As somebody would type them.
  let keywords: [String]
  /// The kinds of stickers that fall for them, in the same order.
  let kinds: [UInt8]
}

/// What a welcome tells of the world: the same for everybody, until the host begins another one.
struct WorldDescription: Sendable {
  /// Points.
  let width: Int
  let height: Int
  /// The scene's number in the protocol.
  let scene: UInt8
  /// The most stickers that it was made for; the host may let fewer be there.
  let capacity: Int
  /// What its stickers are, if a set says so; other scenes than the pit only keep it.
  let stickers: StickerSet?

  init(_ pit: borrowing Pit) {
    width = Int(pit.worldSize.x)
    height = Int(pit.worldSize.y)
    scene = pit.scene.rawValue
    capacity = pit.capacity
    stickers = pit.stickers
  }

  func welcome(
    for person: PersonRecord, tick: UInt32, _ folder: StickerFolder?
  ) -> Welcome {
    Welcome(
      clientID: person.identity.id, colour: person.identity.colour,
      name: person.identity.name, token: person.token, tick: tick,
      worldWidth: UInt16(clamping: width), worldHeight: UInt16(clamping: height), scene: scene,
      bodyCap: UInt16(clamping: capacity), commandsBefore: person.commands,
      stickers: scene == Scene.pit.rawValue && stickers != nil ? folder?.name : nil)
  }
}
