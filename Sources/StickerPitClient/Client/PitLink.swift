import Foundation

/// One connection to a server, as a client needs it: binary WebSocket messages at the address `/ws`
/// with the subprotocol `PitClient.subprotocol`.
///
/// A link collects what arrives until the client takes it, so no call comes back into the client
/// and nobody waits for anybody. On Apple's systems `URLSessionLink` is one, on Linux `SocketLink`
/// of the module `StickerPitSocket`. Whoever writes another one keeps what arrives in a
/// `LinkInbox`. A link is used for one connection and never again.
public protocol PitLink: AnyObject, Sendable {
  /// Sends a binary message of at most 128 bytes behind those that were sent before. Returns at
  /// once; a message that can't be sent any more is lost, and `take()` tells of the end.
  func send(_ message: [UInt8])

  /// Takes what happened since the last call, the oldest first.
  func take() -> [LinkEvent]

  /// Ends the connection. Returns at once. Calling it again does nothing.
  func close()
}

/// Something that happened on a link.
public struct LinkEvent: Equatable, Sendable {
  /// What a link tells.
  public enum Kind: Equatable, Sendable {
    /// The server has taken the connection.
    case opened
    /// A whole binary message came.
    case message([UInt8])
    /// The connection was closed with a code of RFC 6455 and a reason; 1006 if it was lost.
    case closed(code: UInt16, reason: String)
    /// The connection could not be made, or the link gave it up; in words.
    case failed(String)
  }

  /// When it happened, in milliseconds of the client's clock.
  public var time: Double
  /// What happened.
  public var kind: Kind

  /// Something that happened at a time, in milliseconds of the client's clock.
  public init(_ kind: Kind, at time: Double) {
    self.kind = kind
    self.time = time
  }
}

/// Keeps what arrives on a link until a client takes it. May be used on any thread.
///
/// A client that isn't asked for pictures takes nothing, as an app in the background. So there is
/// a limit, beyond which everything is forgotten and the link has failed: the client then begins
/// with a new connection, which brings the world in one message.
public final class LinkInbox: @unchecked Sendable {
  /// Events that wait at most: the server closes a connection whose messages nobody has taken for
  /// 20 s, in which 1200 frames come.
  public static let mostEvents = 2048
  /// Bytes that wait at most: the largest message, a snapshot, has 1 MiB, and frames of a full
  /// pit have about 1 kB each.
  public static let mostBytes = 4 << 20

  private let lock = NSLock()
  private let clock: @Sendable () -> Double
  // All of these are used with the lock held.
  private var events: [LinkEvent] = []
  private var bytes = 0
  private var hasEnded = false

  /// An empty inbox.
  /// - Parameter clock: milliseconds of a steady clock, the one that the client has.
  public init(clock: @escaping @Sendable () -> Double = PitClock.milliseconds) {
    self.clock = clock
  }

  /// Keeps something that happened, with the present time. Nothing is kept after an end.
  /// - Returns: whether the link is to go on; if not, it closes its connection.
  @discardableResult
  public func put(_ kind: LinkEvent.Kind) -> Bool {
    let time = clock()
    return lock.withLock {
      guard !hasEnded else { return false }
      switch kind {
      case .closed, .failed: hasEnded = true
      case .message(let message): bytes += message.count
      case .opened: break
      }
      events.append(LinkEvent(kind, at: time))
      guard events.count > Self.mostEvents || bytes > Self.mostBytes else { return !hasEnded }
      events = [LinkEvent(.failed("nobody took what the server sent"), at: time)]
      bytes = 0
      hasEnded = true
      return false
    }
  }

  /// Takes what there is, the oldest first.
  public func take() -> [LinkEvent] {
    lock.withLock {
      defer { (events, bytes) = ([], 0) }
      return events
    }
  }
}

/// The clock of clients and links.
public enum PitClock {
  /// Milliseconds since the machine was started, without the time for which it slept.
  @Sendable public static func milliseconds() -> Double {
    ProcessInfo.processInfo.systemUptime * 1000
  }
}
