import Glibc

/// An answer on its way to a visitor, piece by piece as the socket takes it.
struct HTTPAnswer {
  /// Bytes given to the socket at a time: what a slow socket leaves is kept in memory.
  static let pieceBytes = 16_384

  /// The code in its first line.
  let status: Int
  private let head: [UInt8]
  private let body: Body
  private var headSent = 0
  private var bodySent = 0

  private enum Body {
    case none
    case bytes([UInt8])
    case file(OpenFile)

    var count: Int {
      switch self {
      case .none: 0
      case .bytes(let bytes): bytes.count
      case .file(let file): file.size
      }
    }
  }

  /// What the answer depends on besides its content.
  struct Circumstances {
    /// The `Host` header, for the page's policy.
    var host = ""
    var isHead = false
    /// Whether the socket closes after this answer.
    var isLast = false
  }

  /// A whole answer.
  init(_ response: HTTPResponse, _ circumstances: Circumstances) {
    var head = HTTPHead(status: response.status, contentLength: response.body.count)
    head.add("Content-Type", response.contentType)
    head.add("Cache-Control", response.cacheControl)
    for header in response.headers { head.add(header.name, header.value) }
    self.init(head, circumstances, body: .bytes(response.body))
  }

  /// A file, or only the news that it has not changed.
  init(_ file: WebFolder.File, knownTag: String, _ circumstances: Circumstances) {
    let open = OpenFile(file.found)
    let isKnown = file.isKnown(by: knownTag)
    var head = HTTPHead(status: isKnown ? 304 : 200, contentLength: file.size)
    head.add("Content-Type", file.contentType)
    if file.isGzip, !isKnown { head.add("Content-Encoding", "gzip") }
    head.add("Vary", "Accept-Encoding")
    head.add("ETag", isKnown ? knownTag : file.entityTag)
    // All else is kept by the browser but asked about each time: page and module must be of one
    // version.
    let forEver = "public, max-age=31536000, immutable"
    head.add("Cache-Control", file.isKeptForEver ? forEver : "no-cache")
    self.init(head, circumstances, body: isKnown ? .none : .file(open))
  }

  private init(_ head: HTTPHead, _ circumstances: Circumstances, body: Body) {
    var head = head
    if circumstances.isLast { head.add("Connection", "close") }
    head.addSecurity(host: circumstances.host)
    head.finish()
    status = head.status
    self.head = head.bytes
    self.body = circumstances.isHead ? .none : body
  }

  var isComplete: Bool { headSent == head.count && bodySent == body.count }

  /// Puts the next piece into the buffer, at most ``pieceBytes``.
  ///
  /// - Returns: its length, or `nil` when the rest is lost: a file that was changed since its head
  ///   was sent cannot be sent honestly.
  mutating func takePiece(into buffer: UnsafeMutablePointer<UInt8>) -> Int? {
    let space = UnsafeMutableRawBufferPointer(start: buffer, count: Self.pieceBytes)
    let headPiece = head[headSent...].prefix(space.count)
    space.copyBytes(from: headPiece)
    headSent += headPiece.count
    let rest = UnsafeMutableRawBufferPointer(rebasing: space[headPiece.count...])
    let wanted = min(rest.count, body.count - bodySent)
    guard wanted > 0 else { return headPiece.count }
    switch body {
    case .none: break
    case .bytes(let bytes): rest.copyBytes(from: bytes[bodySent..<(bodySent + wanted)])
    case .file(let file): guard file.read(into: rest, wanted) else { return nil }
    }
    bodySent += wanted
    return headPiece.count + wanted
  }
}

/// A file that is being sent. Closes it when let go.
private final class OpenFile {
  private let file: FoundFile

  init(_ file: FoundFile) {
    self.file = file
  }

  deinit {
    close(file.descriptor)
  }

  /// In bytes.
  var size: Int { file.size }

  func read(into buffer: UnsafeMutableRawBufferPointer, _ wanted: Int) -> Bool {
    var count = 0
    while count < wanted {
      let more = Glibc.read(file.descriptor, buffer.baseAddress! + count, wanted - count)
      guard more > 0 else { return false }
      count += more
    }
    // Else a browser might keep half of one file and half of another.
    return file.isUnchanged
  }
}
