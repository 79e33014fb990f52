import Simulation
import Transport
import Wire

@testable import Server
@testable import StickerPitClient

/// A link on the network in memory, whose clock it has too.
final class VirtualLink: PitLink, ClientDelegate, @unchecked Sendable {
  private let inbox: LinkInbox
  private let pool: () -> MemoryClients
  private var connection: (any Connection)?
  private var isClosed = false
  /// What the client said, but for what could not be read.
  private(set) var said: [ClientMessage] = []
  /// Whether what the server says is lost on its way.
  var isDeaf = false
  /// Changes what the client says before the server gets it.
  var distort: (([UInt8]) -> [UInt8])?

  init(_ pit: VirtualServer) {
    let clock = NetworkClock(pit.network)
    inbox = LinkInbox { clock.now }
    var pool: MemoryClients?
    self.pool = { pool! }
    pool = pit.network.clients(self)
    pool!.connect()
  }

  /// Has the client hear something that the server did not say.
  func forge(_ bytes: [UInt8]) { inbox.put(.message(bytes)) }
  func forge(_ kind: LinkEvent.Kind) { inbox.put(kind) }

  /// Breaks the line: the client notices at once.
  func lose() { connection.map { pool().lose($0.id) } }

  func send(_ message: [UInt8]) {
    let bytes = distort?(message) ?? message
    if let message = try? ClientMessage.decode(bytes) { said.append(message) }
    _ = connection?.send(OutgoingFrame(copying: bytes))
  }

  func take() -> [LinkEvent] { inbox.take() }

  func close() {
    isClosed = true
    connection?.close(.normal, reason: "")
  }

  func clientOpened(_ connection: any Connection) {
    if isClosed { return connection.close(.normal, reason: "") }
    self.connection = connection
    inbox.put(.opened)
  }

  func client(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {
    guard !isDeaf else { return }
    if !inbox.put(.message(Array(bytes))) { connection.close(.normal, reason: "") }
  }

  func clientClosed(_ connection: any Connection, code: CloseCode, reason: String) {
    self.connection = nil
    inbox.put(.closed(code: code.rawValue, reason: reason))
  }

  func clientFailed(_ id: UInt64, error: TransportError) { inbox.put(.failed(error.description)) }
}

/// The network's time in milliseconds. Sendable because all of a virtual network happens on one
/// thread.
final class NetworkClock: @unchecked Sendable {
  private weak var network: MemoryNetwork?
  init(_ network: MemoryNetwork) { self.network = network }
  var now: Double { Double(network?.now ?? 0) / 1e6 }
}

/// A client of a virtual server, with a screen of 60 Hz.
final class VirtualApp {
  let client: PitClient
  let pit: VirtualServer
  private let links: Links
  private(set) var picture: PitPicture

  private final class Links {
    var all: [VirtualLink] = []
    var prepare: (VirtualLink) -> Void = { _ in }
  }

  /// - Parameter prepare: does something to each new link.
  init(
    _ pit: VirtualServer, _ stream: StreamKind = .replica, token: SessionToken? = nil,
    isWatching: Bool = false, keepsToStream: Bool = true,
    prepare: @escaping (VirtualLink) -> Void = { _ in }
  ) {
    self.pit = pit
    let links = Links()
    links.prepare = prepare
    self.links = links
    let clock = NetworkClock(pit.network)
    client = PitClient(
      PitClient.Wishes(stream: stream, isWatching: isWatching, keepsToStream: keepsToStream),
      token: token, clock: { clock.now }, seed: 1,
      dial: {
        let link = VirtualLink(pit)
        links.prepare(link)
        links.all.append(link)
        return link
      })
    client.connect()
    picture = client.picture()
  }

  /// Other people of the same pit, whose screens show pictures at the same time.
  var others: [VirtualApp] = []

  /// The links so far; the last one is in use.
  var link: VirtualLink { links.all[links.all.count - 1] }
  var attempts: Int { links.all.count }

  /// Shows pictures for so many seconds. Returns whether something was so in one of them; without a
  /// condition never.
  @discardableResult
  func run(seconds: Double, until isSo: (PitPicture) -> Bool = { _ in false }) -> Bool {
    for _ in 0..<Int((seconds * 60).rounded()) {
      pit.advance(seconds: 1.0 / 60)
      for app in others + [self] { app.picture = app.client.picture() }
      if isSo(picture) { return true }
    }
    return false
  }

  /// The stickers of the server's world, by their slots.
  var truth: [StreamBody] {
    get throws {
      let world = try Replica(snapshot: pit.server.runner.savedWorld.packed())
      var bodies: [StreamBody] = []
      world.pit.bodies(into: &bodies)
      return bodies
    }
  }

  /// The largest distance of a sticker from its place in the server's world, in points; nil if the
  /// stickers are others.
  var error: Float? {
    get throws {
      let truth = try truth
      guard truth.map({ Int($0.slot) }) == picture.stickers.map(\.id) else { return nil }
      return zip(truth, picture.stickers).map { body, sticker in
        PitVector(body.x - sticker.center.x, body.y - sticker.center.y).length
      }.max() ?? 0
    }
  }
}
