import Transport
import Wire

/// Who of a network thread's sessions is sent what. A session that said hello stands in one of
/// these groups: those in step with their stream, those behind it, and those who follow the log.
struct Audience {
  /// By `StreamKey.index`: those who have all of their stream so far. Where they are is noted once
  /// for all of them, so that a tick costs nothing for each but the sending.
  let inStep = StreamKey.all.map { _ in SessionGroup() }
  /// Those who have nothing of their stream yet, or less than all.
  let behind = SessionGroup()
  /// Those who follow the log instead of the state stream.
  let following = SessionGroup()

  /// Puts a session where it belongs that has nothing of its stream yet.
  func begin(_ session: Session) {
    move(session, to: session.follower == nil ? behind : following)
  }

  /// A session took a frame: if it has all of its stream now, it stands with the others who do.
  func joinIfInStep(_ session: Session) {
    assert(session.group === behind)
    let group = inStep[session.stream.index]
    guard let position = session.position, position.isInStep, !position.isCoarse else { return }
    if group.members.isEmpty { group.tick = position.tick }
    guard position.tick == group.tick else { return }
    move(session, to: group)
  }

  /// A session that was in step missed a frame.
  func fallBehind(_ session: Session) {
    assert(session.group !== behind && session.group !== following)
    session.fellBehind(at: session.group!.tick)
    move(session, to: behind)
  }

  /// All of a group missed a frame.
  func fallBehind(_ group: SessionGroup) {
    for member in group.members { fallBehind(member.session) }
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
  /// A session, and its connection beside it: who only sends need not look at the session.
  struct Member {
    let session: Session
    let connection: any Connection
  }

  private(set) var members: [Member] = []
  /// The tick whose world all of them have, where that is the same.
  var tick: UInt32 = 0

  fileprivate func insert(_ session: Session) {
    assert(session.group == nil, "it stands in another group")
    session.group = self
    session.place = members.count
    members.append(Member(session: session, connection: session.connection))
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
