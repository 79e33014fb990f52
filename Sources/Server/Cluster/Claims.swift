import TickLog
import Wire

/// A claim that a member wants to have or has: asked for, renewed, lost.
struct Claim {
  let key: ClaimKey
  /// Nanoseconds from one renewal to the next: a third of what the claim lasts, so that one that is
  /// lost on the way does no harm.
  private let interval: UInt64
  /// Nanoseconds until one that is not held is asked for again.
  private static let pause: UInt64 = 300_000_000
  /// nil for one that this member does not have.
  private(set) var revision: UInt64?
  private var asked: UInt64?
  /// When it was asked for with success last: it lasts from then on, or a little longer.
  private var confirmed: UInt64?
  /// Nanoseconds that it lasts.
  private let lasts: UInt64

  init(_ key: ClaimKey) {
    self.key = key
    let seconds =
      switch key {
      case .leader: ClaimKey.leaderSeconds
      case .block: ClaimKey.blockSeconds
      }
    interval = UInt64(seconds / 3 * 1e9)
    lasts = UInt64(seconds * 1e9)
  }

  var isHeld: Bool { revision != nil }

  /// A request for a claim, until it is answered.
  struct Request {
    let key: ClaimKey
    /// The revision that it named, 0 for none.
    let revision: UInt64
    let at: UInt64
  }

  /// Asks for it, or renews it, if it is time.
  /// - Parameter token: keeps the request and gives it a number.
  mutating func turn(
    _ link: any ClusterLink, by member: MemberID, now: UInt64, token: (Request) -> UInt64
  ) {
    let wait = isHeld ? interval : min(interval, Self.pause)
    let isDue = asked.map { now - min($0, now) >= wait } ?? true
    guard isDue else { return }
    asked = now
    let request = Request(key: key, revision: revision ?? 0, at: now)
    link.claim(key, by: member.value, revision: request.revision, token: token(request))
  }

  /// Takes the answer.
  /// - Returns: false when the claim was held and is not any more.
  mutating func answered(_ request: Request, _ revision: UInt64?) -> Bool {
    guard let revision else {
      // After a standstill of the line several renewals arrive at once: the first one counts, and
      // those behind it, which name the same revision, are refused. That says nothing of the claim.
      guard request.revision == self.revision ?? 0 else { return true }
      let wasHeld = isHeld
      self.revision = nil
      return !wasHeld
    }
    // An answer to an earlier request says less than one that came before it.
    if let own = self.revision, revision < own { return true }
    self.revision = revision
    confirmed = request.at
    return true
  }

  /// Whether it ran out, because no renewal was answered for as long as it lasts. It is not held
  /// any more then.
  mutating func runsOut(now: UInt64) -> Bool {
    guard isHeld, let confirmed, now - min(confirmed, now) > lasts else { return false }
    revision = nil
    return true
  }
}

/// The blocks of numbers that a member has, and the ones that it tries to get.
struct BlockClaims {
  private var claims: [Claim] = []
  /// The one that is asked for.
  private var candidate: Claim?
  /// Blocks whose claims ended, until it is known whether somebody else has them. Clients here
  /// still have their numbers, so they are asked for again first.
  private var doubtful: [UInt8] = []
  /// Which block is tried next. Members begin at different places, so that they rarely want the
  /// same.
  private var next: UInt8
  private var tries = 0

  /// - Parameter member: decides where the search begins.
  init(_ member: MemberID) {
    next = UInt8(truncatingIfNeeded: member.value)
  }

  /// What an answer says of a block.
  enum Change: Equatable {
    /// This member has it from now on.
    case new(NumberBlock)
    /// This member's claim ended. Whether somebody else has it, the next answer tells.
    case doubtful(NumberBlock)
    /// Somebody else has it.
    case lost(NumberBlock)
  }

  /// Whether people here have numbers that somebody else may give meanwhile.
  var hasDoubts: Bool { !doubtful.isEmpty }

  var blocks: [NumberBlock] {
    claims.compactMap { claim in
      if case .block(let index) = claim.key { NumberBlock(index: index) } else { nil }
    }
  }

  /// Whether it is one of `blocks`; asked for each input of others, so without an array of them.
  func has(_ block: NumberBlock) -> Bool {
    claims.contains { claim in
      if case .block(let index) = claim.key { index == block.index } else { false }
    }
  }

  /// Asks for what is needed and renews what is there.
  /// - Parameters:
  ///   - needsMore: whether there are too few numbers.
  ///   - token: keeps a request and gives it a number.
  /// - Returns: blocks that became doubtful, because nobody answered for as long as their claims
  ///   last.
  mutating func turn(
    _ link: any ClusterLink, by member: MemberID, now: UInt64, needsMore: Bool,
    token: (Claim.Request) -> UInt64
  ) -> [NumberBlock] {
    let held = blocks
    claims.removeAll { claim in
      var claim = claim
      return claim.runsOut(now: now)
    }
    let ended = held.filter { !blocks.contains($0) }
    doubtful.append(contentsOf: ended.map(\.index))
    for index in claims.indices {
      claims[index].turn(link, by: member, now: now, token: token)
    }
    if candidate == nil { candidate = nextCandidate(needsMore) }
    candidate?.turn(link, by: member, now: now, token: token)
    return ended
  }

  private mutating func nextCandidate(_ needsMore: Bool) -> Claim? {
    // Where nobody could renew anything for long, nobody else has it yet.
    if let index = doubtful.first { return Claim(.block(index)) }
    guard needsMore, tries < NumberBlock.count else { return nil }
    defer {
      next &+= 1
      tries += 1
    }
    return Claim(.block(next))
  }

  /// Takes an answer.
  /// - Returns: what changed by it; nil for nothing.
  mutating func answered(_ request: Claim.Request, _ revision: UInt64?) -> Change? {
    let key = request.key
    guard case .block(let index) = key else { return nil }
    let block = NumberBlock(index: index)
    if let place = claims.firstIndex(where: { $0.key == key }) {
      guard !claims[place].answered(request, revision) else { return nil }
      claims.remove(at: place)
      doubtful.append(index)
      return .doubtful(block)
    }
    guard candidate?.key == key else { return nil }
    var claim = candidate!
    candidate = nil
    _ = claim.answered(request, revision)
    let wasDoubtful = doubtful.contains(index)
    doubtful.removeAll { $0 == index }
    guard claim.isHeld else { return wasDoubtful ? .lost(block) : nil }
    claims.append(claim)
    tries = 0
    return .new(block)
  }
}
