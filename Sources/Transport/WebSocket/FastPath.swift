import CLibWebSockets
import Synchronization

/// The short way by which one frame goes to thousands: what must be known of a connection before
/// each frame stands in one cache line, beside those of the other connections.
///
/// The system call that sends a frame empties much of the processor's cache, so that every line
/// that is looked at is fetched anew. Five of a connection's lines, and counting its references,
/// took a twentieth of the network thread's time at a thousand clients.
public struct FastPath {
  fileprivate let line: UnsafeMutablePointer<FastPathLine>

  /// Sends a frame, if the connection is open, nothing stands before the frame and the kernel need
  /// not be asked first how far the peer is. On the connection's thread.
  ///
  /// - Parameter now: monotonic nanoseconds.
  /// - Returns: nil where nothing was sent and ``Connection/send(_:)`` must decide.
  public func send(_ frame: OutgoingFrame, at now: UInt64) -> SendStatus? {
    guard line.pointee.takes(frame.count, at: now) else { return nil }
    let bytes = frame.whole
    let taken = stickerpit_send(
      line.pointee.descriptor, line.pointee.tls, bytes.baseAddress, bytes.count)
    return taken == bytes.count ? .sent : line.pointee.owner!.fastPathTook(taken, of: bytes)
  }

  /// Has the processor fetch what ``send(_:at:)`` will look at.
  public func prefetch() { stickerpit_prefetch(line) }

  /// Lets frames through until a limit is reached, or ``close()``.
  /// - Parameter unasked: the bytes that count for the limits already.
  func open(_ limits: QuietLimits, unasked: UInt64) {
    assert(!line.pointee.isOpen && line.pointee.owner != nil)
    line.pointee.limits = limits
    line.pointee.unasked = unasked
    line.pointee.isOpen = true
  }

  /// Lets no frame through any more.
  /// - Returns: the bytes that count for the limits now; nil if it was closed.
  @discardableResult
  func close() -> UInt64? {
    guard line.pointee.isOpen else { return nil }
    line.pointee.isOpen = false
    return line.pointee.unasked
  }
}

/// What ``FastPath`` knows of a connection: 64 bytes, as long as a cache line.
private struct FastPathLine {
  let descriptor: Int32
  var isOpen = false
  /// OpenSSL's session; nil for plain text.
  let tls: OpaquePointer?
  /// Whose line it is.
  unowned(unsafe) let owner: ListenerConnection?
  var limits = QuietLimits()
  /// Bytes of the frames since the peer was asked what it has read.
  var unasked: UInt64 = 0

  /// Whether a frame may go, which is counted then.
  @inline(__always)
  mutating func takes(_ count: Int, at now: UInt64) -> Bool {
    guard isOpen, limits.allow(unasked + UInt64(count), at: now) else { return false }
    unasked += UInt64(count)
    return true
  }
}

/// The lines of all connections of a thread, side by side. Memory that was needed once is kept: a
/// listener's limit of connections limits it, to 64 bytes for each.
final class FastPathLines {
  /// 16 kB, four pages.
  private static let blockCount = 256
  private static let lineBytes = 64
  private struct Lines {
    var blocks: [UnsafeMutableRawPointer] = []
    var free: [UnsafeMutablePointer<FastPathLine>] = []
  }
  /// Locked, because the last reference to a connection may be let go on any thread.
  private let lines = Mutex(Lines())

  init() {
    precondition(MemoryLayout<FastPathLine>.stride == Self.lineBytes)
  }

  deinit {
    lines.withLock { lines in
      assert(lines.free.count == lines.blocks.count * Self.blockCount, "a connection is left")
      for block in lines.blocks { block.deallocate() }
    }
  }

  /// A line, closed, until it is given back.
  func take(for owner: ListenerConnection, _ socket: RawSocket) -> FastPath {
    let line = lines.withLock { lines in
      if lines.free.isEmpty { Self.addBlock(to: &lines) }
      return UInt(bitPattern: lines.free.removeLast())
    }
    let place = UnsafeMutablePointer<FastPathLine>(bitPattern: line)!
    place.initialize(
      to: FastPathLine(descriptor: socket.descriptor, tls: socket.tls, owner: owner))
    return FastPath(line: place)
  }

  func giveBack(_ path: FastPath) {
    assert(!path.line.pointee.isOpen)
    let line = UInt(bitPattern: path.line)
    lines.withLock { $0.free.append(UnsafeMutablePointer(bitPattern: line)!) }
  }

  private static func addBlock(to lines: inout Lines) {
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: blockCount * lineBytes, alignment: lineBytes)
    let first = block.bindMemory(to: FastPathLine.self, capacity: blockCount)
    lines.blocks.append(block)
    // The lowest one is taken first.
    for index in (0..<blockCount).reversed() { lines.free.append(first + index) }
  }
}
