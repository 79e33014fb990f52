import Foundation

/// The page's files on disk.
enum WebFolder {
  /// What a page can't do without.
  static let needed = ["index.html", "pit.wasm"]

  /// Finds out before the start what visitors would find out later.
  static func check(_ path: String?) throws(StartError) {
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
