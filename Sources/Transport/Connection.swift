/// One open WebSocket connection, seen from either end.
///
/// A connection belongs to the thread that called its delegate: every member may be used there and
/// nowhere else. It never calls a delegate from inside ``send(_:)`` or ``close(_:reason:)``.
public protocol Connection: AnyObject {
  /// Unique in its listener or client pool, never reused. In a client pool it is the number that
  /// ``ClientPool/connect()`` returned.
  var id: UInt64 { get }

  /// The peer's numeric IP address without its port, such as `192.168.1.20` or `::1`. An IPv4 peer
  /// of an IPv6 socket is written as IPv4.
  var remoteAddress: String { get }

  /// What limits for each address count this connection by.
  var addressPrefix: AddressPrefix { get }

  /// The owner's state for this connection, kept alive until the connection is closed. Reading it
  /// is how a delegate finds its session without a dictionary.
  var session: AnyObject? { get set }

  /// How it ended, or is about to: abnormally, until one side closes.
  var end: ConnectionEnd { get }

  /// Whether messages are delivered, `true` at first. While it is `false` they wait in the kernel's
  /// buffers and soon make the peer's sends answer ``SendStatus/backpressure``: a slow reader, for
  /// tests and bots.
  var isReading: Bool { get set }

  /// Has the kernel keep 128 kB at most of what is not read yet, instead of many seconds of frames.
  /// For slow readers, right after the connection opened: what has come before and does not
  /// fit would be lost, and the peer would send it again after ever longer pauses.
  func shrinkReceiveBuffer()

  /// Writes one binary message, or nothing at all.
  ///
  /// A frame is never queued behind another one: when the last frame is not yet in the socket, or
  /// the socket already holds unsent bytes, the answer is ``SendStatus/backpressure``.
  func send(_ frame: OutgoingFrame) -> SendStatus

  /// A shorter way for a frame that goes to many, as long as this connection has one.
  var fastPath: FastPath? { get }

  /// Starts to close: sends a close frame with `code` and `reason`, then waits a few seconds at
  /// most for the peer's answer. From now on ``send(_:)`` answers ``SendStatus/closed``; the
  /// delegate hears of the end later, once.
  ///
  /// - Parameter reason: at most 123 bytes of UTF-8 are sent; more are cut off.
  func close(_ code: CloseCode, reason: String)
}

extension Connection {
  public var fastPath: FastPath? { nil }
}

/// What became of a frame that was given to ``Connection/send(_:)``.
public enum SendStatus: Sendable {
  /// The frame was accepted whole: it is in the socket, or its tail waits directly behind it.
  case sent
  /// The peer reads too slowly. Nothing was written: skip this frame, and let the next one that is
  /// accepted stand on its own (a keyframe or a catch-up).
  case backpressure
  /// The connection is closed or closing. Nothing was written and nothing will be.
  case closed
}
