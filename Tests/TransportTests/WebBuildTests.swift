import Foundation
import Glibc
import Testing

@testable import Transport

/// What of a build of the page may be kept for ever, and that it ends with the first file that
/// changes. The folders are made by the script that makes those of the page.
@Suite struct WebBuildTests {
  /// A folder with a page, its files and a secret beside it.
  struct Site {
    let root: URL
    var web: URL { root.appending(path: "web") }

    static let page = """
      <link rel="icon" type="image/svg+xml" href="art/smile.svg">
      <link rel="apple-touch-icon" href="touch.png">
      <link rel="manifest" href="pit.webmanifest">
      <link rel="stylesheet" href="page.css">
      <script type="module" async src="early.js"></script>
      <script type="module" src="main.js"></script>

      """

    init() throws {
      root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(
        at: root.appending(path: "web/art"), withIntermediateDirectories: true)
      try Data("secret".utf8).write(to: root.appending(path: "secret.txt"))
      try write(Self.page, to: "index.html")
      for name in [
        "art/smile.svg", "touch.png", "pit.webmanifest", "page.css", "early.js", "main.js",
        "worker.js",
      ] {
        try write(String(repeating: "content of \(name)\n", count: 20), to: name)
      }
    }

    func write(_ text: String, to name: String) throws {
      try Data(text.utf8).write(to: web.appending(path: name))
    }

    func text(of name: String) throws -> String {
      try String(contentsOf: web.appending(path: name), encoding: .utf8)
    }

    func path(of name: String) -> String { web.appending(path: name).path }

    /// Gives a file the time of another one, to the nanosecond, as `cp -p` does.
    func takeTime(of other: String, for name: String) throws {
      var status = stat()
      let told = stat(path(of: other), &status)
      try #require(told == 0)
      let taken = utimensat(AT_FDCWD, path(of: name), [status.st_atim, status.st_mtim], 0)
      try #require(taken == 0)
    }

    /// Runs `scripts/compress-web`, and tells the build's version.
    @discardableResult func compress() throws -> String {
      let project = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      let process = Process()
      process.executableURL = project.appending(path: "scripts/compress-web")
      process.arguments = [web.path]
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      return try #require(WebBuild.Listing(try text(of: "build.js"))).version
    }

    func remove() { try? FileManager.default.removeItem(at: root) }
  }

  private static let forEver = "public, max-age=31536000, immutable"

  @Test func thePageNamesItsFilesUnderTheAddressOfItsBuild() throws {
    let site = try Site()
    defer { site.remove() }
    let version = try site.compress()
    let pinned = try site.text(of: "pinned.html")
    for name in ["art/smile.svg", "page.css", "main.js"] {
      #expect(pinned.contains("=\"b/\(version)/\(name)\""), "\(name)")
    }
    for name in ["touch.png", "pit.webmanifest", "early.js"] {
      #expect(pinned.contains("=\"\(name)\""), "\(name)")
    }
    #expect(pinned.replacing("b/\(version)/", with: "") == Site.page)
    #expect(try site.text(of: "index.html") == Site.page)
    // Nothing is made anew of what is the same.
    #expect(try site.compress() == version)
    try site.write("another", to: "main.js")
    #expect(try site.compress() != version)
    // SHA-256 of "abc" (FIPS 180-4).
    #expect(WebBuild.sum(Array("abc".utf8)).hasPrefix("ba7816bf8f01cfea414140de5dae2223"))
  }

  @Test func filesOfTheBuildAreKeptForEverAndThePageIsNot() throws {
    let site = try Site()
    defer { site.remove() }
    let version = try site.compress()
    let listener = try LiveServer().listen { $0.webFolder = site.web.path }
    let pinned = try site.text(of: "pinned.html")
    for path in ["/", "/index.html", "/?view=stage"] {
      let page = RawClient.ask(path, port: listener.port)
      #expect(page.status == 200 && page.text == pinned, "\(path)")
      #expect(page.headers["cache-control"] == "no-cache")
      #expect(page.headers["content-type"] == "text/html; charset=utf-8")
    }
    let types = [
      "main.js": "text/javascript; charset=utf-8", "page.css": "text/css; charset=utf-8",
      "art/smile.svg": "image/svg+xml",
    ]
    for (name, type) in types {
      let path = "/b/\(version)/\(name)"
      let file = RawClient.ask(path, port: listener.port)
      let content = try site.text(of: name)
      #expect(file.status == 200 && file.text == content)
      #expect(file.headers["cache-control"] == Self.forEver)
      #expect(file.headers["content-type"] == type)
      #expect(file.headers["content-security-policy"] != nil)
      let packed = RawClient.ask(path, port: listener.port, headers: ["Accept-Encoding: gzip"])
      #expect(packed.headers["content-encoding"] == "gzip" && packed.body.count < file.body.count)
      #expect(packed.headers["cache-control"] == Self.forEver)
      #expect(packed.headers["vary"] == "Accept-Encoding")
      let tag = try #require(file.headers["etag"])
      let again = RawClient.ask(path, port: listener.port, headers: ["If-None-Match: \(tag)"])
      #expect(again.status == 304 && again.headers["cache-control"] == Self.forEver)
      let head = RawClient.ask(path, port: listener.port, method: "HEAD")
      #expect(head.status == 200 && head.headers["cache-control"] == Self.forEver)
      // As on any other host.
      let plain = RawClient.ask("/\(name)", port: listener.port)
      #expect(plain.text == file.text && plain.headers["cache-control"] == "no-cache")
    }
    listener.stop()
  }

