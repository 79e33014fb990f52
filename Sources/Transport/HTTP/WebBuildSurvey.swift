import Glibc

/// Reads the files of a build, each once, and keeps what tells them from others from then on.
struct WebBuildSurvey {
  let folder: String
  /// The files that were read, by their names.
  var parts: [String: WebBuild.Part] = [:]
  /// Names of compressed files that hold something else than the file beside them.
  var unfit: [String] = []

  init(folder: String) {
    self.folder = folder
  }

  /// Reads a file of the folder, and the end of the compressed one beside it.
  ///
  /// - Returns: its bytes and their SHA-256; nil if it can't be read or lies elsewhere.
  mutating func read(_ name: String) -> (bytes: [UInt8], sum: String)? {
    guard WebFolder.relativePath("/" + name) == name,
      let file = try? FoundFile(path: "\(folder)/\(name)")
    else { return nil }
    defer { close(file.descriptor) }
    guard let bytes = file.contents() else { return nil }
    let sum = WebBuild.sum(bytes)
    let packed = findPacked(name, of: bytes, file.identity)
    parts[name] = WebBuild.Part(identity: file.identity, sum: sum, packed: packed)
    return (bytes, sum)
  }

  /// The compressed file beside one with these bytes; nil if there is none, or one that has another
  /// time or other bytes.
  private mutating func findPacked(
    _ name: String, of bytes: [UInt8], _ plain: FileIdentity
  ) -> WebBuild.Packed? {
    guard let file = try? FoundFile(path: "\(folder)/\(name).gz") else { return nil }
    defer { close(file.descriptor) }
    let trailer = GzipTrailer(of: bytes)
    guard file.identity.changed == plain.changed, GzipTrailer(endOf: file) == trailer else {
      unfit.append("\(name).gz")
      return nil
    }
    return WebBuild.Packed(identity: file.identity, trailer: trailer)
  }

  /// What an operator is told of compressed files that don't fit; nil if all do.
  var warning: String? {
    guard !unfit.isEmpty else { return nil }
    let named = unfit.sorted().prefix(Self.named).joined(separator: ", ")
    let more = unfit.count > Self.named ? " and \(unfit.count - Self.named) more" : ""
    return "these compressed files of the page are not those of the files beside them, which are "
      + "sent uncompressed: \(named)\(more) (scripts/compress-web makes them anew)"
  }

  /// So many are named.
  private static let named = 5
}
