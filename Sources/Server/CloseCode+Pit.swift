import Transport

/// The codes of `stickerpit.v1` itself, from the range 4000…4099 that PROTOCOL.md sets aside.
extension CloseCode {
  /// The hello's version is not the server's; the reason names both.
  static let unsupportedVersion = CloseCode(rawValue: 4000)
  /// The hello asks for a stream that this server does not offer.
  static let unsupportedStream = CloseCode(rawValue: 4001)
  /// The same person came back on another connection.
  static let continuedElsewhere = CloseCode(rawValue: 4002)
}
