import Transport
import Wire

/// Groups the sessions of a network thread by what they are sent. A session that said hello stands
/// in one of these groups. Sessions that are up to date share one position, which is kept once for
/// the group, so that a tick costs only the send for each of them.
struct Audience {
  /// By `StreamKey.index`: those who stand at the same place of their stream. As a rule that is in
  /// step with it; where their thread was late, all of them miss the same.
  let byStream = StreamKey.all.map { _ in SessionGroup() }
  /// Those who stand at a place of their own: they have nothing of their stream yet, or less than
  /// the others, or not as exactly, as after a keyframe.
  let behind = SessionGroup()
  /// Everybody who gets the state stream.
  var streaming: [SessionGroup] { byStream + CollectionOfOne(behind) }
  /// By `FollowerTurn.index`: those who follow the log instead and have all that they were due.
  let following = FollowerTurn.all.map { _ in SessionGroup() }
  /// Those who follow the log and need more, or something else, than those of their turn.
  let catchingUp = SessionGroup()

  /// Whether somebody follows the log who has all of it.
  var isFollowed: Bool { following.contains { !$0.members.isEmpty } }

  /// Puts a session where it begins: one that asks for something else than before, or a follower
  /// that missed something.
  func begin(_ session: Session) {
    guard session.follower != nil else { return move(session, to: behind) }
    if let group = session.group, following.contains(where: { $0 === group }) {
      session.follower!.position = group.tick
    }
    move(session, to: catchingUp)
  }

  /// A follower was led on: if it has all that it was due, it stands with the others who do. They
  /// are led on at the ticks of their turn only, so it joins them at one.
  func joinFollowers(_ session: Session, at tick: UInt32) {
    assert(session.group === catchingUp)
    guard let follower = session.follower, !follower.wantsSnapshot, follower.position == tick,
      follower.turn.isDue(at: tick)
    else { return }
    let group = following[follower.turn.index]
    if group.members.isEmpty { group.tick = tick }
    if group.tick == tick { move(session, to: group) }
  }

  /// A session took a frame: if it is where the others of its stream are now, it stands with them.
  /// A group that nobody is in begins with whoever is in step.
  func joinIfAlongside(_ session: Session) {
    assert(session.group === behind)
    let group = byStream[session.stream.index]
    guard let position = session.position else { return }
    if group.members.isEmpty, position.isInStep, !position.isCoarse { group.position = position }
    guard position == group.position else { return }
    move(session, to: group)
  }

  /// A session missed a frame that the others of its group got.
  func fallBehind(_ session: Session) {
    assert(session.follower == nil && session.group !== behind)
    session.fellBehind(at: session.group!.position)
    move(session, to: behind)
  }

  /// Nothing leads all of a group on any more: each of them begins anew, with a keyframe.
  func beginAnew(_ group: SessionGroup) {
    for member in group.members {
      member.session.lostItsPlace()
      move(member.session, to: behind)
    }
    assert(group.members.isEmpty)
  }

  /// A session is over.
  func remove(_ session: Session) {
    session.group?.remove(session)
  }

  private func move(_ session: Session, to group: SessionGroup) {
    session.group?.remove(session)
    group.insert(session)
  }
}

/// Sessions that are sent the same. Coming and leaving cost the same however many there are.
final class SessionGroup {
  /// A session, and what is needed to send to it: who only sends need not look at the session.
  struct Member {
    let session: Session
    let connection: any Connection
    let fastPath: FastPath?
  }

  private(set) var members: [Member] = []
  /// How many members ahead memory is fetched: one system call takes longer than that.
  private static let fetchedAhead = 1
  /// Where all of them stand, where that is the same. Who misses a frame because their thread was
  /// late is out of step for up to 8 s, and stays with the others: as single sessions a thousand of
  /// them cost so much that a thread which was late once stayed late.
  var position = StreamPosition(tick: 0, isInStep: true)
  /// The tick whose world all of them have.
  var tick: UInt32 {
    get { position.tick }
    set { position.tick = newValue }
  }
  /// The turn of a late network thread in which they got a frame for their place.
  var turnServed = 0

  /// Sends the same frame to all.
  ///
  /// - Parameters:
  ///   - now: monotonic nanoseconds.
  ///   - missed: called for each who did not get it; may move it to another group.
  /// - Returns: how many got it.
  func send(
    _ frame: OutgoingFrame, at now: UInt64, missed: (Session, SendStatus) -> Void
  ) -> Int {
    var sent = 0
    // The last one first: who misses the frame leaves the group, and the last one, which has been
    // served, takes its place. A copy of the array would count a thousand references.
    for index in members.indices.reversed() {
      if index >= Self.fetchedAhead { members[index - Self.fetchedAhead].fastPath?.prefetch() }
      let quick = members[index].fastPath?.send(frame, at: now)
      let status = quick ?? members[index].connection.send(frame)
      if status == .sent { sent += 1 } else { missed(members[index].session, status) }
    }
    return sent
  }

  fileprivate func insert(_ session: Session) {
    assert(session.group == nil, "it stands in another group")
    session.group = self
    session.place = members.count
    let connection = session.connection
    members.append(
      Member(session: session, connection: connection, fastPath: connection.fastPath))
  }

  fileprivate func remove(_ session: Session) {
    assert(session.group === self && members[session.place].session === session)
    let last = members.removeLast()
    if last.session !== session {
      members[session.place] = last
      last.session.place = session.place
    }
    session.group = nil
  }
}

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
