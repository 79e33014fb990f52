import Simulation
import Transport
import Wire

/// How people come and go. Coming, going and coming back cost the same however many there are.
extension SessionHub {
  func greet(_ session: Session, _ hello: Hello) {
    guard session.participant == nil else {
      traffic.closedForErrors.count()
      return end(session, .protocolError, "hello said twice")
    }
    guard hello.stream == .state || offersReplicas else {
      return end(session, .unsupportedStream, "replica stream not offered: use state")
    }
    guard addresses.takeHello(from: session.connection.addressPrefix, at: time.now) else {
      traffic.refusedHellos.count()
      return end(session, .tryAgainLater, "too many hellos from this address")
    }
    switch participant(for: hello.resumeToken, session) {
    case .refused(let reason): end(session, .tryAgainLater, reason)
    case .admitted(let participant): welcome(participant, hello, session)
    }
  }

  private func welcome(_ participant: Participant, _ hello: Hello, _ session: Session) {
    joined += 1
    session.greeted(
      participant, hello: hello,
      at: knownTick(hello, participant, session.connection.addressPrefix), joined: joined,
      checksFrames: checksFrames, awake: time.awake)
    byClient[participant.id] = session
    byToken[participant.token] = session
    let welcome = frame(.welcome(world.welcome(for: participant, tick: tick)))
    guard session.connection.send(welcome) == .sent else {
      return end(session, .tryAgainLater, "too slow for a welcome")
    }
    if participant.token == hello.resumeToken { session.news = .resumed }
    peopleChanged = true
    addDemand(of: session)
  }

  /// Where the log goes on for somebody who comes back. A token that is known here means that the
  /// world is this one, not that of a server before. What was missed counts as a snapshot does.
  private func knownTick(
    _ hello: Hello, _ participant: Participant, _ address: AddressPrefix
  ) -> UInt32? {
    guard participant.token == hello.resumeToken, let tick = hello.knownTick,
      log.reaches(back: tick),
      addresses.takeSnapshot(bytes: log.byteCount(after: tick), from: address, at: time.now)
    else { return nil }
    return tick
  }

  private enum Admission {
    case admitted(Participant)
    case refused(String)
  }

  /// A phone whose network changed comes back before its old connection is known to be dead: the
  /// token is worth more than the connection.
  private func participant(for token: SessionToken?, _ session: Session) -> Admission {
    if let token, let old = byToken[token] {
      // The person first: a token that is shown again and again costs its neighbours nothing.
      guard old.participant!.takeOvers.take(at: time.now),
        addresses.takeOver(from: session.connection.addressPrefix, at: time.now)
      else {
        traffic.refusedTakeOvers.count()
        return .refused("this token is in use")
      }
      return .admitted(takeOver(old))
    }
    guard let admitted = people.admit(token: token, at: time.awake) else {
      traffic.refusedForRoom.count()
      return .refused("the pit is full")
    }
    return .admitted(admitted)
  }

  private func takeOver(_ old: Session) -> Participant {
    // The page that comes back starts with empty hands.
    let participant = leave(old)
    end(old, .continuedElsewhere, "continued on another connection")
    return participant
  }

  /// Ends a session's part in the pit, if it has one; its person may come back.
  func depart(_ session: Session) {
    guard session.participant != nil else { return }
    let expires = time.awake + UInt64(limits.resumeSeconds) * 1_000_000_000
    people.left(leave(session), from: session.connection.addressPrefix, expires: expires)
    peopleChanged = true
  }

  /// Takes the person out of a session, and lets go of whatever the person holds.
  private func leave(_ session: Session) -> Participant {
    let sequence = session.nextStamp()
    let participant = session.participant!
    exchange.post(.left(client: participant.id, sequence: sequence), &session.posted)
    session.participant = nil
    byClient[participant.id] = nil
    byToken[participant.token] = nil
    return participant
  }

  /// People who said hello.
  var peopleCount: Int { byClient.count }

  /// Tells everybody who is here.
  func tellPeople() {
    if peopleChanged {
      peopleChanged = false
      for session in sessions { session.needsPeople = true }
    }
    guard sessions.contains(where: { $0.needsPeople && $0.participant != nil }) else { return }
    let notice = frame(.notice(peopleHere()))
    for session in sessions where session.needsPeople && session.participant != nil {
      if session.connection.send(notice) == .sent { session.needsPeople = false }
    }
  }

  /// The newest stand first, found in one pass.
  private func peopleHere() -> Notice {
    var newest: [Session] = []
    for session in sessions where session.participant != nil {
      if newest.count == WireLimits.listedPeople {
        guard session.joined > newest.last!.joined else { continue }
        newest.removeLast()
      }
      let place = newest.firstIndex { $0.joined < session.joined } ?? newest.count
      newest.insert(session, at: place)
    }
    return .people(
      count: UInt16(clamping: peopleCount), listed: newest.map { $0.participant!.person })
  }

  /// Tells a session what changed for it alone, as soon as its pipe takes it.
  func tellNews() {
    for session in sessions where session.news != nil && session.participant != nil {
      if session.connection.send(frame(.notice(.message(session.news!)))) == .sent {
        session.news = nil
      }
    }
  }
}

/// The codes of `stickerpit.v1` itself, from the range 4000…4099 that PROTOCOL.md sets aside.
extension CloseCode {
  /// The hello's version is not the server's; the reason names both.
  static let unsupportedVersion = CloseCode(rawValue: 4000)
  /// The hello asks for a stream that this server does not offer.
  static let unsupportedStream = CloseCode(rawValue: 4001)
  /// The same person came back on another connection.
  static let continuedElsewhere = CloseCode(rawValue: 4002)
}
