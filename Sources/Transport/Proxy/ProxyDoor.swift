import CLibWebSockets
import Glibc

/// Where connections from trusted proxies wait until their first bytes say for whom they come.
///
/// Only trusted peers come here: from everybody else the same bytes are a request or a ClientHello
/// that makes no sense. Nothing but a header of the PROXY protocol is read.
final class ProxyDoor {
  /// Becomes readable when somebody has sent something. Whoever has it watched owns it.
  let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
  var limits: TrafficLimits
  private let counts: PortCounts
  private let onKnown: (AcceptedSocket, NumericAddress?) -> Void
  private let onMalformed: (AcceptedSocket, String) -> Void
  private var everybody: [Int32: AcceptedSocket] = [:]
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: ProxyHeader.mostBytes, alignment: 1)

  /// - Parameters:
  ///   - counts: where it is counted who is refused.
  ///   - onKnown: takes over the socket of somebody who has said enough, with the client's address
  ///     if a header named one.
  ///   - onMalformed: is told of a header that is none, in words; the socket is closed after it.
  init(
    _ limits: TrafficLimits, _ counts: PortCounts,
    onKnown: @escaping (AcceptedSocket, NumericAddress?) -> Void,
    onMalformed: @escaping (AcceptedSocket, String) -> Void
  ) {
    self.limits = limits
    self.counts = counts
    self.onKnown = onKnown
    self.onMalformed = onMalformed
  }

  deinit {
    closeAll()
    buffer.deallocate()
  }

  /// How many wait.
  var count: Int { everybody.count }

  /// Lets an accepted connection wait. When there is no room, the one that waits for longest goes.
  func insert(_ accepted: AcceptedSocket) {
    if everybody.count >= limits.visitors,
      let oldest = everybody.values.min(by: { $0.arrived < $1.arrived })
    {
      counts.refused(.crowd)
      end(oldest)
    }
    guard stickerpit_watch_arrivals(descriptor, accepted.descriptor) == 0 else {
      close(accepted.descriptor)
      return
    }
    everybody[accepted.descriptor] = accepted
  }

  /// Looks at what has come on all those sockets of which something came.
  func readArrivals() {
    var sockets = [Int32](repeating: -1, count: 64)
    let count = stickerpit_arrivals(descriptor, &sockets)
    for socket in sockets.prefix(max(0, Int(count))) {
      if let accepted = everybody[socket] { look(at: accepted) }
    }
  }

  private func look(at accepted: AcceptedSocket) {
    let count = recv(accepted.descriptor, buffer.baseAddress, buffer.count, Int32(MSG_PEEK))
    accepted.looks += 1
    guard count > 0 else {
      // Woken for nothing is no reason to part.
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      return end(accepted)
    }
    switch ProxyHeader(UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
    case .incomplete:
      // A cut header: nothing more can come of it.
      if stickerpit_has_left(accepted.descriptor) != 0
        || accepted.looks > FixedLimits.looksAtProxyHeader
      {
        refuse(accepted, "it is not all there")
      }
    case .malformed(let words): refuse(accepted, words)
    case .none: pass(accepted, nil)
    case .complete(let bytes, let client):
      guard recv(accepted.descriptor, buffer.baseAddress, bytes, 0) == bytes else {
        return end(accepted)
      }
      pass(accepted, client)
    }
  }

  private func pass(_ accepted: AcceptedSocket, _ client: NumericAddress?) {
    everybody[accepted.descriptor] = nil
    stickerpit_stop_watching(descriptor, accepted.descriptor)
    accepted.looks = 0
    onKnown(accepted, client)
  }

  private func refuse(_ accepted: AcceptedSocket, _ words: String) {
    onMalformed(accepted, words)
    end(accepted)
  }

  /// Parts with those who have not said enough in time.
  func endTheSlow(at now: UInt64) {
    for accepted in everybody.values
    where accepted.hasWaited(for: limits.firstRequestSeconds, at: now) {
      counts.refused(.slowness)
      end(accepted)
    }
  }

  /// Gives back the time for which this process stood still.
  func forgive(_ standstill: UInt64) {
    for accepted in everybody.values { accepted.arrived += standstill }
  }

  /// Closes all of them.
  func closeAll() {
    for accepted in everybody.values { end(accepted) }
  }

  private func end(_ accepted: AcceptedSocket) {
    everybody[accepted.descriptor] = nil
    close(accepted.descriptor)
  }
}
