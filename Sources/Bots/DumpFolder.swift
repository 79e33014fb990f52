import Glibc
import Simulation

/// A folder in which bots leave both worlds when theirs was another one than the server's, for
/// whoever looks for the fault.
public struct DumpFolder: Sendable {
  public let path: String

  /// Throws `noFolder` for a path that is none, and `unwritable` for one that takes no files.
  public init(_ path: String) throws(DumpError) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw .noFolder(path)
    }
    guard access(path, W_OK | X_OK) == 0 else { throw .unwritable(path, reason: Self.text(errno)) }
    self.path = path
  }

  /// Writes what `Pit.save` gave of both worlds into files: `pit-TICK-bot-INDEX.bin` and
  /// `pit-TICK-server.bin`, which is the same for all bots. A file that was there is replaced, and
  /// one without the other is removed, for there is nothing to compare it with.
  func keep(_ divergence: Divergence, of bot: Int) throws(DumpError) {
    let mine = "pit-\(divergence.tick)-bot-\(bot).bin"
    try put(divergence.mine, into: mine)
    do throws(DumpError) {
      try put(divergence.servers, into: "pit-\(divergence.tick)-server.bin")
    } catch {
      unlink(path + "/" + mine)
      throw error
    }
  }

  /// Half a file is worth nothing: what can't be written to its end is removed.
  private func put(_ bytes: [UInt8], into name: String) throws(DumpError) {
    let file = path + "/" + name
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(errno, file) }
    var code = Self.fill(descriptor, with: bytes)
    // Some disks say only here that they are full.
    if close(descriptor) != 0, code == 0 { code = errno }
    guard code != 0 else { return }
    unlink(file)
    throw failure(code, file)
  }

  /// Writes all of it. Returns the error's number, 0 for none.
  private static func fill(_ descriptor: Int32, with bytes: [UInt8]) -> Int32 {
    bytes.withUnsafeBytes { raw -> Int32 in
      var offset = 0
      while offset < raw.count {
        let count = write(descriptor, raw.baseAddress! + offset, raw.count - offset)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { return errno }
        // A write that is short without an error has met the end of the disk.
        guard count > 0 else { return ENOSPC }
        offset += count
      }
      return 0
    }
  }

  private func failure(_ code: Int32, _ file: String) -> DumpError {
    code == ENOSPC || code == EDQUOT
      ? .full(path) : .unwritable(file, reason: Self.text(code))
  }

  private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// Why worlds can't be left in a folder.
public enum DumpError: Error, Equatable, Sendable, CustomStringConvertible {
  case noFolder(String)
  case unwritable(String, reason: String)
  /// The disk has no room, or the user's share of it.
  case full(String)

  public var description: String {
    switch self {
    case .noFolder(let path): "\(path) is no folder"
    case .unwritable(let path, let reason): "\(path) can't be written: \(reason)"
    case .full(let path): "the disk of \(path) is full"
    }
  }
}
