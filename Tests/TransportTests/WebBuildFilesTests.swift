import Foundation
import Glibc
import Synchronization
import Testing

@testable import Transport

/// How a build's files are told from others that have their names, and what is said in the log.
@Suite struct WebBuildFilesTests {
  typealias Site = WebBuildTests.Site

  /// What was written to the log.
  private final class Log: Sendable {
    private let all = Mutex<[String]>([])

    var lines: [String] { all.withLock { $0 } }

    func write(_ line: String) { all.withLock { $0.append(line) } }
  }

  /// The folder of a site, as a server has it from its start on.
  private static func folder(_ site: Site, _ log: Log) throws -> WebFolder {
    try WebFolder(path: site.web.path, log: { line in log.write(line) })
  }

  /// The bytes of a file that is open for an answer, which is closed then.
  private static func content(_ file: WebFolder.File) -> [UInt8]? {
    defer { close(file.found.descriptor) }
    return file.found.contents()
  }

  /// What `gzip` makes of a text, by way of a site that has it.
  private static func packed(_ text: String) throws -> Data {
    let site = try Site()
    defer { site.remove() }
    try site.write(text, to: "main.js")
    try site.compress()
    return try Data(contentsOf: site.web.appending(path: "main.js.gz"))
  }

  /// A compressed file that is not the one of a text.
  private static func stale(_ kind: String, _ text: String) throws -> Data {
    switch kind {
    case "other bytes": return try packed(String(text.reversed()))
    case "another length": return try packed(text + "\n")
    default: return try packed(text).dropLast()
    }
  }

  // MARK: Compressed files

  /// The values are those of zlib.
  @Test func aTrailerHasTheChecksumThatGzipHas() throws {
    let digits = GzipTrailer(of: Array("123456789".utf8))
    #expect(digits.checksum == 0xcbf4_3926 && digits.length == 9)
    #expect(GzipTrailer(of: Array(0...255)).checksum == 0x2905_8c73)
    #expect(GzipTrailer(of: []).checksum == 0)
    let site = try Site()
    defer { site.remove() }
    try site.compress()
    let file = try FoundFile(path: site.path(of: "main.js.gz"))
    defer { close(file.descriptor) }
    let text = try site.text(of: "main.js")
    #expect(GzipTrailer(endOf: file) == GzipTrailer(of: Array(text.utf8)))
    try site.write("too short for it", to: "short.gz")
    let short = try FoundFile(path: site.path(of: "short.gz"))
    defer { close(short.descriptor) }
    #expect(GzipTrailer(endOf: short) == nil)
  }

  /// As when files of two builds, all of one time, were copied over each other.
  @Test(arguments: ["other bytes", "another length", "cut off"])
  func aCompressedFileOfOtherContentIsNeverSent(_ kind: String) throws {
    let site = try Site()
    defer { site.remove() }
    let version = try site.compress()
    let text = try site.text(of: "main.js")
    try Self.stale(kind, text).write(to: site.web.appending(path: "main.js.gz"))
    try site.takeTime(of: "main.js", for: "main.js.gz")
    let log = Log()
    let folder = try Self.folder(site, log)
    for path in ["/b/\(version)/main.js", "/main.js"] {
      let file = try folder.open(path, acceptsGzip: true)
      #expect(!file.isGzip && Self.content(file) == Array(text.utf8), "\(path)")
    }
    let page = try folder.open("/b/\(version)/page.css", acceptsGzip: true)
    #expect(page.isGzip && Self.content(page) != nil)
    #expect(log.lines.count == 1, "\(log.lines)")
    #expect(log.lines.first?.contains(" main.js.gz ") == true, "\(log.lines)")
    // The script sees it, too, and makes it anew.
    #expect(try site.compress() == version)
    let later = Log()
    let again = try Self.folder(site, later).open("/b/\(version)/main.js", acceptsGzip: true)
    #expect(again.isGzip && Self.content(again) != nil && later.lines.isEmpty)
  }

