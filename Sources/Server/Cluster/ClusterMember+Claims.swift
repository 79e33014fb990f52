import TickLog
import Wire

/// Claims: to lead the world, and to the numbers that clients here get.
extension ClusterMember {
  /// Nanoseconds without a message of the log after which a standby tries to lead: sixty ticks, and
  /// less than the leader's claim lasts, so that nobody waits for it in vain.
  private static let silence: UInt64 = 1_000_000_000

  /// Asks for claims and renews them, when it is time.
  func turnClaims(_ now: UInt64) {
    if wantsToLead || leadership.isHeld || isLeading || isStandbyReady(now) {
      leadership.turn(link, by: id, now: now, token: claimToken)
    }
    let needsMore = blocks.blocks.isEmpty || attachment?.directory.needsNumbers ?? false
    let ended = blocks.turn(link, by: id, now: now, needsMore: needsMore, token: claimToken)
    for block in ended { take(.doubtful(block)) }
  }

  private var isLeading: Bool { if case .leading = phase { true } else { false } }

  /// Whether it is to try and become the leader: nothing was heard of the one there is for a
  /// second, while NATS could be reached. After NATS stood still all claims have run out; within
  /// that second the leader gets its own back.
  private func isStandbyReady(_ now: UInt64) -> Bool {
    guard case .following = phase, settings.role == .standby, attachment != nil, isConnected,
      let heard = reader?.heard
    else { return false }
    return now - min(max(heard, connectedAt), now) >= Self.silence
  }

  /// Takes the answer to a request.
  func claimed(_ request: Claim.Request, _ revision: UInt64?, _ now: UInt64) {
    guard request.key == .leader else {
      if let change = blocks.answered(request, revision) { take(change) }
      return
    }
    let isKept = leadership.answered(request, revision)
    switch phase {
    case .claiming where leadership.isHeld: phase = .askingWorld(since: now)
    case .following where leadership.isHeld:
      log.write(.notice, "nobody leads: reading the log to its end", cursorMetadata)
      reader?.forgetEnd()
      phase = .catchingUp
    // Who leads is decided by the log and not by the claim: as long as nobody else wrote, a claim
    // that was lost is asked for again.
    case .leading where !isKept: lookAtEnd(now)
    default: break
    }
  }

  /// Does what follows from a change of this member's numbers.
  private func take(_ change: BlockClaims.Change) {
    switch change {
    case .new(let block): attachment?.directory.add(block)
    case .doubtful(let block):
      attachment?.directory.remove(block)
      log.write(
        .warning, "the claim to client numbers ended: asking for them again",
        ["block": "\(block.index)"])
    case .lost(let block):
      log.write(
        .error, "client numbers belong to another server: their people join anew",
        ["block": "\(block.index)"])
      guard let attachment else { return }
      for one in attachment.directory.lose(block) {
        attachment.handOvers.put(
          .removed(person: one.person.id, .numberLost), for: one.thread)
      }
      attachment.wake()
    }
  }

  /// Keeps a request until its answer comes.
  /// - Returns: the number that the answer will name.
  private func claimToken(_ request: Claim.Request) -> UInt64 {
    let token = token()
    claimRequests.keep(request, as: token)
    return token
  }
}

/// Requests for claims that are not answered yet, by the numbers that the answers will name.
struct ClaimRequests {
  /// So many are kept. Answers that never come must not pile up: a member asks four times a second,
  /// and one that comes after minutes says nothing any more.
  private static let most = 1024
  private var requests: [UInt64: Claim.Request] = [:]

  mutating func keep(_ request: Claim.Request, as token: UInt64) {
    if requests.count > Self.most { requests.removeAll() }
    requests[token] = request
  }

  /// Takes a request out, because its answer came.
  mutating func take(_ token: UInt64) -> Claim.Request? { requests.removeValue(forKey: token) }
}
