import CLibWebSockets
import Glibc

/// A connection to a port that speaks TLS, before its handshake.
final class Newcomer: RosterMember {
  let descriptor: Int32
  let remoteAddress: String
  let addressPrefix: AddressPrefix
  var place = -1
  /// When it was accepted, in monotonic nanoseconds.
  fileprivate(set) var arrived: UInt64
  /// Whether its ClientHello is all there, so that it waits for its turn.
  fileprivate(set) var isReady = false
  fileprivate var looks = 0

  init(descriptor: Int32, remoteAddress: String, addressPrefix: AddressPrefix, at now: UInt64) {
    self.descriptor = descriptor
    self.remoteAddress = remoteAddress
    self.addressPrefix = addressPrefix
    arrived = now
  }
}

/// Where connections wait for their TLS handshake.
///
/// A handshake costs a millisecond of the thread that also fans out, so there is a pace for all of
/// them together. Who has said nothing yet, or not all of its ClientHello, costs nobody a turn; the
/// others take turns by address, so that a flood from one of them makes only its own line longer.
/// Nothing is read here: the bytes stay in the kernel.
final class HandshakeQueue {
  /// A ClientHello comes in a few segments. Who sends it byte by byte is not looked at for ever.
  private static let mostLooks = 64

  /// Becomes readable when somebody has sent something. Whoever has it watched owns it.
  let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
  private let limits: TrafficLimits
  private var pace: TokenBucket
  private var everybody = Roster<Newcomer>()
  private var bySocket: [Int32: Newcomer] = [:]
  private var ready = FairQueue<Newcomer>()
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: ClientHello.mostBytes, alignment: 1)

  init(_ limits: TrafficLimits) {
    self.limits = limits
    pace = TokenBucket(perSecond: limits.handshakesPerSecond, burst: limits.handshakesBurst)
  }

  deinit {
    closeAll()
    buffer.deallocate()
  }

  /// How many wait, and how many of them for nothing but their turn.
  var count: Int { everybody.count }
  var readyCount: Int { ready.count }

  /// Lets an accepted connection wait. When there is no room, somebody of the address with most
  /// connections leaves: of those who have not said everything the oldest, otherwise the last one.
  func insert(_ newcomer: Newcomer) {
    if everybody.count(of: newcomer.addressPrefix) >= limits.visitorsPerAddress {
      makeRoom(among: newcomer.addressPrefix)
    } else if everybody.count >= limits.visitors, let largest = everybody.largestAddress {
      makeRoom(among: largest)
    }
    guard stickerpit_watch_arrivals(descriptor, newcomer.descriptor) == 0 else {
      close(newcomer.descriptor)
      return
    }
    everybody.insert(newcomer)
    bySocket[newcomer.descriptor] = newcomer
  }

  private func makeRoom(among prefix: AddressPrefix) {
    let silent = everybody.all.lazy.filter { !$0.isReady && $0.addressPrefix == prefix }
    if let oldest = silent.min(by: { $0.arrived < $1.arrived }) { return end(oldest) }
    if let last = ready.popLast(of: prefix) { end(last) }
  }

  // MARK: What has arrived

  /// Looks at what has come on all those sockets of which something came.
  func readArrivals() {
    var sockets = [Int32](repeating: -1, count: 64)
    let count = stickerpit_arrivals(descriptor, &sockets)
    for socket in sockets.prefix(max(0, Int(count))) {
      if let newcomer = bySocket[socket] { look(at: newcomer) }
    }
  }

  private func look(at newcomer: Newcomer) {
    assert(!newcomer.isReady)
    let count = recv(
      newcomer.descriptor, buffer.baseAddress, buffer.count, Int32(MSG_PEEK))
    newcomer.looks += 1
    guard count > 0, newcomer.looks <= Self.mostLooks else {
      // Woken for nothing is no reason to part.
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      return end(newcomer)
    }
    switch ClientHello(UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
    case .incomplete: if stickerpit_has_left(newcomer.descriptor) != 0 { end(newcomer) }
    case .tooLong: end(newcomer)
    case .complete, .somethingElse:
      newcomer.isReady = true
      stickerpit_stop_watching(descriptor, newcomer.descriptor)
      ready.append(newcomer, of: newcomer.addressPrefix)
    }
  }

  // MARK: Turns

  /// Whether somebody can have their turn now.
  func isOpen(at now: UInt64) -> Bool { ready.count > 0 && pace.holds(at: now) }

  /// Whose turn it is: the socket is the caller's from now on. Those who have left meanwhile, or
  /// have waited for so long that they have given up, cost nobody a turn.
  func next(at now: UInt64) -> Newcomer? {
    guard pace.holds(at: now) else { return nil }
    while let newcomer = ready.popFirst() {
      guard stickerpit_has_left(newcomer.descriptor) == 0,
        !hasWaited(newcomer, for: limits.visitSeconds, at: now)
      else {
        end(newcomer)
        continue
      }
      forget(newcomer)
      pace.charge(1, at: now)
      return newcomer
    }
    return nil
  }

  // MARK: The end

  /// Parts with those who have not said all of their ClientHello in time.
  func endTheSlow(at now: UInt64) {
    for newcomer in everybody.all
    where !newcomer.isReady && hasWaited(newcomer, for: limits.firstRequestSeconds, at: now) {
      end(newcomer)
    }
  }

  /// Gives back the time for which this process stood still.
  func forgive(_ standstill: UInt64) {
    for newcomer in everybody.all { newcomer.arrived += standstill }
  }

  /// Closes all of them.
  func closeAll() {
    while ready.popFirst() != nil {}
    for newcomer in everybody.all { end(newcomer) }
  }

  private func hasWaited(_ newcomer: Newcomer, for seconds: Int, at now: UInt64) -> Bool {
    now - min(now, newcomer.arrived) >= UInt64(seconds) * 1_000_000_000
  }

  private func end(_ newcomer: Newcomer) {
    forget(newcomer)
    close(newcomer.descriptor)
  }

  private func forget(_ newcomer: Newcomer) {
    everybody.remove(newcomer)
    bySocket[newcomer.descriptor] = nil
  }
}
