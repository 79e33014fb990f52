import CNATS
import Foundation
import Synchronization
import TickLog

/// The meeting place of a world's servers on NATS with JetStream.
///
/// - `pit.NAME.log` goes into the stream `PIT_NAME`, which publishes what it stored again under
///   `pit.NAME.stored`: a subscriber of the first would also see what the stream refuses.
/// - `pit.NAME.world` keeps the last two snapshots in the stream `PIT_NAME_WORLDS`.
/// - `pit.NAME.leader` and `pit.NAME.block.N` are claims: the last message of each subject counts,
///   and only until it is too old for its stream.
/// - `pit.NAME.inputs` and `pit.NAME.presence` are ordinary subjects.
///
/// Requests go out with a reply subject that says what they are and ends in their token.
public final class JetStreamLink: ClusterLink {
  /// How to reach NATS.
  public struct Settings: Sendable {
    /// URLs parted by commas, such as `nats://127.0.0.1:4222`.
    public var url: String
    /// The world's name.
    public var world: String
    /// On how many servers of a NATS cluster everything is kept, 1…5.
    public var replicas: Int
    /// A file of credentials (`nsc`); nil for none but what the URL has.
    public var credentials: String?
    /// The certificate authority to trust, PEM; nil for the system's.
    public var authority: String?

    public init(
      url: String, world: String, replicas: Int = 1, credentials: String? = nil,
      authority: String? = nil
    ) {
      precondition(Self.isName(world))
      self.url = url
      self.world = world
      self.replicas = replicas
      self.credentials = credentials
      self.authority = authority
    }

    /// The URLs as people may read them: without what stands between a user's name and the host.
    public var shownURL: String { Self.withoutPasswords(url) }

    /// Whether the connection must be encrypted: one URL that says so is enough.
    var wantsTLS: Bool {
      authority != nil || url.split(separator: ",").contains { $0.hasPrefix("tls://") }
    }

    /// URLs parted by commas with `***` in place of passwords, and of tokens, which stand alone.
    public static func withoutPasswords(_ urls: String) -> String {
      urls.split(separator: ",", omittingEmptySubsequences: false).map { part in
        guard var url = URLComponents(string: String(part)), url.user != nil else {
          return String(part)
        }
        if url.password == nil { url.user = "***" } else { url.password = "***" }
        return url.string ?? "***"
      }.joined(separator: ",")
    }

    /// Whether a text is a list of servers that libnats takes: of the schemes nats and tls, parted
    /// by commas.
    public static func areServers(_ text: String) -> Bool {
      let servers = text.split(separator: ",", omittingEmptySubsequences: false)
      return servers.allSatisfy { server in
        guard let url = URLComponents(string: String(server)), let scheme = url.scheme else {
          return false
        }
        return ["nats", "tls"].contains(scheme) && url.host?.isEmpty == false && url.path.isEmpty
      }
    }

