import Transport

/// Why a connection ended. The raw values are what monitoring calls the causes.
enum EndCause: String, CaseIterable, Sendable {
  // The session ended it, with a close frame that says why.

  /// It broke a limit of its own.
  case limits
  /// A message was malformed, or not one that may come then.
  case errors
  /// No frame could be written to it for too long.
  case stalling
  /// It said no hello in time.
  case noHello = "no_hello"
  /// There was no room, no time or no allowance for its person.
  case busy
  /// It speaks another version.
  case otherVersion = "other_version"
  /// It asked for a stream that is not offered.
  case otherStream = "other_stream"
  /// Its person went on with another connection.
  case moved
  /// The host removed its person, or keeps its address out.
  case removed
  /// Another server of the same world has its person's number: it joins anew, as somebody else.
  case numberLost = "number_lost"
  /// The server ended.
  case restart

  // It ended without the session.

  /// It broke RFC 6455, or sent too much for any session.
  case websocket
  /// No sign of life came for too long.
  case halfOpen = "half_open"
  /// Its client closed it.
  case client
  /// The network lost it, or the client ended it without a word.
  case lost

  /// How a connection ended that the session did not end.
  init(_ end: ConnectionEnd) {
    switch (end.isOwn, end.code) {
    case (true, .abnormal): self = .halfOpen
    // The farewell did not reach it in time.
    case (true, .goingAway): self = .restart
    case (true, _): self = .websocket
    case (false, .abnormal): self = .lost
    case (false, _): self = .client
    }
  }

  /// What a session's close frame says; nil for what no session ends.
  var code: CloseCode? {
    switch self {
    case .limits, .stalling, .noHello: .policy
    case .errors: .protocolError
    case .busy, .numberLost: .tryAgainLater
    case .otherVersion: .unsupportedVersion
    case .otherStream: .unsupportedStream
    case .moved: .continuedElsewhere
    case .removed: .removedByHost
    case .restart: .serviceRestart
    case .websocket, .halfOpen, .client, .lost: nil
    }
  }

  /// Whether it is what happens every day, and no operator need read of it.
  var isUsual: Bool {
    switch self {
    case .moved, .removed, .restart, .halfOpen, .client, .lost: true
    case .limits, .errors, .stalling, .noHello, .busy, .otherVersion, .otherStream, .numberLost,
      .websocket:
      false
    }
  }
}

/// The codes of `stickerpit.v1` itself, from the range 4000…4099 that PROTOCOL.md sets aside.
extension CloseCode {
  /// The hello's version is not the server's; the reason names both.
  static let unsupportedVersion = CloseCode(rawValue: 4000)
  /// The hello asks for a stream that this server does not offer.
  static let unsupportedStream = CloseCode(rawValue: 4001)
  /// The same person came back on another connection.
  static let continuedElsewhere = CloseCode(rawValue: 4002)
  /// The host removed the person, or keeps the address out for a while.
  static let removedByHost = CloseCode(rawValue: 4003)
}
