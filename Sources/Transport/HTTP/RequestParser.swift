/// Finds request heads in a stream of bytes, in whatever pieces they come.
///
/// Strict where a proxy in front might understand something else: lines end in CR LF and nothing
/// else, and no line is continued on the next. Debian's http-parser would let single line feeds,
/// continued lines and blanks in header names pass, because it is built in its lenient mode.
struct RequestParser {
  /// Bytes of a head, its empty line included. Browsers stay below 2 kB without cookies, and
  /// nothing here sets any.
  static let maximumHeadBytes = 8192

  enum Outcome: Equatable {
    /// The head is not complete.
    case more
    case request(RequestHead)
    /// The stream makes no sense from here on; the socket is to be closed after the answer.
    case refused(RequestRefusal)
  }

  private var head: [UInt8] = []

  /// Whether a head has begun.
  var hasBegun: Bool { !head.isEmpty }

  /// Reads on, up to the end of a head.
  ///
  /// - Returns: how many bytes were used, all of them unless a head ended.
  mutating func read(_ bytes: UnsafeRawBufferPointer) -> (used: Int, outcome: Outcome) {
    for (index, byte) in bytes.enumerated() {
      guard head.count < Self.maximumHeadBytes else {
        return (index, .refused(RequestRefusal(431, "the request's head is too long")))
      }
      guard isAllowed(byte) else {
        return (index, .refused(RequestRefusal(400, "the request is malformed")))
      }
      head.append(byte)
      if byte == 10, endsWithEmptyLine { return (index + 1, finish()) }
    }
    return (bytes.count, .more)
  }

  /// Whether the line that just ended is empty.
  private var endsWithEmptyLine: Bool {
    head.count == 2 || (head.count >= 4 && head[head.count - 3] == 10)
  }

  private mutating func finish() -> Outcome {
    defer { head.removeAll(keepingCapacity: true) }
    do throws(RequestRefusal) {
      return .request(try RequestHead(head))
    } catch {
      var refusal = error
      refusal.isOfHead = head.starts(with: "HEAD ".utf8)
      return .refused(refusal)
    }
  }

  /// Whether the byte may follow what was read.
  private func isAllowed(_ byte: UInt8) -> Bool {
    let last = head.last
    if last == 13 { return byte == 10 }
    switch byte {
    case 10, 127: return false
    case 9, 32: return last != 10
    default: return byte >= 32 || byte == 13
    }
  }
}
