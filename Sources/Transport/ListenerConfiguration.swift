/// Where and how a ``WebSocketListener`` listens. Every limit has a default that fits a venue of
/// phones, with its reason beside it.
public struct ListenerConfiguration: Sendable {
  /// A numeric address or a name of this machine. `0.0.0.0` is all of IPv4, `::` all of IPv6 and
  /// IPv4 together.
  public var host: String
  /// TCP port; 0 takes any free one, see ``WebSocketListener/port``.
  public var port: UInt16
  /// Folder with the page, or `nil` to serve no files.
  public var webFolder: String?
  /// The one path that takes WebSocket handshakes.
  public var socketPath: String
  /// The subprotocol that a client must offer.
  public var subprotocol: String
  /// Values of the `Origin` header that may connect, such as `https://pit.example`, besides pages
  /// of the host and port that they connect to. A client without an `Origin` header is no browser
  /// and is let in.
  public var allowedOrigins: [String]
  /// Names without a port by which clients may call this server in their `Host` header, besides
  /// addresses, `localhost` and the name of this machine; `*` allows every name. Others are
  /// answered with 421, so that no foreign page can have its own name point here and pass for this
  /// server's.
  public var allowedHosts: [String]
  /// Addresses and prefixes, such as `10.0.0.0/8`, of proxies that say for whom they connect: by
  /// the PROXY protocol, or by `X-Forwarded-For`. From everybody else neither is believed.
  public var trustedProxies: [String]
  /// Largest message of a client, over all its fragments; a larger one closes the connection with
  /// ``CloseCode/tooBig``. The longest message of the protocol has less than half of the default.
  public var maximumMessageBytes: Int
  /// WebSocket connections at the same time; more are answered with 503.
  public var maximumConnections: Int
  /// WebSocket connections of one address, or IPv6 /64, at the same time. A venue behind one router
  /// is one address, so this is generous.
  public var maximumConnectionsPerAddress: Int
  /// After so many seconds without a sign of life the client is sent a ping.
  public var pingSeconds: Int
  /// No client is without a sign of life for longer than so many seconds: it is given up a moment
  /// before.
  public var silenceSeconds: Int
  /// Whether a client that reads late is sent nothing until it has read what it was sent, so that
  /// what it reads is new: right for frames that the next one makes old. ``Connection/send(_:)``
  /// then answers ``SendStatus/backpressure``, as for a full pipe.
  public var holdsLateReaders = true
  /// How much of everything else is taken.
  public var traffic: TrafficLimits
  /// PEM files for TLS; `nil` serves plain text.
  public var tls: TLSFiles?
  /// What the keys of TLS session tickets are made of: with the same one and the same certificate
  /// the next process takes up the sessions of this one, which spares both sides a part of the
  /// handshake. Whoever has it can read tickets, and pass for this server with who comes back with
  /// one. `nil`, or no bytes, for a secret that ends with the process.
  public var ticketSecret: [UInt8]?
  /// Whether several listeners, each with its own thread, share one port.
  public var portSharing: PortSharing
  /// Descriptors of TCP sockets that listen already, such as a service manager hands over; they
  /// stay the caller's and open. Given any, nothing is bound, and host and port mean nothing.
  public var handedSockets: [Int32] = []
  /// Where the listener counts what monitoring reads.
  public var counts = PortCounts()
  /// Receives a line for every trouble that libwebsockets or the listener reports, on any thread.
  /// Visitors can cause some of them as often as they connect: whoever keeps lines sums them.
  public var log: @Sendable (String) -> Void

  /// Certificate chain and private key, both PEM.
  public struct TLSFiles: Sendable, Equatable {
    public var certificate: String
    public var key: String

    public init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// How the port is bound.
  public enum PortSharing: Sendable {
    /// Nobody else can listen on the port.
    case exclusive
    /// Proves that the port is free, then lets ``next`` listeners in.
    case first
    /// Joins a ``first`` listener of this process on its port.
    case next
  }

  public init(
    host: String = "0.0.0.0", port: UInt16 = 8080, webFolder: String? = nil,
    socketPath: String = "/ws", subprotocol: String = "stickerpit.v1",
    allowedOrigins: [String] = [], allowedHosts: [String] = [],
    trustedProxies: [String] = [], maximumMessageBytes: Int = 128,
    maximumConnections: Int = 4096, maximumConnectionsPerAddress: Int = 512,
    pingSeconds: Int = 10, silenceSeconds: Int = 15, traffic: TrafficLimits = TrafficLimits(),
    tls: TLSFiles? = nil,
    portSharing: PortSharing = .exclusive, log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.host = host
    self.port = port
    self.webFolder = webFolder
    self.socketPath = socketPath
    self.subprotocol = subprotocol
    self.allowedOrigins = allowedOrigins
    self.allowedHosts = allowedHosts
    self.trustedProxies = trustedProxies
    self.maximumMessageBytes = maximumMessageBytes
    self.maximumConnections = maximumConnections
    self.maximumConnectionsPerAddress = maximumConnectionsPerAddress
    self.pingSeconds = pingSeconds
    self.silenceSeconds = silenceSeconds
    self.traffic = traffic
    self.tls = tls
    self.portSharing = portSharing
    self.log = log
  }
}
