import Transport
import Wire

/// Makes tokens, and tells its own from all others by their bytes alone: so any thread can, and any
/// process that has the key, also one that was started after the token was made.
///
/// Of a token's 16 bytes, 0 and 1 are the person's number, 2 to 7 the time at which it was made in
/// milliseconds since 1970, and 8 to 15 the first 64 bits of an HMAC-SHA256 over both. To guess
/// those takes 2⁶⁴ hellos, and a server takes some thousands a second.
///
/// Milliseconds, because a server may be started again within the second in which the one before
/// was: tokens that it makes must be newer than those that it honours.
struct TokenMint: Sendable {
  /// What a token says of itself.
  struct Content: Equatable {
    let number: UInt16
    /// Milliseconds since 1970, below 2⁴⁸.
    let made: UInt64
  }

  /// Stands before what is signed: a key that signs something else as well makes no tokens by it.
  private static let purpose = Array("stickerpit.token.2".utf8)
  private static let macBytes = 8

  private let hash: KeyedHash

  init(_ key: TokenKey) {
    hash = KeyedHash(key: key.bytes)
  }

  func token(_ content: Content) -> SessionToken {
    precondition(content.made >> 48 == 0)
    let low = UInt64(content.number) | content.made << 16
    let high = mac(content).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return SessionToken(low: low, high: high)
  }

  /// What a token says; nil for one that was not made with this key.
  func content(of token: SessionToken) -> Content? {
    let content = Content(
      number: UInt16(truncatingIfNeeded: token.low), made: token.low >> 16)
    let shown = (8..<16).map { token.byte(at: $0) }
    return KeyedHash.areEqual(shown, mac(content)) ? content : nil
  }

  private func mac(_ content: Content) -> [UInt8] {
    let number = [UInt8(content.number & 255), UInt8(content.number >> 8)]
    let made = (0..<6).map { UInt8(truncatingIfNeeded: content.made >> ($0 * 8)) }
    return Array(hash.sum(Self.purpose + number + made).prefix(Self.macBytes))
  }
}
