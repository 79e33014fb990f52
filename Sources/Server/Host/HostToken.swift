import Transport

/// The secret by which the server knows its host: what stands behind `Bearer` in a request to
/// `/api/host/`.
public struct HostToken: Sendable, Equatable {
  /// Characters that it has: 16 of them, well chosen, are beyond guessing; 256 fit into any header.
  public static let lengths = 16...256

  /// Printable ASCII characters without blanks.
  private let bytes: [UInt8]
  /// Whether everybody on this machine may read its file.
  public let isReadableByAll: Bool

  /// The first line of a file.
  public init(file path: String) throws(HostTokenError) {
    let file: SecretFile
    do throws(SecretFile.Unreadable) {
      // A line's end may be two more.
      file = try SecretFile(path, most: Self.lengths.upperBound + 2)
    } catch {
      throw .unreadable(path, reason: error.reason)
    }
    var line = file.bytes.prefix { $0 != UInt8(ascii: "\n") }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard line.allSatisfy({ (0x21...0x7e).contains($0) }) else { throw .unprintable(path) }
    guard line.count >= Self.lengths.lowerBound else { throw .tooShort(path, line.count) }
    guard line.count <= Self.lengths.upperBound else { throw .tooLong(path) }
    bytes = Array(line)
    isReadableByAll = file.isReadableByAll
  }

  /// - Parameter text: of ``lengths`` characters, none of which is a blank.
  init(_ text: String) {
    bytes = Array(text.utf8)
    isReadableByAll = false
    precondition(Self.lengths.contains(bytes.count))
  }

  /// What a request's `Authorization` header says to show it.
  public var authorization: String { "Bearer " + String(decoding: bytes, as: UTF8.self) }

  /// Whether somebody shows this token, in a time that tells neither how long it is nor where what
  /// is shown differs: sums by a key that nobody knows are compared.
  func isShown(by authorization: String) -> Bool {
    let words = authorization.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, words[0].lowercased() == "bearer" else { return false }
    return KeyedHash.areEqual(Self.hash.sum(Array(words[1].utf8)), Self.hash.sum(bytes))
  }

  public static func == (one: HostToken, other: HostToken) -> Bool { one.bytes == other.bytes }

  private static let hash: KeyedHash = {
    var random = SystemRandomNumberGenerator()
    return KeyedHash(key: (0..<KeyedHash.byteCount).map { _ in random.next() })
  }()
}

/// Why a file holds no token for the host, in one line that says what to do.
public enum HostTokenError: Error, Equatable, CustomStringConvertible {
  /// The file at a path can't be opened or read, for the system's reason.
  case unreadable(String, reason: String)
  /// Its first line has something else than printable ASCII characters, or a blank.
  case unprintable(String)
  /// It has only so many characters.
  case tooShort(String, Int)
  /// It has more than any token.
  case tooLong(String)

  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "the admin token file \(path) can't be read: \(reason)"
    case .unprintable(let path):
      "the first line of the admin token file \(path) must be printable ASCII without blanks: "
        + Self.advice(path)
    case .tooShort(let path, let count):
      "the first line of the admin token file \(path) has \(count) characters, and needs "
        + "\(HostToken.lengths.lowerBound) at least: " + Self.advice(path)
    case .tooLong(let path):
      "the first line of the admin token file \(path) has more than "
        + "\(HostToken.lengths.upperBound) characters: is it another file?"
    }
  }

  private static func advice(_ path: String) -> String {
    "make one with '(umask 077; openssl rand -hex 24 > \(path))'"
  }
}
