import Transport
import Wire

/// Makes tokens, and tells its own from all others by their bytes alone: so any thread can, and any
/// process that has the key, also one that was started after the token was made.
///
/// Of a token's 16 bytes, 0 and 1 are the person's number, 2 to 5 the time at which it was made in
/// seconds since 1970, and 6 to 15 the first 80 bits of an HMAC-SHA256 over both. To guess those
/// takes 2⁸⁰ hellos, and a server takes some thousands a second.
struct TokenMint: Sendable {
  /// What a token says of itself.
  struct Content: Equatable {
    let number: UInt16
    /// Seconds since 1970.
    let made: UInt32
  }

  /// Stands before what is signed: a key that signs something else as well makes no tokens by it.
  private static let purpose = Array("stickerpit.token.1".utf8)
  private static let macBytes = 10

  private let hash: KeyedHash

  init(_ key: TokenKey) {
    hash = KeyedHash(key: key.bytes)
  }

  func token(_ content: Content) -> SessionToken {
    let mac = mac(content)
    var low = UInt64(content.number) | UInt64(content.made) << 16
    low |= UInt64(mac[0]) << 48 | UInt64(mac[1]) << 56
    let high = mac[2...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return SessionToken(low: low, high: high)
  }

  /// What a token says; nil for one that was not made with this key.
  func content(of token: SessionToken) -> Content? {
    let content = Content(
      number: UInt16(truncatingIfNeeded: token.low),
      made: UInt32(truncatingIfNeeded: token.low >> 16))
    let shown = (6..<16).map { token.byte(at: $0) }
    return KeyedHash.areEqual(shown, mac(content)) ? content : nil
  }

  private func mac(_ content: Content) -> [UInt8] {
    let number = [UInt8(content.number & 255), UInt8(content.number >> 8)]
    let made = (0..<4).map { UInt8(truncatingIfNeeded: content.made >> ($0 * 8)) }
    return Array(hash.sum(Self.purpose + number + made).prefix(Self.macBytes))
  }
}
