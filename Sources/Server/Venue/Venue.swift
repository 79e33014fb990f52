import Foundation
import Transport

/// Where people find the page, for whoever shows it to them.
struct Venue: Sendable {
  /// Nil where only the visitor's own browser knows: it has come by some address.
  let publicURL: String?
  let code: JoinCode
  /// Whether the page's port speaks TLS.
  let isSecure: Bool
  /// This machine's address for others on the network, as it is now; nil without one.
  let networkAddress: @Sendable () -> String?

  /// The body of `/api/venue`.
  /// - Parameter host: what the request's `Host` says.
  func json(host: String) -> String {
    struct Body: Encodable {
      let address: String?
      let code: String
      let url: String?
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let body = Body(address: address(host: host), code: code.text, url: publicURL)
    let json = try? encoder.encode(body)
    return String(decoding: json ?? Data(), as: UTF8.self) + "\n"
  }

  /// The page's address as a picture that cameras read.
  /// - Parameter host: what the request's `Host` says.
  func qr(host: String) -> HTTPResponse {
    guard let address = address(host: host), let code = QRCode(address + "/") else {
      return .text("Who asks without a host is told no address.\n", status: 404)
    }
    return HTTPResponse(contentType: "image/svg+xml", body: Array(code.svg.utf8))
  }

  /// Scheme, host and port by which a phone finds the page: the public address, or else that by
  /// which the request came. To a phone, what a machine calls itself means the phone; then the
  /// machine's address on the network takes its place, if it has one.
  /// - Parameter host: what the request's `Host` says: a name that this server goes by, or an
  ///   address (`TrustedHosts`).
  func address(host: String) -> String? {
    if let publicURL { return publicURL }
    // A name has 253 bytes at most (RFC 1123), a port six with its colon.
    guard !host.isEmpty, host.utf8.count <= 260 else { return nil }
    var host = host
    if let port = Self.portOfThisMachine(host), let network = networkAddress() {
      host = network + port
    }
    return "\(isSecure ? "https" : "http")://\(host)"
  }

  /// What follows a name by which a machine calls itself: a port with its colon, or nothing; nil
  /// for another name.
  private static func portOfThisMachine(_ host: String) -> String? {
    let lowered = host.lowercased()
    for name in ["localhost", "127.0.0.1", "[::1]"] where lowered.hasPrefix(name) {
      let rest = lowered.dropFirst(name.count)
      if rest.isEmpty || rest.hasPrefix(":") { return String(rest) }
    }
    return nil
  }
}

/// Four letters by which somebody without a camera joins: they stand beside the QR code, and
/// `/j/ABCD` leads to the page. They follow from the key of the tokens, so that they stay the same
/// as long as people keep their places.
public struct JoinCode: Sendable, Equatable {
  /// Consonants that are not taken for digits or each other: no code is a word, and none is read
  /// aloud wrongly.
  static let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
  static let length = 4
  /// What stands before it in an address.
  public static let path = "/j/"

  /// The answer to letters that are not the code, in both languages: which of them somebody reads
  /// is not known before the page is there.
  private static let otherCode = """
    This pit has another code. Look at the screen again: it may have changed.
    贴纸池的代码不是这个。请再看一眼屏幕，代码可能已经变了。

    """

  public let text: String

  init(_ key: TokenKey) {
    let sum = KeyedHash(key: key.bytes).sum(Array("join code".utf8))
    text = String(sum.prefix(Self.length).map { Self.letters[Int($0) % Self.letters.count] })
  }

  /// What a request for somebody's code is answered, whose letters may be small ones: the way to
  /// the page, or that this is not the place. Nil for a request that asks for none.
  func answer(to path: String) -> HTTPResponse? {
    guard path.hasPrefix(Self.path) else { return nil }
    guard path.dropFirst(Self.path.count).uppercased() == text else {
      return .text(Self.otherCode, status: 404)
    }
    var response = HTTPResponse.text("The pit is at /\n", status: 302)
    response.headers = [.init("Location", "/")]
    return response
  }
}
