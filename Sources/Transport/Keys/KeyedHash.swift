import CLibWebSockets

/// HMAC-SHA256 (RFC 2104, FIPS 180-4) by OpenSSL: what only somebody who has the key can make.
public struct KeyedHash: Sendable {
  /// Bytes of a sum.
  public static let byteCount = 32

  private let key: [UInt8]

  /// - Parameter key: the secret; 32 bytes or more are as good as the hash.
  public init(key: [UInt8]) {
    precondition(!key.isEmpty)
    self.key = key
  }

  /// The sum of a message, 32 bytes.
  public func sum(_ message: [UInt8]) -> [UInt8] {
    var sum = [UInt8](repeating: 0, count: Self.byteCount)
    let result = HMAC(
      EVP_sha256(), key, Int32(key.count), message, message.count, &sum, nil)
    precondition(result != nil, "OpenSSL has no SHA-256")
    return sum
  }

  /// Whether two sums are equal, in a time that does not tell where they differ.
  public static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
  }
}
