/// How far two sides have got with parting: each says once that it closes (RFC 6455, 7.1.2).
struct ClosingHandshake {
  /// Seconds that a client has for hanging up, after both sides have said that they close.
  static let seconds: Int32 = 2
  /// What a client may still send after all was heard. Unless that is read, the kernel resets the
  /// connection, and the close frame might get lost.
  private static let mostRest = 65_536

  /// Whether this side's close frame was written.
  var hasSaidClose = false
  /// Whether nothing more is expected from the client: it has said that it closes, or broke a rule.
  var hasHeardAll = false
  private var restLeft = ClosingHandshake.mostRest

  /// Counts bytes that came after all was heard, and that nobody looks at.
  /// - Returns: false for more than a client may still send.
  mutating func takeRest(_ count: Int) -> Bool {
    assert(hasHeardAll)
    restLeft -= count
    return restLeft >= 0
  }
}
