import Transport

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
      return .text(
        "This pit has another code. Look at the screen again: it may have changed.\n", status: 404)
    }
    var response = HTTPResponse.text("The pit is at /\n", status: 302)
    response.headers = [.init("Location", "/")]
    return response
  }
}
