/// How far two sides have got with parting: each says once that it closes (RFC 6455, 7.1.2).
struct ClosingHandshake {
  /// Whether this side's close frame was written.
  var hasSaidClose = false
  /// Whether nothing more is expected from the client: it has said that it closes, or broke a rule.
  var hasHeardAll = false
  private var restLeft = FixedLimits.restBytes

  /// Counts bytes that came after all was heard, and that nobody looks at.
  /// - Returns: false for more than a client may still send.
  mutating func takeRest(_ count: Int) -> Bool {
    assert(hasHeardAll)
    restLeft -= count
    return restLeft >= 0
  }
}
