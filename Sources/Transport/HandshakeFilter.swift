/// Decides whether a request may become a WebSocket.
struct HandshakeFilter {
  let path: String
  let subprotocol: String
  let allowedOrigins: [String]

  /// What a handshake asks for; empty where the header is missing.
  struct Request {
    var path: String
    var offeredSubprotocols = ""
    var origin = ""
    var host = ""
    var version = ""
    var key = ""
  }

  /// The answer to a handshake that is refused.
  struct Refusal: Equatable {
    let status: Int
    let reason: String
  }

  /// `nil` when the handshake may go on.
  func refusal(of request: Request) -> Refusal? {
    guard request.path == path else {
      return Refusal(status: 404, reason: "WebSockets are at \(path)")
    }
    guard request.version == "13", !request.key.isEmpty else {
      return Refusal(status: 400, reason: "not a WebSocket handshake of version 13")
    }
    guard offers(request.offeredSubprotocols) else {
      return Refusal(status: 400, reason: "the subprotocol must be \(subprotocol)")
    }
    guard allows(origin: request.origin, host: request.host) else {
      return Refusal(status: 403, reason: "this origin may not connect")
    }
    return nil
  }

  private func offers(_ list: String) -> Bool {
    list.split(separator: ",").contains { offered in
      offered.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" } == subprotocol
    }
  }

  /// A browser always names the origin of the page. It must be the host that it connects to, or one
  /// of the list, so that a foreign page cannot use its visitors' access to this server.
  private func allows(origin: String, host: String) -> Bool {
    if origin.isEmpty { return true }
    if allowedOrigins.contains(origin) { return true }
    for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
      return origin.dropFirst(scheme.count).lowercased() == host.lowercased()
    }
    return false
  }
}
