import Glibc

/// The folder whose files a listener serves.
struct WebFolder {
  /// A file that is open for one answer.
  struct File {
    let descriptor: Int32
    let size: Int
    let contentType: String
    /// Whether these are the bytes of the compressed file beside the one that was asked for.
    var isGzip = false
    /// Changes whenever size or time of change of the file do that was asked for.
    fileprivate let version: String

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

  /// Checks that the folder can be read.
  init(path: String) throws(TransportError) {
    guard let folder = opendir(path) else {
      throw .webFolderUnreadable(path: path, reason: String(cString: strerror(errno)))
    }
    closedir(folder)
    self.path = path
  }

  static let nothingHere = RequestRefusal(404, "nothing is here")

  /// Opens the file that a decoded request path names, or the one beside it that
  /// `scripts/compress-web` made of it (`page.js.gz` of `page.js`), unless that is of another time
  /// and so of another content. The caller closes its descriptor. Throws 404 when there is none to
  /// be served, and 503 when no descriptor is left for it.
  /// - Parameter acceptsGzip: whether who asks can read compressed files.
  func open(_ requestPath: String, acceptsGzip: Bool) throws(RequestRefusal) -> File {
    guard let relative = Self.relativePath(requestPath) else { throw Self.nothingHere }
    let plain = try openDescriptor(relative)
    let contentType = Self.contentType(of: relative)
    if acceptsGzip, let packed = try? openDescriptor(relative + ".gz") {
      guard packed.changed != plain.changed else {
        close(plain.number)
        return File(
          descriptor: packed.number, size: packed.size, contentType: contentType, isGzip: true,
          version: plain.version)
      }
      close(packed.number)
    }
    return File(
      descriptor: plain.number, size: plain.size, contentType: contentType,
      version: plain.version)
  }

  /// A regular file that is open.
  private struct Descriptor {
    let number: Int32
    let size: Int
    /// When it was changed, in nanoseconds since 1970.
    let changed: Int

    var version: String { "\(String(changed, radix: 36))-\(String(size, radix: 36))" }
  }

  private func openDescriptor(_ relative: String) throws(RequestRefusal) -> Descriptor {
    let number = Glibc.open(path + "/" + relative, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else {
      let isFull = errno == EMFILE || errno == ENFILE
      throw isFull ? RequestRefusal(503, "too much is open: try again") : Self.nothingHere
    }
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(number)
      throw Self.nothingHere
    }
    let changed = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
    return Descriptor(number: number, size: Int(status.st_size), changed: changed)
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
