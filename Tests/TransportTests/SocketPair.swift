import Glibc
import Testing

/// Two connected sockets: one for the test, one to give away.
final class SocketPair {
  private let own: Int32
  private var other: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    let result = socketpair(
      AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends)
    try #require(result == 0)
    (own, other) = (ends[0], ends[1])
  }

  deinit {
    close(own)
    if other >= 0 { close(other) }
  }

  /// The end to give away; whoever takes it closes it.
  func takeOther() -> Int32 {
    defer { other = -1 }
    return other
  }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    let count = Glibc.send(own, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    #expect(count == bytes.count)
  }
}
