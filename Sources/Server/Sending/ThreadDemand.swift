import Wire

/// What a network thread asks the tick thread to encode for its sessions.
struct ThreadDemand {
  private let lane: Lane
  /// What was asked last, by `StreamKey.index`.
  private(set) var asked = StreamKey.all.map { _ in StreamDemand() }
  /// Room to ask anew.
  private var next = StreamKey.all.map { _ in StreamDemand() }

  init(_ lane: Lane) { self.lane = lane }

  /// Asks for all that an audience needs next.
  /// - Parameters:
  ///   - tick: the last tick that was sent.
  ///   - now: monotonic nanoseconds.
  mutating func ask(for audience: Audience, after tick: UInt32, at now: UInt64) {
    for index in next.indices {
      next[index].clear()
      let group = audience.byStream[index]
      next[index].isWanted = !group.members.isEmpty
      if !group.position.isInStep, !group.members.isEmpty { next[index].add(group.position) }
    }
    for member in audience.behind.members {
      let session = member.session
      session.addDemand(to: &next[session.stream.index], at: now)
    }
    guard next != asked else { return lane.demand(nil, after: tick) }
    asked = next
    lane.demand(asked, after: tick)
  }

  /// Asks for what one session of the state stream needs besides what is asked for already.
  /// - Parameters:
  ///   - tick: the last tick that was sent.
  ///   - now: monotonic nanoseconds.
  mutating func add(_ session: Session, after tick: UInt32, at now: UInt64) {
    assert(session.follower == nil)
    let index = session.stream.index
    let before = asked[index]
    session.addDemand(to: &asked[index], at: now)
    if asked[index] != before { lane.demand(asked, after: tick) }
  }
}