  @Test func aCompressedFileThatIsReplacedLaterIsNotSent() throws {
    let site = try Site()
    defer { site.remove() }
    let version = try site.compress()
    let log = Log()
    let folder = try Self.folder(site, log)
    let first = try folder.open("/b/\(version)/main.js", acceptsGzip: true)
    #expect(first.isGzip && Self.content(first) != nil)
    try Self.packed("quite another text").write(to: site.web.appending(path: "main.js.gz"))
    try site.takeTime(of: "main.js", for: "main.js.gz")
    let second = try folder.open("/b/\(version)/main.js", acceptsGzip: true)
    let text = try site.text(of: "main.js")
    #expect(!second.isGzip && Self.content(second) == Array(text.utf8))
    #expect(log.lines.isEmpty, "nothing of that ends the build")
  }

  /// So browsers know it again from any server behind one name.
  @Test func aBuildsFilesHaveTagsOfTheirBytes() throws {
    let sites = [try Site(), try Site()]
    defer { for site in sites { site.remove() } }
    try sites[1].write("another", to: "page.css")
    var tags: [String: Set<String>] = [:]
    for site in sites {
      try site.compress()
      let folder = try Self.folder(site, Log())
      for name in ["main.js", "page.css", "build.js"] {
        let file = try folder.open("/\(name)", acceptsGzip: false)
        #expect(Self.content(file) != nil)
        tags[name, default: []].insert(file.entityTag)
      }
    }
    #expect(tags.mapValues(\.count) == ["main.js": 1, "page.css": 2, "build.js": 2])
  }

  // MARK: Files that are others

