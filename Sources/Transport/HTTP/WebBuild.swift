import CLibWebSockets
import Glibc
import Synchronization

/// The build of the page that lies in the web folder, as `scripts/compress-web` wrote it down in
/// `build.js`: the names of its files, each with its SHA-256.
///
/// Its page names all other files under `/b/<version>/`, from where browsers keep them for ever. So
/// nothing else may ever be served there: each file's sum is compared once, at the start, and from
/// then on the file is the same as long as the file system tells the same of it (`FileIdentity`).
/// Once it does not, or the file is gone, the build is over, for all who serve it. Then nothing is
/// under that address any more, and the page is the one that names no build, about whose files
/// browsers ask each time. A file that can't be opened for another reason ends nothing.
final class WebBuild: Sendable {
  /// Its page, which names its files under the build's address.
  static let page = "pinned.html"
  /// The page of any build, which says nothing of it; served by any host.
  static let plainPage = "index.html"
  private static let list = "build.js"

  /// A file whose sum was the listed one at the start.
  struct Part: Sendable {
    /// As it was then.
    let identity: FileIdentity
    /// That of the compressed file beside it, if there was one with the same bytes.
    let packed: FileIdentity?
    /// Begins its sum: the same for the same bytes, on every machine.
    let tag: String
  }

  /// Of its list, 16 hexadecimal digits: another one for other files.
  let version: String
  /// By the name in the folder; the list is among them.
  private let parts: [String: Part]
  private let ended = Atomic<Bool>(false)
  private let log: @Sendable (String) -> Void

  /// Reads and compares all of it, 2 MB in some milliseconds.
  ///
  /// - Parameter log: receives a line for compressed files that are of other bytes, and one when
  ///   the build is over, on any thread.
  /// - Returns: nil where there is no list, or a file is not the one that it names.
  init?(folder: String, log: @escaping @Sendable (String) -> Void = { _ in }) {
    var survey = WebBuildSurvey(folder: folder)
    guard let list = survey.read(Self.list),
      let listing = Listing(String(decoding: list.bytes, as: UTF8.self))
    else { return nil }
    for (name, sum) in listing.files {
      guard let file = survey.read(name), file.sum == sum else { return nil }
    }
    version = listing.version
    parts = survey.parts
    self.log = log
    if let warning = survey.warning { log(warning) }
  }

  /// Whether a file was changed or is gone, so that nothing is served of this build any more.
  var isOver: Bool { ended.load(ordering: .relaxed) }

  /// Nothing is served of it from here on. May be called from any thread.
  /// - Parameter name: of the file that is another one, or gone.
  func end(because name: String) {
    guard !ended.exchange(true, ordering: .relaxed) else { return }
    log(
      "\(name) of the page was changed or is gone: until the next start browsers keep no file of "
        + "build \(version), and ask about each one")
  }

  /// What is known of a file as it is now; nil if it is none of the build's, or no longer.
  func part(_ name: String, _ identity: FileIdentity) -> Part? {
    guard let part = parts[name], part.identity == identity else { return nil }
    return part
  }

  /// Whether a file is the one that the build has; if not, the build is over.
  func has(_ name: String, _ identity: FileIdentity) -> Bool {
    guard !isOver else { return false }
    if part(name, identity) != nil { return true }
    end(because: name)
    return false
  }

  /// Whether a file of that name is under the build's address. What says where the page itself is
  /// stays out: its links would lead elsewhere from there.
  func keeps(_ name: String) -> Bool {
    let isElsewhere =
      name == Self.list || name.hasSuffix(".html") || name.hasSuffix(".webmanifest")
    return parts[name] != nil && !isElsewhere
  }

  /// Whether the page of the folder is still that of this build; if not, the build is over. False
  /// also while that can't be told.
  func isWhole(in folder: String) -> Bool {
    [Self.plainPage, Self.list].allSatisfy { name in
      do throws(FileTrouble) {
        let identity = try FileIdentity(ofFileAt: "\(folder)/\(name)")
        return has(name, identity)
      } catch {
        if error == .missing { end(because: name) }
        return false
      }
    }
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
