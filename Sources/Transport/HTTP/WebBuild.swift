import CLibWebSockets
import Glibc
import Synchronization

/// The build of the page that lies in the web folder, as `scripts/compress-web` wrote it down in
/// `build.js`: the names of its files, each with its SHA-256.
///
/// Its page names all other files under `/b/<version>/`, from where browsers keep them for ever. So
/// nothing else may ever be served there: each file's sum is compared once, at the start, and from
/// then on the file is the same as long as the file system tells the same of it (`FileIdentity`).
/// Where only inode or the kernel's own time are others, as after `chmod`, the sum is compared once
/// more. Once the file is another one, or gone, the build is over, for all who serve it. Then
/// nothing is under that address any more, and the page is the one that names no build, about whose
/// files browsers ask each time. A file that can't be opened for another reason ends nothing.
final class WebBuild: Sendable {
  /// Its page, which names its files under the build's address.
  static let page = "pinned.html"
  /// The page of any build, which says nothing of it; served by any host.
  static let plainPage = "index.html"
  private static let list = "build.js"

  /// A file whose sum was the listed one at the start.
  struct Part: Sendable {
    /// As it was when its bytes were last found to be the listed ones.
    fileprivate(set) var identity: FileIdentity
    /// SHA-256 of its bytes, in hexadecimal digits.
    let sum: String
    /// The compressed file beside it, if there was one with the same bytes.
    fileprivate(set) var packed: Packed?

    /// Begins its sum: the same for the same bytes, on every machine.
    var tag: String { String(sum.prefix(16)) }
  }

  /// A compressed file that had, at the start, the bytes of the file beside it.
  struct Packed: Sendable {
    /// As it was when its end last said so.
    fileprivate(set) var identity: FileIdentity
    /// What its end says of the bytes within.
    let trailer: GzipTrailer
  }

  /// Of its list, 16 hexadecimal digits: another one for other files.
  let version: String
  /// By the name in the folder; the list is among them.
  private let parts: Mutex<[String: Part]>
  private let ended = Atomic<Bool>(false)
  /// Whether the log was told that its page can't be opened, and it could not be since.
  private let isUnreadableTold = Atomic<Bool>(false)
  private let log: @Sendable (String) -> Void

  /// Reads and compares all of it, 2 MB in some milliseconds.
  ///
  /// - Parameter log: receives a line for compressed files that are of other bytes, one each time
  ///   that its page can no longer be opened, and one when the build is over, on any thread.
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
    parts = Mutex(survey.parts)
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

  /// Its page was opened: the next time that it can't be is told, too. May be called from any
  /// thread.
  func notePageOpened() {
    guard isUnreadableTold.load(ordering: .relaxed) else { return }
    isUnreadableTold.store(false, ordering: .relaxed)
  }

  /// Tells the log that its page can't be opened, once until it was opened again. May be called
  /// from any thread.
  func tellUnreadablePage() {
    guard !isUnreadableTold.exchange(true, ordering: .relaxed) else { return }
    log(
      "\(Self.page) of the page can't be opened: while that is so, \(Self.plainPage) is sent in "
        + "its place, with which browsers ask about each file")
  }

  /// What is known of a file as it is now; nil if it is none of the build's, or not known to be.
  func part(_ name: String, _ identity: FileIdentity) -> Part? {
    guard let part = knownPart(name), part.identity == identity else { return nil }
    return part
  }

  /// What is known of an open file that was asked for by its own name; nil if it is none of the
  /// build's, or not known to be. One with size and time of the build's is compared.
  func part(_ name: String, of file: FoundFile) -> Part? {
    guard let part = knownPart(name), part.identity.mayHaveBytes(of: file.identity) else {
      return nil
    }
    if part.identity == file.identity { return part }
    return try? compare(name, file)
  }

  /// Compares an open file with the one that the build has. What the file system tells other things
  /// of is read for it once, in a millisecond or two. Throws when it can't be told now.
  /// - Returns: what is known of it, whatever another thread finds out meanwhile about a file that
  ///   took its name; nil if it is another one, and then the build is over.
  func compare(_ name: String, _ file: FoundFile) throws(FileTrouble) -> Part? {
    guard !isOver else { return nil }
    guard var part = knownPart(name), part.identity.mayHaveBytes(of: file.identity) else {
      end(because: name)
      return nil
    }
    if part.identity == file.identity { return part }
    guard let bytes = file.contents(), file.isUnchanged else { throw .uncertain }
    guard Self.sum(bytes) == part.sum else {
      end(because: name)
      return nil
    }
    part.identity = file.identity
    parts.withLock { $0[name, default: part].identity = file.identity }
    return part
  }

  /// Whether an open file is the compressed one that the build had at its start beside the file of
  /// that name. It is asked about its end alone, as at the start.
  func hasPacked(_ name: String, _ file: FoundFile) -> Bool {
    guard let part = knownPart(name), var packed = part.packed else { return false }
    if packed.identity == file.identity { return true }
    guard packed.identity.mayHaveBytes(of: file.identity),
      GzipTrailer(endOf: file) == packed.trailer
    else { return false }
    packed.identity = file.identity
    parts.withLock { $0[name, default: part].packed = packed }
    return true
  }

  private func knownPart(_ name: String) -> Part? {
    parts.withLock { $0[name] }
  }

  /// Whether a file of that name is under the build's address. What says where the page itself is
  /// stays out: its links would lead elsewhere from there.
  func keeps(_ name: String) -> Bool {
    let isElsewhere =
      name == Self.list || name.hasSuffix(".html") || name.hasSuffix(".webmanifest")
    return knownPart(name) != nil && !isElsewhere
  }

  /// Whether the page of the folder is still that of this build; if not, the build is over. False
  /// also while that can't be told.
  func isWhole(in folder: String) -> Bool {
    guard !isOver else { return false }
    return [Self.plainPage, Self.list].allSatisfy { name in
      do throws(FileTrouble) {
        let path = "\(folder)/\(name)"
        let identity = try FileIdentity(ofFileAt: path)
        if part(name, identity) != nil { return true }
        let file = try FoundFile(path: path)
        defer { close(file.descriptor) }
        return try compare(name, file) != nil
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
