import Foundation
import Simulation
import TickLog
import Transport

/// Why the server could not start, in one line that says what to do.
public enum StartError: Error, CustomStringConvertible {
  case badWorld(PitError)
  /// A limit is out of its range, in words.
  case badLimit(String)
  case network(TransportError)
  /// The address for monitoring can't be listened on.
  case admin(TransportError)
  /// The journal can't be opened, or not be gone on with.
  case journal(JournalError)
  /// The other servers of the world can't be joined, or not any more.
  case cluster(ClusterError)
  /// The key in the data folder can't be used.
  case tokenKey(TokenKeyError)
  /// The servers of the world don't have the same set of stickers.
  case otherStickers
  case webFolderMissing(String)
  case webFolderUnreadable(String)
  case webFileMissing(folder: String, file: String)

  public var description: String {
    switch self {
    case .badWorld(let error): error.explanation
    case .badLimit(let problem): problem
    case .network(let error): "\(error)"
    case .admin(let error): "--admin-listen: \(error)"
    case .journal(let error): "\(error)"
    case .cluster(let error): "\(error)"
    case .tokenKey(let error): "\(error)"
    case .otherStickers:
      "the world that is shared has other stickers: start with the same --stickers as the server "
        + "that made it, or without if there were none"
    case .webFolderMissing(let path):
      "the web folder \(path) does not exist: pass the folder that holds index.html with --web"
    case .webFolderUnreadable(let path):
      "the web folder \(path) can't be read: check its permissions"
    case .webFileMissing(let folder, "pit.wasm"):
      "the web folder \(folder) has no pit.wasm: build it with 'make web'"
    case .webFileMissing(let folder, let file):
      "the web folder \(folder) has no \(file): pass the folder that holds it with --web"
    }
  }
}

/// Looks whether the page's files are on disk.
enum WebFolderCheck {
  /// What a page can't do without.
  static let needed = ["index.html", "pit.wasm"]

  /// Finds out before the start what visitors would find out later.
  static func run(_ path: String?) throws(StartError) {
    guard let path else { return }
    let files = FileManager.default
    var isFolder: ObjCBool = false
    guard files.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      throw .webFolderMissing(path)
    }
    guard (try? files.contentsOfDirectory(atPath: path)) != nil else {
      throw .webFolderUnreadable(path)
    }
    for file in needed where !files.isReadableFile(atPath: path + "/" + file) {
      throw .webFileMissing(folder: path, file: file)
    }
  }
}
