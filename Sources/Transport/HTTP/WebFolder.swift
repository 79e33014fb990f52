import Glibc

/// The folder whose files a listener serves.
struct WebFolder: Sendable {
  /// A file that is open for one answer.
  struct File {
    /// Its bytes, or those of the compressed file beside it.
    let found: FoundFile
    let contentType: String
    /// Whether these are the bytes of the compressed file beside the one that was asked for.
    let isGzip: Bool
    /// Whether nothing else is ever under the address that was asked for.
    fileprivate(set) var isKeptForEver = false
    /// Changes whenever the file does that was asked for: of files that are known to be a build's
    /// it is of the bytes, of others of their number and of their time of change.
    let version: String

    fileprivate init(_ found: FoundFile, _ contentType: String, isGzip: Bool, version: String) {
      (self.found, self.contentType) = (found, contentType)
      (self.isGzip, self.version) = (isGzip, version)
    }

    /// In bytes.
    var size: Int { found.size }

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
  let build: WebBuild?

  /// Checks that the folder can be read, and finds out whether all of a build is in it.
  /// - Parameter log: receives a line for trouble with the build, on any thread.
  init(
    path: String, log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(TransportError) {
    guard let folder = opendir(path) else {
      throw .webFolderUnreadable(path: path, reason: String(cString: strerror(errno)))
    }
    closedir(folder)
    self.path = path
    build = WebBuild(folder: path, log: log)
  }

  static let nothingHere = RequestRefusal(404, "nothing is here")
  static let notNow = RequestRefusal(503, "it can't be opened now: try again")

  /// Opens the file that a decoded request path names: the page, one of its build's under the
  /// build's address, or any other. The caller closes its descriptor. Throws 404 when there is none
  /// to be served, and 503 when it can't be opened now, as when no descriptor is left for it.
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
    if relative == WebBuild.plainPage, let build, build.isWhole(in: path) {
      return try openPage(of: build, acceptsGzip: acceptsGzip)
    }
    return try openFile(relative, acceptsGzip: acceptsGzip)
  }

  /// Opens the page of the build. If that one is changed, gone or can't be opened, it is the page
  /// of any build, whose files lie beside it and are asked about each time, so that page and module
  /// are of one build all the same.
  private func openPage(
    of build: WebBuild, acceptsGzip: Bool
  ) throws(RequestRefusal) -> File {
    do throws(RequestRefusal) {
      if let page = try openPart(WebBuild.page, of: build, acceptsGzip: acceptsGzip) {
        build.notePageOpened()
        return page
      }
    } catch {
      // Where nothing at all can be opened, that is said to the visitor instead.
      let page = try openFile(WebBuild.plainPage, acceptsGzip: acceptsGzip)
      build.tellUnreadablePage()
      return page
    }
    return try openFile(WebBuild.plainPage, acceptsGzip: acceptsGzip)
  }

  /// Opens a file of the build. Nil if it is not the one that it was: then the build is over.
  /// Throws 503 when it can't be opened now, which ends nothing.
  private func openPart(
    _ name: String, of build: WebBuild, acceptsGzip: Bool
  ) throws(RequestRefusal) -> File? {
    guard !build.isOver else { return nil }
    let plain: FoundFile
    do throws(FileTrouble) {
      plain = try FoundFile(path: path + "/" + name)
    } catch {
      guard error == .missing else { throw Self.notNow }
      build.end(because: name)
      return nil
    }
    do throws(FileTrouble) {
      if let part = try build.compare(name, plain) {
        return itselfOrPacked(plain, name, part, acceptsGzip: acceptsGzip)
      }
      close(plain.descriptor)
      return nil
    } catch {
      close(plain.descriptor)
      throw Self.notNow
    }
  }

  /// Opens a file of that name, whichever it is.
  private func openFile(_ relative: String, acceptsGzip: Bool) throws(RequestRefusal) -> File {
    let plain: FoundFile
    do throws(FileTrouble) {
      plain = try FoundFile(path: path + "/" + relative)
    } catch {
      throw error.refusal
    }
    let part = build?.part(relative, of: plain)
    return itselfOrPacked(plain, relative, part, acceptsGzip: acceptsGzip)
  }

  /// An open file, or the one beside it that `scripts/compress-web` made of it (`page.js.gz` of
  /// `page.js`), unless that is of other content. Of a build's files it is known which are; of
  /// others one of another time is.
  /// - Parameter part: what is known of the open file; nil if it is none of the build's.
  func itselfOrPacked(
    _ plain: FoundFile, _ relative: String, _ part: WebBuild.Part?, acceptsGzip: Bool
  ) -> File {
    let contentType = Self.contentType(of: relative)
    let version = part?.tag ?? plain.version
    if acceptsGzip, let packed = try? FoundFile(path: path + "/" + relative + ".gz") {
      let hasItsTime = packed.identity.changed == plain.identity.changed
      let belongs = part == nil ? hasItsTime : build?.hasPacked(relative, packed) == true
      if belongs {
        close(plain.descriptor)
        return File(packed, contentType, isGzip: true, version: version)
      }
      close(packed.descriptor)
    }
    return File(plain, contentType, isGzip: false, version: version)
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