  @Test func nothingElseIsUnderABuildsAddress() throws {
    let site = try Site()
    defer { site.remove() }
    let version = try site.compress()
    let listener = try LiveServer().listen { $0.webFolder = site.web.path }
    let own = "/b/\(version)"
    for path in [
      "/b/0000000000000000/main.js", "/b/\(version.uppercased())x/main.js", "/b//main.js",
      "/b/main.js", "/b/", "/b", own, "\(own)/", "\(own)/missing.js", "\(own)//main.js",
      "\(own)/main.js/", "\(own)/main.js.gz",
      // Its links would lead elsewhere from there.
      "\(own)/index.html", "\(own)/pinned.html", "\(own)/pit.webmanifest", "\(own)/build.js",
      "\(own)/worker.js", "\(own)/touch.png", "\(own)/b/\(version)/main.js",
      "\(own)/../../../secret.txt", "\(own)/../../main.js", "\(own)/%2e%2e/%2e%2e/main.js",
      "\(own)/..%2fmain.js", "/b/../main.js", "/b/../../secret.txt", "\(own)/..\\main.js",
    ] {
      for method in ["GET", "HEAD"] {
        let answer = RawClient.ask(path, port: listener.port, method: method)
        #expect(answer.status == 404 || answer.status == 400, "\(path)")
        #expect(answer.headers["cache-control"] == "no-store", "\(path)")
        #expect(!answer.text.contains("secret") && !answer.text.contains("content of"), "\(path)")
      }
    }
    // None of that ended it.
    #expect(RawClient.ask("\(own)/main.js", port: listener.port).status == 200)
    listener.stop()
  }

  /// Whoever changes them: an editor, a copy in the middle of its way, the script itself.
  @Test(arguments: ["main.js", "index.html", "build.js", "pinned.html"])
  func aFileThatChangesEndsTheBuild(_ name: String) throws {
    let site = try Site()
    defer { site.remove() }
    let version = try site.compress()
    let listener = try LiveServer().listen { $0.webFolder = site.web.path }
    func ask(_ path: String) -> RawClient.Answer { RawClient.ask(path, port: listener.port) }
    let pinnedTag = ask("/").headers["etag"]
    try site.write("another", to: name)
    // Found out by whoever asks for it.
    let isCode = name == "main.js"
    let first = ask(isCode ? "/b/\(version)/main.js" : "/")
    #expect(first.status == (isCode ? 404 : 200) && first.headers["cache-control"] != Self.forEver)
    let plain = try site.text(of: "index.html")
    #expect(ask("/").text == plain)
    #expect(ask("/").headers["etag"] != pinnedTag)
    for file in ["main.js", "page.css"] {
      #expect(ask("/b/\(version)/\(file)").status == 404)
      let content = try site.text(of: file)
      #expect(ask("/\(file)").text == content)
      #expect(ask("/\(file)").headers["cache-control"] == "no-cache")
    }
    listener.stop()
  }

  @Test func aFileThatGoesEndsTheBuildToo() throws {
    let site = try Site()
    defer { site.remove() }
    let version = try site.compress()
    let folder = try WebFolder(path: site.web.path)
    try FileManager.default.removeItem(at: site.web.appending(path: "page.css"))
    // Shared by all copies, as the threads of a port have them.
    let copy = folder
    #expect(throws: WebFolder.nothingHere) {
      try folder.open("/b/\(version)/page.css", acceptsGzip: false)
    }
    #expect(throws: WebFolder.nothingHere) {
      try copy.open("/b/\(version)/main.js", acceptsGzip: false)
    }
  }

  /// Files that were changed by hand after the script had run, or only some of which are there yet.
  @Test func aFolderThatIsNotAsListedHasNoBuild() throws {
    let site = try Site()
    defer { site.remove() }
    try site.compress()
    #expect(WebBuild(folder: site.web.path) != nil)
    for name in ["main.js", "index.html", "pinned.html", "build.js"] {
      let text = try site.text(of: name)
      try site.write(name == "build.js" ? "" : text + " ", to: name)
      #expect(WebBuild(folder: site.web.path) == nil, "\(name)")
      try FileManager.default.removeItem(at: site.web.appending(path: name))
      #expect(WebBuild(folder: site.web.path) == nil, "\(name)")
      try site.write(text, to: name)
      #expect(WebBuild(folder: site.web.path) != nil, "\(name)")
    }
    let list = try site.text(of: "build.js")
    let outside = list.replacing("    \"main.js\"", with: "    \"../web/main.js\"")
    #expect(outside != list)
    try site.write(outside, to: "build.js")
    #expect(WebBuild(folder: site.web.path) == nil, "a name that leads out of the folder")
  }
}
