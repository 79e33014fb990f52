import Glibc
import Transport

/// The secret by which this server's tokens are told from all others.
public struct TokenKey: Sendable {
  /// Bytes that a key must have at least: as many as the hash has.
  public static let leastBytes = 32
  /// Bytes that a key may have at most: a device file must not be read for ever.
  public static let mostBytes = 4096

  let bytes: [UInt8]
  /// Whether it came from a file, so that the process before had the same one.
  let isKept: Bool
  /// Whether everybody on this machine may read the file.
  public let isReadableByAll: Bool

  /// A key that nobody else has: tokens count until this process ends.
  public init() {
    var random = SystemRandomNumberGenerator()
    bytes = (0..<Self.leastBytes).map { _ in random.next() }
    isKept = false
    isReadableByAll = false
  }

  /// - Parameter isKept: whether an earlier process may have had it.
  init(bytes: [UInt8], isKept: Bool) {
    self.bytes = bytes
    self.isKept = isKept
    isReadableByAll = false
  }

  /// The key that is kept in a file; a new one is written there if it is missing.
  public init(keptIn path: String) throws(TokenKeyError) {
    if access(path, F_OK) != 0 {
      do throws(SecretFile.Unwritable) {
        try SecretFile.write(TokenKey().bytes, to: path)
      } catch {
        throw .unwritable(path, reason: error.reason)
      }
    }
    try self.init(file: path)
  }

  /// The key in a file: all of its bytes, as they are.
  public init(file path: String) throws(TokenKeyError) {
    let file: SecretFile
    do throws(SecretFile.Unreadable) {
      file = try SecretFile(path, most: Self.mostBytes + 1)
    } catch {
      throw .unreadable(path, reason: error.reason)
    }
    let count = file.bytes.count
    guard count >= Self.leastBytes else { throw .tooShort(path, count) }
    guard count <= Self.mostBytes else { throw .tooLong(path) }
    bytes = file.bytes
    isKept = true
    isReadableByAll = file.isReadableByAll
  }
}

extension TokenKey {
  /// What the keys of TLS session tickets are made of, so that after a restart sessions are taken
  /// up as people are. Nil where the next process can't know it, or everybody on this machine can.
  var ticketSecret: [UInt8]? {
    guard isKept, !isReadableByAll else { return nil }
    return KeyedHash(key: bytes).sum(Array("session tickets".utf8))
  }
}

/// Why a file holds no key, in one line that says what to do.
public enum TokenKeyError: Error, Equatable, CustomStringConvertible {
  /// The file at a path can't be opened or read, for the system's reason.
  case unreadable(String, reason: String)
  /// It can't be made, for the system's reason.
  case unwritable(String, reason: String)
  /// It has only so many bytes.
  case tooShort(String, Int)
  /// It has more than any key.
  case tooLong(String)

  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "the token key file \(path) can't be read: \(reason)"
    case .unwritable(let path, let reason):
      "the token key file \(path) can't be written: \(reason)"
    case .tooShort(let path, let count):
      "the token key file \(path) has \(count) bytes, and needs \(TokenKey.leastBytes) at least: "
        + "make one with 'openssl rand -out \(path) \(TokenKey.leastBytes)'"
    case .tooLong(let path):
      "the token key file \(path) has more than \(TokenKey.mostBytes) bytes: is it another file?"
    }
  }
}
