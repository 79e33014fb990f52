import Glibc

/// The folder whose files a listener serves.
struct WebFolder: Sendable {
  /// A file that is open for one answer.
  struct File {
    let descriptor: Int32
    let size: Int
    /// When these bytes were changed, in nanoseconds since 1970.
    let changed: Int
    let contentType: String
    /// Whether these are the bytes of the compressed file beside the one that was asked for.
    let isGzip: Bool
    /// Whether nothing else is ever under the address that was asked for.
    fileprivate(set) var isKeptForEver = false
    /// Changes whenever size or time of change of the file do that was asked for.
    fileprivate(set) var version: String

    fileprivate init(_ found: FoundFile, _ contentType: String, isGzip: Bool, version: String) {
      (descriptor, size, changed) = (found.descriptor, found.size, found.changed)
      (self.contentType, self.isGzip, self.version) = (contentType, isGzip, version)
    }

    /// As long as nothing changes, the compressed bytes have this tag and the plain ones that.
    var entityTag: String { Self.tag(version, isGzip: isGzip) }

    /// Whether a tag is that of the file as it is now. Who has it uncompressed needs no other one.
    func isKnown(by tag: String) -> Bool {
      tag == entityTag || tag == Self.tag(version, isGzip: !isGzip)
    }

    private static func tag(_ version: String, isGzip: Bool) -> String {
      "\"\(version)\(isGzip ? "-gzip" : "")\""
    }
  }

  private let path: String
  /// Shared by all copies of this folder.
  private let build: WebBuild?

  /// Checks that the folder can be read, and finds out whether all of a build is in it.
  init(path: String) throws(TransportError) {
    guard let folder = opendir(path) else {
      throw .webFolderUnreadable(path: path, reason: String(cString: strerror(errno)))
    }
    closedir(folder)
    self.path = path
    build = WebBuild(folder: path)
  }

  static let nothingHere = RequestRefusal(404, "nothing is here")

  /// Opens the file that a decoded request path names: the page, one of its build's under the
  /// build's address, or any other. The caller closes its descriptor. Throws 404 when there is none
  /// to be served, and 503 when no descriptor is left for it.
  /// - Parameter acceptsGzip: whether who asks can read compressed files.
  func open(_ requestPath: String, acceptsGzip: Bool) throws(RequestRefusal) -> File {
    guard let relative = Self.relativePath(requestPath) else { throw Self.nothingHere }
    if let address = WebBuild.Address(relative) {
      // Of another build than the one that is here nothing is known: its page begins anew.
      guard let build, address.version == build.version, build.keeps(address.name),
        var file = try openPart(address.name, of: build, acceptsGzip: acceptsGzip)
      else { throw Self.nothingHere }
      file.isKeptForEver = true
      return file
    }
    if relative == WebBuild.plainPage, let build, build.isWhole(in: path),
      var page = try openPart(WebBuild.page, of: build, acceptsGzip: acceptsGzip)
    {
      page.version = build.pageTag
      return page
    }
    return try openFile(relative, acceptsGzip: acceptsGzip)
  }

  /// Opens a file of the build. Nil if it is not the one that it was: then the build is over.
  private func openPart(
    _ name: String, of build: WebBuild, acceptsGzip: Bool
  ) throws(RequestRefusal) -> File? {
    guard !build.isOver else { return nil }
    do throws(RequestRefusal) {
      let file = try openFile(name, acceptsGzip: acceptsGzip)
      if build.has(name, file.version) { return file }
      close(file.descriptor)
    } catch {
      guard error.status == 404 else { throw error }
      build.end()
    }
    return nil
  }

  /// Opens a file of that name, or the one beside it that `scripts/compress-web` made of it
  /// (`page.js.gz` of `page.js`), unless that is of another time and so of another content.
  private func openFile(_ relative: String, acceptsGzip: Bool) throws(RequestRefusal) -> File {
    let plain = try FoundFile(path: path + "/" + relative)
    let contentType = Self.contentType(of: relative)
    if acceptsGzip, let packed = try? FoundFile(path: path + "/" + relative + ".gz") {
      guard packed.changed != plain.changed else {
        close(plain.descriptor)
        return File(packed, contentType, isGzip: true, version: plain.version)
      }
      close(packed.descriptor)
    }
    return File(plain, contentType, isGzip: false, version: plain.version)
  }

  /// The path below the folder: nothing that leads out of it, nothing hidden.
  static func relativePath(_ requestPath: String) -> String? {
    guard requestPath.utf8.first == UInt8(ascii: "/") else { return nil }
    var path = requestPath.dropFirst()
    if path.isEmpty || path.hasSuffix("/") { path += "index.html" }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let isSafe = parts.allSatisfy { part in
      !part.isEmpty && !part.hasPrefix(".") && !part.utf8.contains { $0 < 32 || $0 == 0x5c }
    }
    return isSafe ? String(path) : nil
  }

  static func contentType(of path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    let ending = name.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    return contentTypes[ending.lowercased()] ?? "application/octet-stream"
  }

  private static let contentTypes: [String: String] = [
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8",
    "json": "application/json",
    "map": "application/json",
    "wasm": "application/wasm",
    "webmanifest": "application/manifest+json",
    "svg": "image/svg+xml",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "webp": "image/webp",
    "avif": "image/avif",
    "ico": "image/x-icon",
    "woff2": "font/woff2",
    "mp3": "audio/mpeg",
    "txt": "text/plain; charset=utf-8",
  ]
}