  /// A file that has size and time of the one before, written into it or put in its place.
  @Test(arguments: [false, true])
  func aFileOfTheSameSizeAndTimeEndsTheBuild(_ isMoved: Bool) throws {
    let site = try Site()
    defer { site.remove() }
    let version = try site.compress()
    let log = Log()
    let folder = try Self.folder(site, log)
    let before = try FoundFile(path: site.path(of: "main.js"))
    defer { close(before.descriptor) }
    let text = try site.text(of: "main.js")
    let name = isMoved ? "moved.js" : "main.js"
    try site.write(String(text.reversed()), to: name)
    // It has that of main.js.
    try site.takeTime(of: "main.js.gz", for: name)
    if isMoved {
      let moved = rename(site.path(of: name), site.path(of: "main.js"))
      #expect(moved == 0)
    }
    let after = try FoundFile(path: site.path(of: "main.js"))
    defer { close(after.descriptor) }
    #expect(after.version == before.version && after.identity != before.identity)
    // Of a file whose name another one has taken, what is on its way is still right.
    #expect(before.isUnchanged == isMoved)
    for name in ["main.js", "page.css", "main.js"] {
      #expect(throws: WebFolder.nothingHere) {
        try folder.open("/b/\(version)/\(name)", acceptsGzip: false)
      }
    }
    // Said once, however often somebody asks.
    #expect(log.lines.count == 1, "\(log.lines)")
    #expect(log.lines.first?.hasPrefix("main.js ") == true, "\(log.lines)")
    #expect(log.lines.first?.contains(version) == true, "\(log.lines)")
  }

  /// An operator makes the folder readable for others, or copies it with hard links or as a whole:
  /// then the kernel's own time or the inode is another one, and the bytes are not.
  @Test(arguments: ["rights", "link", "copy"])
  func aFileOfTheSameBytesStaysInTheBuild(_ kind: String) throws {
    let site = try Site()
    defer { site.remove() }
    let version = try site.compress()
    let log = Log()
    let folder = try Self.folder(site, log)
    let before = try FileIdentity(ofFileAt: site.path(of: "main.js"))
    for name in ["main.js", "main.js.gz", "index.html", "build.js", "pinned.html"] {
      let path = site.path(of: name)
      let other = site.path(of: "\(name).other")
      let result: Int32
      switch kind {
      case "rights": result = chmod(path, 0o640)
      case "link": result = link(path, other)
      default:
        try FileManager.default.copyItem(atPath: path, toPath: other)
        try site.takeTime(of: name, for: "\(name).other")
        result = rename(other, path)
      }
      #expect(result == 0, "\(name)")
    }
    let after = try FileIdentity(ofFileAt: site.path(of: "main.js"))
    #expect(after != before && after.mayHaveBytes(of: before))
    let text = try site.text(of: "main.js")
    let pinned = try site.text(of: "pinned.html")
    for _ in 1...2 {
      let page = try folder.open("/", acceptsGzip: false)
      #expect(Self.content(page) == Array(pinned.utf8))
      let code = try folder.open("/b/\(version)/main.js", acceptsGzip: false)
      #expect(code.isKeptForEver && Self.content(code) == Array(text.utf8))
      let packed = try folder.open("/b/\(version)/main.js", acceptsGzip: true)
      #expect(packed.isKeptForEver && packed.isGzip && Self.content(packed) != nil)
    }
    #expect(log.lines.isEmpty, "\(log.lines)")
  }

  @Test func theSameBytesAreComparedOnceAndReadFromTheirBeginning() throws {
    let site = try Site()
    defer { site.remove() }
    try site.compress()
    let build = try #require(WebBuild(folder: site.web.path))
    let changed = chmod(site.path(of: "main.js"), 0o640)
    #expect(changed == 0)
    let file = try FoundFile(path: site.path(of: "main.js"))
    defer { close(file.descriptor) }
    #expect(build.part("main.js", file.identity) == nil)
    let isSame = try build.compare("main.js", file) != nil
    #expect(isSame)
    #expect(build.part("main.js", file.identity) != nil && !build.isOver)
    // What is sent of it then is all of it.
    let place = lseek(file.descriptor, 0, SEEK_CUR)
    #expect(place == 0)
  }

  /// Two threads have two files of one name and the same bytes open, because a copy took the name
  /// between them: neither's answer depends on what the other one has found out.
  @Test func aFileIsWhatItWasFoundToBeWhateverAnotherThreadFinds() throws {
    let site = try Site()
    defer { site.remove() }
    try site.compress()
    let text = try site.text(of: "main.js")
    // By its time it would be the one that belongs to main.js.
    try Self.stale("other bytes", text).write(to: site.web.appending(path: "main.js.gz"))
    try site.takeTime(of: "main.js", for: "main.js.gz")
    let folder = try Self.folder(site, Log())
    let build = try #require(folder.build)
    let path = site.path(of: "main.js")
    let first = try FoundFile(path: path)
    let part = try #require(try build.compare("main.js", first))
    try FileManager.default.copyItem(atPath: path, toPath: path + ".other")
    try site.takeTime(of: "main.js", for: "main.js.other")
    let renamed = rename(path + ".other", path)
    #expect(renamed == 0)
    let second = try FoundFile(path: path)
    defer { close(second.descriptor) }
    let isSame = try build.compare("main.js", second) != nil
    #expect(isSame && build.part("main.js", first.identity) == nil)
    let file = folder.itselfOrPacked(first, "main.js", part, acceptsGzip: true)
    #expect(!file.isGzip && file.version == part.tag)
    #expect(Self.content(file) == Array(text.utf8))
  }

  /// Also when nobody has asked for it under the build's address since its rights were changed.
  @Test func aFileKeepsItsTagUnderItsOwnNameAsLongAsItsBytes() throws {
    let site = try Site()
    defer { site.remove() }
    let version = try site.compress()
    let log = Log()
    let folder = try Self.folder(site, log)
    let before = try folder.open("/main.js", acceptsGzip: true)
    let changed = chmod(site.path(of: "main.js"), 0o640)
    #expect(before.isGzip && Self.content(before) != nil && changed == 0)
    let after = try folder.open("/main.js", acceptsGzip: true)
    #expect(after.isGzip && Self.content(after) != nil && after.entityTag == before.entityTag)
    #expect(log.lines.isEmpty)
    // Of its size and time, and another one all the same.
    let other = String(try site.text(of: "main.js").reversed())
    try site.write(other, to: "main.js")
    try site.takeTime(of: "main.js.gz", for: "main.js")
    for _ in 1...2 {
      let file = try folder.open("/main.js", acceptsGzip: false)
      #expect(Self.content(file) == Array(other.utf8) && file.version != before.version)
    }
    #expect(log.lines.count == 1 && log.lines.first?.contains(version) == true)
  }

  @Test func whatIsSentAsItWasIsUnchanged() throws {
    let site = try Site()
    defer { site.remove() }
    let file = try FoundFile(path: site.path(of: "main.js"))
    defer { close(file.descriptor) }
    #expect(file.isUnchanged && file.contents() != nil && file.isUnchanged)
    try site.write("another", to: "main.js")
    #expect(!file.isUnchanged)
  }

  /// Trouble that may pass is no other version: 503, and all other files are there as before.
  @Test func aFileThatCannotBeOpenedEndsNothing() throws {
    let site = try Site()
    defer { site.remove() }
    let version = try site.compress()
    let log = Log()
    let folder = try Self.folder(site, log)
    // A link to itself: neither missing nor to be opened, not even by root.
    let path = site.path(of: "page.css")
    unlink(path)
    let linked = symlink("page.css", path)
    #expect(linked == 0)
    #expect(throws: WebFolder.notNow) {
      try folder.open("/b/\(version)/page.css", acceptsGzip: true)
    }
    let code = try folder.open("/b/\(version)/main.js", acceptsGzip: false)
    #expect(code.isKeptForEver && Self.content(code) != nil)
    let page = try folder.open("/", acceptsGzip: false)
    let pinned = try site.text(of: "pinned.html")
    #expect(Self.content(page) == Array(pinned.utf8))
    #expect(log.lines.isEmpty, "\(log.lines)")
    // Then it is gone.
    unlink(path)
    for name in ["page.css", "main.js"] {
      #expect(throws: WebFolder.nothingHere) {
        try folder.open("/b/\(version)/\(name)", acceptsGzip: true)
      }
    }
    #expect(log.lines.count == 1 && log.lines.first?.hasPrefix("page.css ") == true)
  }

  /// As when a disk or a careless `chmod` keeps this one file from the server for good.
  @Test func aPageThatCannotBeOpenedIsReplacedByThatOfAnyBuild() throws {
    let site = try Site()
    defer { site.remove() }
    let version = try site.compress()
    let log = Log()
    let folder = try Self.folder(site, log)
    let pinned = try site.text(of: "pinned.html")
    let plain = try site.text(of: "index.html")
    let path = site.path(of: "pinned.html")
    let moved = rename(path, path + ".away")
    // A link to itself can't be opened, not even by root.
    let linked = symlink("pinned.html", path)
    #expect(moved == 0 && linked == 0)
    for _ in 1...2 {
      let page = try folder.open("/", acceptsGzip: false)
      #expect(Self.content(page) == Array(plain.utf8) && !page.isKeptForEver)
    }
    // Pages that are open already have their build's files as before.
    let code = try folder.open("/b/\(version)/main.js", acceptsGzip: false)
    #expect(code.isKeptForEver && Self.content(code) != nil)
    #expect(log.lines.count == 1 && log.lines.first?.hasPrefix("pinned.html ") == true)
    unlink(path)
    let back = rename(path + ".away", path)
    #expect(back == 0)
    for _ in 1...2 {
      let again = try folder.open("/", acceptsGzip: false)
      #expect(Self.content(again) == Array(pinned.utf8))
    }
    #expect(log.lines.count == 1, "\(log.lines)")
    // The first time may have been over in a moment: a later one is told, too, and once.
    let movedAgain = rename(path, path + ".away")
    let linkedAgain = symlink("pinned.html", path)
    #expect(movedAgain == 0 && linkedAgain == 0)
    for _ in 1...2 {
      let page = try folder.open("/", acceptsGzip: false)
      #expect(Self.content(page) == Array(plain.utf8))
    }
    #expect(log.lines.count == 2 && log.lines.last == log.lines.first, "\(log.lines)")
  }

  @Test func onlyWhatIsNotThereIsMissing() {
    for code in [ENOENT, ENOTDIR] {
      #expect(FileTrouble(code: code) == .missing)
    }
    #expect(FileTrouble.missing.refusal == WebFolder.nothingHere)
    for code in [EMFILE, ENFILE, ENOMEM, EIO] {
      #expect(FileTrouble(code: code) == .unreadable(code))
      #expect(FileTrouble(code: code).refusal == WebFolder.notNow, "\(code)")
    }
    // Whoever asks for any name at all learns no more than that nothing is served there.
    for code in [EACCES, ENAMETOOLONG, ELOOP] {
      #expect(FileTrouble(code: code) == .unreadable(code))
      #expect(FileTrouble(code: code).refusal == WebFolder.nothingHere, "\(code)")
    }
  }
}
