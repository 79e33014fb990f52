/// What can keep a listener from starting or a client from connecting. The description is one line
/// that says what to do.
public enum TransportError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Another program already listens there.
  case portInUse(host: String, port: UInt16)
  /// Ports below 1024 need a privilege.
  case portNotPermitted(host: String, port: UInt16)
  /// The host names no address of this machine.
  case addressUnavailable(host: String, reason: String)
  /// The folder to serve is missing, is no folder, or cannot be read.
  case webFolderUnreadable(path: String, reason: String)
  /// The certificate file is missing, unreadable or not a PEM certificate.
  case certificateUnreadable(path: String, reason: String)
  /// The key file is missing, unreadable or not an unencrypted PEM private key.
  case privateKeyUnreadable(path: String, reason: String)
  /// A certificate was to be made, and can't be kept.
  case certificateUnwritable(path: String, reason: String)
  /// The private key does not belong to the certificate.
  case keyMismatch(certificate: String, key: String)
  /// A configured value is out of its range.
  case badConfiguration(String)
  /// libwebsockets could not be set up.
  case setupFailed(String)
  /// `start` was called a second time.
  case alreadyStarted
  /// The text is no `ws://` or `wss://` address.
  case invalidURL(String)
  /// The file of certificates to trust can't be read.
  case caFileUnreadable(path: String, reason: String)
  /// The text is no `http://` or `https://` address.
  case invalidHTTPURL(String)
  /// Nobody listens at the server's address.
  case refused(String)
  /// The server answered the handshake with this HTTP status instead of 101.
  case handshakeRejected(status: Int)
  /// The connection failed otherwise: unknown host, TLS refused, time out.
  case connectionFailed(String)

  public var description: String {
    switch self {
    case .portInUse(let host, let port):
      "port \(port) on \(host) is already in use: stop the other program or choose another --port"
    case .portNotPermitted(let host, let port):
      "not allowed to listen on port \(port) of \(host): choose a --port of 1024 or more"
    case .addressUnavailable(let host, let reason):
      "cannot listen on host \(host) (\(reason)): use 0.0.0.0, :: or an address of this machine"
    case .webFolderUnreadable(let path, let reason):
      "cannot read the web folder \(path) (\(reason)): check --web"
    case .certificateUnreadable(let path, let reason):
      "cannot use the certificate \(path) (\(reason)): --tls-cert needs a PEM certificate file"
    case .privateKeyUnreadable(let path, let reason):
      "cannot use the private key \(path) (\(reason)): --tls-key needs an unencrypted PEM key file"
    case .certificateUnwritable(let path, let reason):
      "the certificate that the server makes can't be written to \(path) (\(reason))"
    case .keyMismatch(let certificate, let key):
      "the private key \(key) does not belong to the certificate \(certificate)"
    case .badConfiguration(let text):
      text
    case .setupFailed(let text):
      "cannot set up libwebsockets: \(text)"
    case .alreadyStarted:
      "the transport was started twice"
    case .invalidURL(let url):
      "\(url) is no WebSocket address: use ws://host:port/ws or wss://host:port/ws"
    case .caFileUnreadable(let path, let reason):
      "cannot read the certificates in \(path) (\(reason))"
    case .invalidHTTPURL(let url):
      "\(url) is no web address: use http://host:port or https://host:port"
    case .refused(let address):
      "nobody listens at \(address): is the server running?"
    case .handshakeRejected(let status):
      "the server refused the WebSocket with HTTP status \(status)"
    case .connectionFailed(let reason):
      "the connection failed: \(reason)"
    }
  }
}
