import CLibWebSockets
import Glibc
import Synchronization

/// The build of the page that lies in the web folder, as `scripts/compress-web` wrote it down in
/// `build.js`: the names of its files, each with its SHA-256.
///
/// Its page names all other files under `/b/<version>/`, from where browsers keep them for ever. So
/// nothing else may ever be served there: each file's sum is compared once, at the start, and from
/// then on the file is the same as long as its size and its time of change are. Once one is not,
/// the build is over, for all who serve it. Then nothing is under that address any more, and the
/// page is the one that names no build, about whose files browsers ask each time.
final class WebBuild: Sendable {
  /// Its page, which names its files under the build's address.
  static let page = "pinned.html"
  /// The page of any build, which says nothing of it; served by any host.
  static let plainPage = "index.html"
  private static let list = "build.js"

  /// Of its list, 16 hexadecimal digits: another one for other files.
  let version: String
  /// Begins the sum of its page. Pages of two builds have one size, and often one time as well.
  let pageTag: String
  /// What each file's version was when its sum was the listed one, by the name in the folder.
  private let files: [String: String]
  private let ended = Atomic<Bool>(false)

  /// Reads and compares all of it, 2 MB in some milliseconds.
  ///
  /// - Returns: nil where there is no list, or a file is not the one that it names.
  init?(folder: String) {
    guard let found = try? FoundFile(path: "\(folder)/\(Self.list)") else { return nil }
    defer { close(found.descriptor) }
    guard let text = found.contents(),
      let listing = Listing(String(decoding: text, as: UTF8.self))
    else { return nil }
    var files = [Self.list: found.version]
    for (name, sum) in listing.files {
      guard let version = Self.version(of: name, in: folder, withSum: sum) else { return nil }
      files[name] = version
    }
    version = listing.version
    pageTag = String(listing.files[Self.page]!.prefix(16))
    self.files = files
  }

  /// Whether a file was changed, so that nothing is served of this build any more.
  var isOver: Bool { ended.load(ordering: .relaxed) }

  /// Nothing is served of it from here on. May be called from any thread.
  func end() { ended.store(true, ordering: .relaxed) }

  /// Whether this is the version of a file that the build has; if not, the build is over.
  func has(_ name: String, _ version: String?) -> Bool {
    if !isOver, let version, files[name] == version { return true }
    end()
    return false
  }

  /// Whether a file of that name is under the build's address. What says where the page itself is
  /// stays out: its links would lead elsewhere from there.
  func keeps(_ name: String) -> Bool {
    let isElsewhere =
      name == Self.list || name.hasSuffix(".html") || name.hasSuffix(".webmanifest")
    return files[name] != nil && !isElsewhere
  }

  /// Whether the page of the folder is still that of this build; if not, the build is over.
  func isWhole(in folder: String) -> Bool {
    [Self.plainPage, Self.list].allSatisfy { name in
      has(name, FoundFile.version(ofFileAt: "\(folder)/\(name)"))
    }
  }

  /// A file's version, if its content has that sum.
  private static func version(of name: String, in folder: String, withSum sum: String) -> String? {
    guard WebFolder.relativePath("/" + name) == name,
      let file = try? FoundFile(path: "\(folder)/\(name)")
    else { return nil }
    defer { close(file.descriptor) }
    guard let bytes = file.contents(), self.sum(bytes) == sum else { return nil }
    return file.version
  }

  /// SHA-256 in hexadecimal digits, as `sha256sum` prints it.
  static func sum(_ bytes: [UInt8]) -> String {
    var sum = [UInt8](repeating: 0, count: 32)
    let result = EVP_Digest(bytes, bytes.count, &sum, nil, EVP_sha256(), nil)
    precondition(result == 1, "OpenSSL has no SHA-256")
    return sum.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension WebBuild {
  /// A file under the address of a build, whichever that is: `b/<version>/<name>`.
  struct Address {
    let version: String
    let name: String

    /// - Parameter path: below the web folder, as ``WebFolder/relativePath(_:)`` gives it.
    /// - Returns: nil for all other paths.
    init?(_ path: String) {
      let parts = path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0] == "b" else { return nil }
      (version, name) = (String(parts[1]), String(parts[2]))
    }
  }

  /// What `build.js` says, which is a script for the page's service worker: a line for each fact.
  struct Listing {
    private(set) var version = ""
    /// Sums by names; the build's page is among them.
    private(set) var files: [String: String] = [:]

    /// - Returns: nil for what is no list of a whole build.
    init?(_ text: String) {
      for line in text.split(separator: "\n") {
        let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
        if parts.count == 3, parts[0] == "  version: " { version = String(parts[1]) }
        if parts.count == 3, parts[0] == "  page: " { files[WebBuild.page] = String(parts[1]) }
        if parts.count == 5, parts[0] == "    " { files[String(parts[1])] = String(parts[3]) }
      }
      let isVersion = version.utf8.count == 16 && version.allSatisfy(\.isHexDigit)
      guard isVersion, files[WebBuild.page] != nil, files[WebBuild.plainPage] != nil else {
        return nil
      }
    }
  }
}