    /// Whether a world can have this name: 1 to 32 letters of ASCII, digits, `-` and `_`, because
    /// it stands in names of subjects and streams.
    public static func isName(_ text: String) -> Bool {
      (1...32).contains(text.utf8.count)
        && text.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
          default: false
          }
        }
    }
  }

  private let names: StreamNames
  private let streams: [StreamSettings]
  private let connection: NATSConnection

  /// Connects and makes the streams that are missing: within five seconds, or it throws.
  public init(_ settings: Settings) throws(ClusterError) {
    names = StreamNames(settings.world)
    streams = names.streams(replicas: settings.replicas)
    connection = try NATSConnection(settings)
    for stream in streams { try connection.make(stream) }
  }

  /// NATS came back without its streams: a disk was replaced, or somebody deleted them. Whoever
  /// needs them asks again in a while, and then sees that the log ends too early.
  private static func makeAgain(_ streams: [StreamSettings], _ connection: NATSConnection) {
    for stream in streams {
      connection.publish(StreamNames.create(stream.name), stream.request)
    }
  }

  public func start(
    _ deliver: @escaping @Sendable (LinkEvent) -> Void
  ) throws(ClusterError) {
    do throws(ClusterError) { try subscribe(deliver) } catch {
      // Nobody hears half of what is said.
      connection.close()
      throw error
    }
    deliver(.connection(isUp: true))
  }

  private func subscribe(
    _ deliver: @escaping @Sendable (LinkEvent) -> Void
  ) throws(ClusterError) {
    connection.onChange { deliver(.connection(isUp: $0)) }
    try connection.subscribe(names.stored) { message in
      guard let sequence = message.sequence else { return }
      deliver(.stored(sequence: sequence, message.bytes))
    }
    try connection.subscribe(names.inputs) { deliver(.inputs($0.bytes)) }
    try connection.subscribe(names.presence) { deliver(.presence($0.bytes)) }
    try connection.subscribe(connection.inbox + ".*.*") { [streams, connection] message in
      let isStored = message.sequence != nil
      if !isStored, StreamAnswer(message).hasNoStream { Self.makeAgain(streams, connection) }
      if let event = Self.answer(message) { deliver(event) }
    }
  }

  // MARK: Asking

  public func append(_ bytes: [UInt8], after sequence: UInt64, id: String, token: UInt64) {
    connection.publish(
      names.log, bytes, reply: reply(.append, token),
      headers: ["Nats-Expected-Last-Sequence": "\(sequence)", "Nats-Msg-Id": id])
  }

  public func askMessage(_ sequence: UInt64, token: UInt64) {
    connection.publish(
      names.get(names.logStream), Array(#"{"seq":\#(sequence)}"#.utf8),
      reply: reply(.message, token))
  }

  public func askEnd(token: UInt64) {
    connection.publish(names.info(names.logStream), [], reply: reply(.end, token))
  }

  public func keep(world bytes: [UInt8]) {
    connection.publish(names.world, bytes)
  }

  public func askWorld(token: UInt64) {
    connection.publish(
      names.get(names.worldStream), Array(#"{"last_by_subj":"\#(names.world)"}"#.utf8),
      reply: reply(.world, token))
  }

  public func claim(_ key: ClaimKey, by member: UInt32, revision: UInt64, token: UInt64) {
    connection.publish(
      names.subject(of: key), Array("\(member)".utf8), reply: reply(.claim, token),
      headers: ["Nats-Expected-Last-Subject-Sequence": "\(revision)"])
  }

  public func send(inputs bytes: [UInt8]) { connection.publish(names.inputs, bytes) }

  public func send(presence bytes: [UInt8]) { connection.publish(names.presence, bytes) }

  public func close() { connection.close() }

  // MARK: Answers

  /// What an answer answers, as it stands in the reply subject.
  private enum Question: String {
    case append, message, end, world, claim
  }

  private func reply(_ question: Question, _ token: UInt64) -> String {
    "\(connection.inbox).\(question.rawValue).\(token)"
  }

  private static func answer(_ message: NATSMessage) -> LinkEvent? {
    let parts = message.subject.split(separator: ".").suffix(2)
    guard parts.count == 2, let question = Question(rawValue: String(parts.first!)),
      let token = UInt64(parts.last!)
    else { return nil }
    switch question {
    case .append: return .append(token: token, StreamAnswer(message).append)
    case .message:
      guard let sequence = message.sequence else {
        return message.isMissing ? .message(token: token, sequence: 0, nil) : nil
      }
      return .message(token: token, sequence: sequence, message.bytes)
    case .end:
      guard let state = StreamAnswer(message).state else { return nil }
      return .end(token: token, first: state.first, last: state.last)
    case .world:
      if message.sequence != nil { return .world(token: token, message.bytes) }
      return message.isMissing ? .world(token: token, nil) : nil
    case .claim: return StreamAnswer(message).claim.map { .claim(token: token, revision: $0) }
    }
  }
}
