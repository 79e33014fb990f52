// Transport carries whole binary messages between a server and its clients, and nothing of what
// they mean. Two ways implement the same protocols:
//
//   Listener, ClientPool, Connection     what an owner holds
//   ListenerDelegate, ClientDelegate     what an owner implements
//   WebSocketListener, WebSocketClients  on sockets, by libwebsockets and libev
//   MemoryNetwork                        in memory, on a virtual clock, with seeded faults
//
// No type of the C libraries leaves this module. Each listener and each client pool has one thread;
// its delegate and its connections live there.

/// Something that accepts WebSocket connections: ``WebSocketListener`` on sockets or
/// ``MemoryListener`` in memory.
public protocol Listener: AnyObject, Sendable {
  /// Has the network thread call ``ListenerDelegate/woken()`` soon. May be called from any thread,
  /// neither waits nor allocates; a call after `stop` does nothing.
  func wake()

  /// Lets nobody in any more: the port is closed, so that another process can have it at once, and
  /// no WebSocket is opened. Connections go on, and visitors who are here get their answers, until
  /// `stop`. Returns before it has happened. Safe to repeat.
  func closePort()

  /// Closes every connection with ``CloseCode/goingAway``, stops accepting and returns when no
  /// further delegate call can come. Not to be called from a delegate call. Safe to repeat.
  func stop()
}

/// Receives everything that happens to a listener's connections. All calls come on the one network
/// thread of the listener (or from ``MemoryNetwork/advance(by:)``), never two at a time.
///
/// The listener holds its delegate from `init` on.
public protocol ListenerDelegate: AnyObject {
  /// A WebSocket handshake is complete. `connectionClosed` follows exactly once.
  func connectionOpened(_ connection: any Connection)

  /// One whole binary message arrived, at most ``ListenerConfiguration/maximumMessageBytes`` long.
  /// The bytes are valid during the call only.
  func connection(_ connection: any Connection, received bytes: UnsafeRawBufferPointer)

  /// The connection is over, whoever ended it. It takes no frame any more.
  func connectionClosed(_ connection: any Connection)

  /// ``Listener/wake()`` was called since the last time; several calls may arrive as one.
  func woken()

  /// The network thread was not run for a while: the process was stopped, or the machine is
  /// overloaded. Called before anything that arrived meanwhile is delivered, so that limits by the
  /// clock can forgive what honest clients sent in that time.
  ///
  /// - Parameter nanoseconds: how long it stood still, more than half a second.
  func stoodStill(nanoseconds: UInt64)

  /// Answers a plain HTTP request that wants to be told something, a `GET` or `HEAD`. Must not
  /// block: the frames of all clients wait behind it. What takes long to make is made elsewhere and
  /// answered through `later`.
  func respond(to request: HTTPRequest, later: HTTPLater) -> HTTPReply

  /// The same for a request that wants something done, a `POST`, which has no body. Whatever is
  /// left to the web folder is answered 405: files are only read.
  func act(on request: HTTPRequest, later: HTTPLater) -> HTTPReply
}

extension ListenerDelegate {
  public func woken() {}
  public func stoodStill(nanoseconds: UInt64) {}
  public func respond(to request: HTTPRequest, later: HTTPLater) -> HTTPReply { .file }
  public func act(on request: HTTPRequest, later: HTTPLater) -> HTTPReply { .file }
}

/// Many client connections to one server on one loop: ``WebSocketClients`` on sockets or
/// ``MemoryClients`` in memory.
public protocol ClientPool: AnyObject, Sendable {
  /// Starts one more connection and returns its number: 0 for the first, then counting up. The
  /// outcome comes through the delegate. May be called from any thread.
  @discardableResult
  func connect() -> UInt64

  /// Ends every connection and returns when no further delegate call can come. Not to be called
  /// from a delegate call. Safe to repeat.
  func stop()
}

/// Receives everything that happens to the connections of a client pool, on its one loop thread
/// (or from ``MemoryNetwork/advance(by:)``), never two calls at a time.
public protocol ClientDelegate: AnyObject {
  /// The handshake of a `connect()` is complete. `clientClosed` follows exactly once.
  func clientOpened(_ connection: any Connection)

  /// One whole binary message arrived. The bytes are valid during the call only.
  func client(_ connection: any Connection, received bytes: UnsafeRawBufferPointer)

  /// An open connection is over.
  ///
  /// - Parameter code: from the close frame that was received, else of our own close, else
  ///   ``CloseCode/abnormal``.
  func clientClosed(_ connection: any Connection, code: CloseCode, reason: String)

  /// A `connect()` did not lead to an open connection: ``TransportError/refused(_:)``,
  /// ``TransportError/handshakeRejected(status:)`` or ``TransportError/connectionFailed(_:)``.
  ///
  /// - Parameter id: what `connect()` returned.
  func clientFailed(_ id: UInt64, error: TransportError)

  /// The pool's interval has passed. Intervals are counted on absolute deadlines; those that were
  /// missed come as one call.
  ///
  /// - Parameter nowNanoseconds: ``MonotonicClock/nanoseconds()``, or the virtual time.
  func timerFired(nowNanoseconds: UInt64)

  /// ``WebSocketClients/wake()`` was called; several calls may come as one.
  func woken()
}

extension ClientDelegate {
  public func woken() {}

  public func timerFired(nowNanoseconds: UInt64) {}
}

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
