import CLibWebSockets
import Synchronization

/// The short way by which one frame goes to thousands: what must be known of a connection before
/// each frame stands in one cache line, beside those of the other connections.
///
/// The system call that sends a frame empties much of the processor's cache, so that every line
/// that is looked at is fetched anew. Five of a connection's lines, and counting its references,
/// took a twentieth of the network thread's time at a thousand clients.
///
/// Valid as long as its connection is held: afterwards its slot is another one's.
public struct FastPath {
  fileprivate let slot: UnsafeMutablePointer<FastPathSlot>

  /// Sends a frame, if the connection is open, nothing stands before the frame and the kernel need
  /// not be asked first how far the peer is. On the connection's thread.
  ///
  /// - Parameter now: monotonic nanoseconds.
  /// - Returns: nil where nothing was sent and ``Connection/send(_:)`` must decide.
  public func send(_ frame: OutgoingFrame, at now: UInt64) -> SendStatus? {
    guard slot.pointee.takes(frame.count, at: now) else { return nil }
    let bytes = frame.whole
    let taken = stickerpit_send(
      slot.pointee.descriptor, slot.pointee.tls, bytes.baseAddress, bytes.count)
    return taken == bytes.count ? .sent : slot.pointee.owner!.fastPathTook(taken, of: bytes)
  }

  /// Has the processor fetch what ``send(_:at:)`` will look at.
  public func prefetch() { stickerpit_prefetch(slot) }

  /// Lets frames through until a limit is reached, or ``close()``.
  /// - Parameter bytesSincePing: the bytes that count for the limits already.
  func open(_ limits: QuietLimits, bytesSincePing: UInt64) {
    assert(!slot.pointee.isOpen && slot.pointee.owner != nil)
    slot.pointee.limits = limits
    slot.pointee.bytesSincePing = bytesSincePing
    slot.pointee.isOpen = true
  }

  /// Lets no frame through any more.
  /// - Returns: the bytes that count for the limits now; nil if it was closed.
  @discardableResult
  func close() -> UInt64? {
    guard slot.pointee.isOpen else { return nil }
    slot.pointee.isOpen = false
    return slot.pointee.bytesSincePing
  }
}

/// What ``FastPath`` knows of a connection: 64 bytes, as long as a cache line.
private struct FastPathSlot {
  let descriptor: Int32
  var isOpen = false
  /// OpenSSL's session; nil for plain text.
  let tls: OpaquePointer?
  /// Whose slot it is.
  unowned(unsafe) let owner: ListenerConnection?
  var limits = QuietLimits()
  /// Bytes of the frames since the peer was asked what it has read.
  var bytesSincePing: UInt64 = 0

  /// Whether a frame may go, which is counted then.
  @inline(__always)
  mutating func takes(_ count: Int, at now: UInt64) -> Bool {
    guard isOpen, limits.allow(bytesSincePing + UInt64(count), at: now) else { return false }
    bytesSincePing += UInt64(count)
    return true
  }
}

/// The slots of all connections of a thread, side by side. Memory that was needed once is kept: a
/// listener's limit of connections limits it, to 64 bytes for each.
final class FastPathSlots {
  /// 16 kB, four pages.
  private static let blockCount = 256
  private static let slotBytes = 64
  private struct Slots {
    var blocks: [UnsafeMutableRawPointer] = []
    var free: [UnsafeMutablePointer<FastPathSlot>] = []
  }
  /// Locked, because the last reference to a connection may be let go on any thread. A pointer is
  /// not Sendable and can't leave the lock, so its number does.
  private let slots = Mutex(Slots())

  init() {
    precondition(MemoryLayout<FastPathSlot>.stride == Self.slotBytes)
  }

  deinit {
    slots.withLock { slots in
      assert(slots.free.count == slots.blocks.count * Self.blockCount, "a connection is left")
      for block in slots.blocks { block.deallocate() }
    }
  }

  /// A slot, closed, until it is given back.
  func take(for owner: ListenerConnection, _ socket: RawSocket) -> FastPath {
    let address = slots.withLock { slots in
      if slots.free.isEmpty { Self.addBlock(to: &slots) }
      return UInt(bitPattern: slots.free.removeLast())
    }
    let place = UnsafeMutablePointer<FastPathSlot>(bitPattern: address)!
    place.initialize(
      to: FastPathSlot(descriptor: socket.descriptor, tls: socket.tls, owner: owner))
    return FastPath(slot: place)
  }

  func giveBack(_ path: FastPath) {
    assert(!path.slot.pointee.isOpen)
    let address = UInt(bitPattern: path.slot)
    slots.withLock { $0.free.append(UnsafeMutablePointer(bitPattern: address)!) }
  }

  private static func addBlock(to slots: inout Slots) {
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: blockCount * slotBytes, alignment: slotBytes)
    let first = block.bindMemory(to: FastPathSlot.self, capacity: blockCount)
    slots.blocks.append(block)
    // The lowest one is taken first.
    for index in (0..<blockCount).reversed() { slots.free.append(first + index) }
  }
}

/// What a ``ReadingGauge`` must know before it can say that frames may go without a look.
struct QuietLimits {
  /// No look is needed before this time, in monotonic nanoseconds.
  var pingOrPongDue: UInt64 = 0
  /// Nor, once more than `ReadingGauge.unprovenBytes` were sent, before this one.
  var pingDueIfBusy: UInt64 = 0
  /// When the peer was asked the last time what it has read.
  var lastPing: UInt64 = 0
  /// The bytes a second up to which nothing new is asked of the peer.
  var provenRate: UInt64 = 0

  /// Whether the frames since the last ping may be so many bytes now.
  func allow(_ bytes: UInt64, at now: UInt64) -> Bool {
    guard now < pingOrPongDue else { return false }
    guard bytes > ReadingGauge.unprovenBytes else { return true }
    guard now < pingDueIfBusy else { return false }
    return ReadingGauge.rate(of: bytes, from: lastPing, to: now) <= provenRate
  }
}
