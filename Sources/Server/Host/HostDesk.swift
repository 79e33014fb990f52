import Logging
import Simulation
import Synchronization
import Transport
import Wire

/// Answers what the host asks for by `/api/host/`, on whatever network thread it comes: who may ask
/// stands here, what is told in `HostDesk+Pages`, what is done in `HostDesk+Acts`.
///
/// An act's effect is left for whom it concerns: for the tick thread what the world feels, for the
/// network threads what their clients are told. Nothing here waits.
final class HostDesk: Sendable {
  /// What every path begins with.
  static let path = "/api/host/"

  let exchange: Exchange
  let directory: Directory
  let handOvers: HandOverBox
  let settings: LiveSettings
  /// How this server shares its world with others; nil for a server on its own.
  private let cluster: (any ClusterRunning)?
  /// The most bodies that the server was started with.
  let maxBodies: Int
  let shape: WorldShape
  private let log: ServerLog
  private let wallClock: @Sendable () -> UInt64
  private let state: Mutex<State>

  private struct State {
    var token: HostToken?
    var wrongTokens = WrongTokens()
    var audit = HostAudit()
  }

  /// - Parameters:
  ///   - token: who shows it is the host; nil for a server without one.
  ///   - cluster: how the world is shared with other servers: only the one that leads it takes acts
  ///     that the world feels.
  ///   - maxBodies: the most bodies that any of its worlds is made for.
  ///   - shape: of its pits.
  ///   - log: gets a line for each act.
  ///   - wallClock: milliseconds since 1970.
  init(
    token: HostToken?, maxBodies: Int, shape: WorldShape, exchange: Exchange,
    directory: Directory,
    handOvers: HandOverBox, settings: LiveSettings, cluster: (any ClusterRunning)? = nil,
    log: ServerLog, wallClock: @escaping @Sendable () -> UInt64
  ) {
    state = Mutex(State(token: token))
    self.maxBodies = maxBodies
    self.shape = shape
    self.exchange = exchange
    self.directory = directory
    self.handOvers = handOvers
    self.settings = settings
    self.cluster = cluster
    self.log = log
    self.wallClock = wallClock
    let mostPeople = settings.value.mostPeople
    directory.changeGate { $0.mostPeople = mostPeople }
  }

  /// From now on the host is who shows this token; with nil nobody is.
  func change(token: HostToken?) {
    state.withLock { $0.token = token }
  }

  /// Whether acts that the world feels are carried out here.
  var runsWorld: Bool { cluster.map { $0.health.role == "leader" } ?? true }

  /// What was done, the newest first.
  var audit: [HostAudit.Entry] { state.withLock { $0.audit.newest } }

  /// Answers a request for a path that begins with ``path``.
  /// - Parameters:
  ///   - view: the world as the asking thread knows it.
  ///   - now: monotonic nanoseconds.
  func answer(_ request: HTTPRequest, _ view: HostView, at now: UInt64) -> HTTPResponse {
    let name = String(request.path.dropFirst(Self.path.count))
    do throws(HostRefusal) {
      try checkRight(request, name, at: now)
      if let page = HostPage(rawValue: name) {
        guard request.method != "POST" else { throw .method("GET, HEAD") }
        _ = try HostParameters(request.query, allowing: [])
        return .json(json(of: page, view, at: now))
      }
      guard let act = HostDeed(rawValue: name) else {
        throw HostRefusal(404, "there is no \(HostAudit.shown(request.path))")
      }
      guard request.method == "POST" else { throw .method("POST") }
      return try perform(act, request, view, at: now)
    } catch {
      return error.response
    }
  }

  // MARK: The right to ask

  /// Throws unless it is the host who asks. A foreign page is told nothing of the token, so that it
  /// can't have a visitor's browser guess it. Who shows none is counted like who shows a wrong one:
  /// neither the page nor `stickerpit admin` asks before it has a token.
  private func checkRight(
    _ request: HTTPRequest, _ name: String, at now: UInt64
  ) throws(HostRefusal) {
    guard let token = state.withLock({ $0.token }) else {
      throw HostRefusal(404, "this server has no host: see --admin-token-file")
    }
    guard !request.isCrossSite else {
      throw HostRefusal(403, "another page may not act for the host")
    }
    if token.isShown(by: request.authorization) { return }
    let address = AddressPrefix(request.remoteAddress)
    if let seconds = state.withLock({ $0.wrongTokens.count(from: address, at: now) }) {
      throw HostRefusal(
        429, "too many requests without the host's token from your address",
        [.init("Retry-After", "\(seconds)")])
    }
    let isMissing = request.authorization.isEmpty
    noteTry(request, name, isMissing ? "no token" : "wrong token")
    throw HostRefusal(
      401,
      isMissing
        ? "show the host's token: 'Authorization: Bearer TOKEN'" : "this is not the host's token",
      [.init("WWW-Authenticate", "Bearer")])
  }

  // MARK: What is remembered

  private func noteTry(_ request: HTTPRequest, _ name: String, _ outcome: String) {
    let entry = HostAudit.Entry(
      time: wallClock(), address: request.remoteAddress, act: "refused",
      details: HostAudit.shown(name), outcome: outcome)
    state.withLock { $0.audit.addTry(entry) }
    log.write(
      .notice, "somebody asked as the host, with \(outcome)",
      ["address": "\(entry.address)", "path": "\(entry.details)"])
  }

  private func perform(
    _ deed: HostDeed, _ request: HTTPRequest, _ view: HostView, at now: UInt64
  ) throws(HostRefusal) -> HTTPResponse {
    var entry = HostAudit.Entry(
      time: wallClock(), address: request.remoteAddress, act: deed.rawValue,
      details: "", outcome: "done")
    defer { note(entry) }
    do throws(HostRefusal) {
      let parameters = try HostParameters(request.query, allowing: deed.parameters)
      entry.details = parameters.details
      let more = try carryOut(deed, parameters, view, at: now)
      let fields = [#""done":"\#(deed.rawValue)""#] + more
      return .json("{\(fields.joined(separator: ","))}\n")
    } catch {
      entry.outcome = "\(error.status) \(error.text)"
      throw error
    }
  }

  private func note(_ entry: HostAudit.Entry) {
    state.withLock { $0.audit.addAct(entry) }
    log.record(
      .notice, "the host acted",
      [
        "act": "\(entry.act)", "details": "\(entry.details)", "outcome": "\(entry.outcome)",
        "address": "\(entry.address)",
      ])
  }
}
