import CLibWebSockets
import Glibc

/// Where connections wait for their TLS handshake.
///
/// A handshake costs a millisecond of the thread that also fans out, so there is a pace for all of
/// them together. Who has said nothing yet, or not all of its ClientHello, costs nobody a turn; the
/// others take turns by address, so that a flood from one of them makes only its own line longer.
/// Nothing is read here: the bytes stay in the kernel.
final class HandshakeQueue {
  /// Becomes readable when somebody has sent something. Whoever has it watched owns it.
  let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
  private let counts: PortCounts
  private var limits: TrafficLimits
  private var budget: HandshakeBudget
  private var everybody = Roster<AcceptedSocket>()
  private var bySocket: [Int32: AcceptedSocket] = [:]
  private var ready = FairQueue<AcceptedSocket>()
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: ClientHello.mostBytes, alignment: 1)

  /// - Parameter counts: where it is counted who is refused.
  init(_ limits: TrafficLimits, _ counts: PortCounts) {
    self.limits = limits
    self.counts = counts
    budget = HandshakeBudget(limits)
  }

  func change(_ limits: TrafficLimits) {
    self.limits = limits
    budget = HandshakeBudget(limits)
  }

  deinit {
    closeAll()
    buffer.deallocate()
  }

  /// Whether a second ClientHello is answered; the first one has had its turn here.
  func takeRepeated(at now: UInt64) -> Bool { budget.repeated.take(at: now) }

  /// How many wait, and how many of them for nothing but their turn.
  var count: Int { everybody.count }
  var readyCount: Int { ready.count }

  /// Lets an accepted connection wait. When there is no room, somebody of the address with most
  /// connections leaves: of those who have not said everything the oldest, otherwise the last one.
  func insert(_ accepted: AcceptedSocket) {
    if everybody.count(of: accepted.addressPrefix) >= limits.visitorsPerAddress {
      makeRoom(among: accepted.addressPrefix)
    } else if everybody.count >= limits.visitors, let largest = everybody.largestAddress {
      makeRoom(among: largest)
    }
    guard stickerpit_watch_arrivals(descriptor, accepted.descriptor) == 0 else {
      close(accepted.descriptor)
      return
    }
    everybody.insert(accepted)
    bySocket[accepted.descriptor] = accepted
  }

  private func makeRoom(among prefix: AddressPrefix) {
    let silent = everybody.all.lazy.filter { !$0.isReady && $0.addressPrefix == prefix }
    if let oldest = silent.min(by: { $0.arrived < $1.arrived }) { return refuse(oldest, .crowd) }
    if let last = ready.popLast(of: prefix) { refuse(last, .crowd) }
  }

  // MARK: What has arrived

  /// Looks at what has come on all those sockets of which something came.
  func readArrivals() {
    var sockets = [Int32](repeating: -1, count: 64)
    let count = stickerpit_arrivals(descriptor, &sockets)
    for socket in sockets.prefix(max(0, Int(count))) {
      if let accepted = bySocket[socket] { look(at: accepted) }
    }
  }

  private func look(at accepted: AcceptedSocket) {
    assert(!accepted.isReady)
    let count = recv(
      accepted.descriptor, buffer.baseAddress, buffer.count, Int32(MSG_PEEK))
    accepted.looks += 1
    guard count > 0 else {
      // Woken for nothing is no reason to part.
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      return end(accepted)
    }
    guard accepted.looks <= FixedLimits.looksAtClientHello else {
      return refuse(accepted, .slowness)
    }
    switch ClientHello(UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
    case .incomplete: if stickerpit_has_left(accepted.descriptor) != 0 { end(accepted) }
    case .tooLong: refuse(accepted, .malformed)
    case .complete, .somethingElse:
      accepted.isReady = true
      stickerpit_stop_watching(descriptor, accepted.descriptor)
      ready.append(accepted, of: accepted.addressPrefix)
    }
  }

  // MARK: Turns

  /// Whether somebody can have their turn now.
  func isOpen(at now: UInt64) -> Bool { ready.count > 0 && budget.first.holds(at: now) }

  /// Whose turn it is: the socket is the caller's from now on. Those who have left meanwhile, or
  /// have waited for so long that they have given up, cost nobody a turn.
  func next(at now: UInt64) -> AcceptedSocket? {
    guard budget.first.holds(at: now) else { return nil }
    while let accepted = ready.popFirst() {
      if stickerpit_has_left(accepted.descriptor) != 0 {
        end(accepted)
      } else if accepted.hasWaited(for: limits.visitSeconds, at: now) {
        refuse(accepted, .crowd)
      } else {
        forget(accepted)
        budget.first.charge(1, at: now)
        return accepted
      }
    }
    return nil
  }

  // MARK: The end

  /// Parts with those who have not said all of their ClientHello in time.
  func endTheSlow(at now: UInt64) {
    for accepted in everybody.all
    where !accepted.isReady && accepted.hasWaited(for: limits.firstRequestSeconds, at: now) {
      refuse(accepted, .slowness)
    }
  }

  /// Gives back the time for which this process stood still.
  func forgive(_ standstill: UInt64) {
    for accepted in everybody.all { accepted.arrived += standstill }
  }

  /// Closes all of them.
  func closeAll() {
    while ready.popFirst() != nil {}
    for accepted in everybody.all { end(accepted) }
  }

  private func refuse(_ accepted: AcceptedSocket, _ reason: PortCounts.Refusal) {
    counts.refused(reason)
    end(accepted)
  }

  private func end(_ accepted: AcceptedSocket) {
    forget(accepted)
    close(accepted.descriptor)
  }

  private func forget(_ accepted: AcceptedSocket) {
    everybody.remove(accepted)
    bySocket[accepted.descriptor] = nil
  }
}

/// A connection that was accepted and has not been let in yet.
final class AcceptedSocket: RosterMember {
  let descriptor: Int32
  /// Who connected: nil for a socket that has no IP address.
  private(set) var address: NumericAddress?
  private(set) var addressPrefix: AddressPrefix
  /// Whether `address` is a trusted proxy's, so that requests may say for whom they come.
  private(set) var isProxy = false
  var place = -1
  /// When it was accepted, in monotonic nanoseconds.
  var arrived: UInt64
  /// Whether its ClientHello is all there, so that it waits for its turn.
  var isReady = false
  /// How often its first bytes were looked at.
  var looks = 0

  init(descriptor: Int32, address: NumericAddress?, at now: UInt64) {
    self.descriptor = descriptor
    self.address = address
    addressPrefix = AddressPrefix(address)
    arrived = now
  }

  /// A proxy's connections each count by themselves: what one address may do is not what all of
  /// a proxy's clients may.
  /// - Parameter number: no other connection's.
  func becomeProxy(_ number: UInt64) {
    isProxy = true
    addressPrefix = AddressPrefix(connection: number)
  }

  /// A proxy has said who connected to it.
  func become(_ client: NumericAddress) {
    isProxy = false
    address = client
    addressPrefix = AddressPrefix(client)
  }

  func hasWaited(for seconds: Int, at now: UInt64) -> Bool {
    now - min(now, arrived) >= UInt64(seconds) * 1_000_000_000
  }
}
