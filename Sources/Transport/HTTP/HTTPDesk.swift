import Glibc

/// Where visitors queue up for their answers. The network thread has frames to fan out, so in each
/// turn of its loop only some time and some bytes go to them. Addresses take turns.
final class HTTPDesk {
  private var limits: TrafficLimits
  private var hosts: TrustedHosts
  private var budget: HTTPBudget
  private var queue = FairQueue<Visitor>()
  /// Room for one piece of an answer.
  private let buffer: UnsafeMutablePointer<UInt8>

  init(_ limits: TrafficLimits, _ share: PortShare, hosts: TrustedHosts) {
    self.limits = limits
    self.hosts = hosts
    budget = HTTPBudget(limits, share)
    buffer = .allocate(capacity: HTTPAnswer.pieceBytes)
  }

  deinit {
    buffer.deallocate()
  }

  /// From now on other limits and hosts hold. Who waits stays in line.
  func change(_ limits: TrafficLimits, _ share: PortShare, hosts: TrustedHosts) {
    self.limits = limits
    self.hosts = hosts
    budget = HTTPBudget(limits, share)
  }

  /// Counts what a new connection costs besides its requests.
  func countConnection(of prefix: AddressPrefix, at now: UInt64) {
    budget.charge(prefix, bytes: 0, microseconds: limits.connectionMicroseconds, at: now)
  }

  /// Counts what reading a request cost.
  func countRequest(of prefix: AddressPrefix, at now: UInt64) {
    budget.charge(prefix, bytes: 0, microseconds: limits.requestMicroseconds, at: now)
  }

  /// Puts a visitor at the end of its address's line, once.
  func queue(_ visitor: Visitor) {
    guard !visitor.isQueued else { return }
    visitor.isQueued = true
    queue.append(visitor, of: visitor.addressPrefix)
  }

  /// Why a request is not even looked at, if so.
  func refusal(
    of head: RequestHead, from prefix: AddressPrefix, at now: UInt64
  ) -> RequestRefusal? {
    guard budget.take(prefix, at: now) else {
      return RequestRefusal(429, "too many requests from your address")
    }
    guard hosts.trusts(head.host) else {
      let name = TrustedHosts.name(in: head.host)
      return RequestRefusal(421, "this server is not \(name); if it is: --allowed-host \(name)")
    }
    return nil
  }

  /// Gives one visitor after the other its turn, as long as there is time.
  ///
  /// - Returns: whether more of them could have theirs at once.
  func serve(at now: UInt64) -> Bool {
    guard queue.count > 0 else { return false }
    let start = Self.usedMicroseconds()
    var (microseconds, bytes) = (0, 0)
    while budget.isOpen(at: now) {
      guard microseconds < limits.answerMicrosecondsPerTurn, bytes < limits.answerBytesPerTurn
      else { return true }
      guard let visitor = queue.popFirst() else { return false }
      visitor.isQueued = false
      // A proxy's connection has another client after the answer.
      let prefix = visitor.addressPrefix
      let written = visitor.work(buffer)
      let total = Self.usedMicroseconds() - start
      budget.charge(prefix, bytes: written, microseconds: total - microseconds, at: now)
      microseconds = total
      bytes += written
    }
    return false
  }

  /// Microseconds for which this thread has run: time in which it had to wait for a processor is
  /// nobody's fault here.
  private static func usedMicroseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
  }
}
