import Foundation
import Glibc
import Transport
import Wire

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
    if access(path, F_OK) != 0 { try Self.write(TokenKey().bytes, to: path) }
    try self.init(file: path)
  }

  /// Writes it so that it is there as a whole or not at all, for the owner alone.
  private static func write(_ bytes: [UInt8], to path: String) throws(TokenKeyError) {
    let draft = path + ".new"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw .unwritable(path, reason: String(cString: strerror(errno)))
    }
    defer { close(file) }
    let written = Glibc.write(file, bytes, bytes.count)
    guard written == bytes.count else {
      // A write that is short without an error has met the end of the disk.
      let error = written < 0 ? errno : ENOSPC
      throw .unwritable(path, reason: String(cString: strerror(error)))
    }
    guard fsync(file) == 0, rename(draft, path) == 0 else {
      throw .unwritable(path, reason: String(cString: strerror(errno)))
    }
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

/// A file that holds a secret.
struct SecretFile {
  let bytes: [UInt8]
  /// Whether everybody on this machine may read it.
  let isReadableByAll: Bool

  /// Why one can't be read: the system's reason.
  struct Unreadable: Error {
    let reason: String
  }

  /// - Parameter most: bytes that are read at most, because a device file must not be read for
  ///   ever.
  init(_ path: String, most: Int) throws(Unreadable) {
    guard let file = fopen(path, "re") else { throw Self.failure() }
    defer { fclose(file) }
    var status = stat()
    guard fstat(fileno(file), &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      throw Unreadable(reason: "it is a folder")
    }
    var buffer = [UInt8](repeating: 0, count: most)
    let count = fread(&buffer, 1, most, file)
    guard ferror(file) == 0 else { throw Self.failure() }
    bytes = Array(buffer[..<count])
    isReadableByAll = status.st_mode & S_IROTH != 0
  }

  private static func failure() -> Unreadable {
    Unreadable(reason: String(cString: strerror(errno)))
  }
}

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
