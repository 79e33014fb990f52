import Simulation
import Transport
import Wire

/// How people come, leave and come back. Each of these costs the same however many there are.
extension SessionHub {
  func greet(_ session: Session, _ hello: Hello) {
    guard session.person == nil, session.waits == nil else {
      return end(session, .errors, "hello said twice")
    }
    guard hello.stream == .state || offersReplicas else {
      return end(session, .otherStream, "replica stream not offered: use state")
    }
    // Who is here already goes before who has yet to come: a newcomer costs a keyframe.
    guard !load.isOverloaded(at: time.now) || isKnown(hello.resumeToken) else {
      traffic.refused.count(.forLoad)
      return end(session, .busy, "too busy for somebody new")
    }
    guard addresses.takeHello(from: session.connection.addressPrefix, at: time.now) else {
      traffic.refused.count(.hellos)
      return end(session, .busy, "too many hellos from this address")
    }
    admit(session, hello)
  }

  private func isKnown(_ token: SessionToken?) -> Bool {
    token.map { directory.knows($0, awake: standstills.awake(at: time.now)) } ?? false
  }

  /// A phone whose network changed comes back before its old connection is known to be dead: the
  /// token is worth more than the connection.
  private func admit(_ session: Session, _ hello: Hello) {
    switch directory.admit(
      hello, from: session.connection.clientAddress, to: thread, at: time.now,
      awake: standstills.awake(at: time.now))
    {
    case .admitted(let person): welcome(person, hello, session)
    case .isHere(let number, let thread): takeOver(number, from: thread, hello, session)
    case .tokenInUse: refuseTakeOver(session)
    case .isFull:
      traffic.refused.count(.forRoom)
      end(session, .busy, "the pit is full")
    case .isLocked:
      traffic.refused.count(.locked)
      end(session, .busy, "joining is locked")
    case .isBanned(let seconds):
      traffic.refused.count(.banned)
      end(session, .removed, Self.banReason(seconds: seconds))
    }
  }

  private func refuseTakeOver(_ session: Session) {
    traffic.refused.count(.takeOvers)
    end(session, .busy, "this token is in use")
  }

  private func welcome(_ person: PersonRecord, _ hello: Hello, _ session: Session) {
    session.greeted(
      person, hello: hello,
      at: knownTick(hello, person, session.connection.addressPrefix),
      checksFrames: checksFrames, awake: time.awake)
    byPerson[person.id] = session
    audience.begin(session)
    let welcome = OutgoingFrame(.welcome(world.welcome(for: person, tick: tick, stickers)))
    switch session.connection.send(welcome) {
    case .sent: break
    case .backpressure: return end(session, .busy, "too slow for a welcome")
    // It has closed meanwhile, and its end is on the way.
    case .closed: return
    }
    // It was told of this server's world: from now on the person is this server's.
    session.person!.isFromBefore = false
    let isBack = person.token == hello.resumeToken
    notices.welcomed(session, isBack: isBack)
    logWelcome(session, isBack: isBack)
    addDemand(of: session)
  }

  /// Where the log goes on for somebody who comes back, and not from a server before, whose world
  /// was another one. What was missed counts as a snapshot does. Where much was done meanwhile and
  /// the last snapshot was shorter, a new one is sent instead: a line of 6 kB/s took longer than
  /// 5 s for 25 s of eight people who drag.
  private func knownTick(
    _ hello: Hello, _ person: PersonRecord, _ address: AddressPrefix
  ) -> UInt32? {
    guard person.token == hello.resumeToken, !person.isFromBefore,
      let tick = hello.knownTick, log.reaches(back: tick)
    else { return nil }
    let missed = log.byteCount(after: tick)
    let snapshot = snapshots.newest?.frame.count ?? .max
    guard missed <= max(Self.shortLog, snapshot),
      addresses.takeSnapshot(bytes: missed, from: address, at: time.now)
    else { return nil }
    return tick
  }

  /// Bytes of records that are sent whatever a snapshot would take: half a minute of twenty who
  /// tilt and play takes 8 kB, and these take a mobile line of 0.5 Mbit/s a quarter of a second.
  private static let shortLog = 16_384

  // MARK: Coming back

  /// The page's old connection is still here, on this thread or another one.
  private func takeOver(_ number: UInt16, from thread: Int, _ hello: Hello, _ session: Session) {
    guard addresses.takeOver(from: session.connection.addressPrefix, at: time.now) else {
      return refuseTakeOver(session)
    }
    if thread == self.thread, let old = byPerson[number] {
      return comeBack(giveUp(old), hello, session)
    }
    let ticket = waiting.add(session, hello)
    handOvers.put(.wanted(person: number, thread: self.thread, ticket: ticket), for: thread)
  }

  /// Welcomes somebody who came back on another connection, unless there is no such person any
  /// more.
  private func comeBack(_ person: PersonRecord, _ hello: Hello, _ session: Session) {
    let address = session.connection.clientAddress
    switch directory.comesBack(
      person, on: thread, from: address, isWatching: hello.isWatching, at: time.now)
    {
    case .isBack(let person): welcome(person, hello, session)
    case .isOver(let cause):
      keepPlace(of: person, address.prefix)
      end(session, cause, Self.reason(of: cause))
    }
  }

  /// Ends a connection whose page is back on another one, with empty hands.
  private func giveUp(_ old: Session) -> PersonRecord {
    let person = leave(old)
    end(old, .moved, "continued on another connection")
    return person
  }

  /// Does what the other threads ask for, and takes what they give.
  func readHandOvers() {
    for letter in handOvers.take(for: thread) {
      switch letter {
      case .wanted(let number, let asking, let ticket):
        let person = byPerson[number].map(giveUp)
        handOvers.put(.made(person, ticket: ticket), for: asking)
        // Who asks from now on asks there, behind that letter.
        if person != nil { directory.moves(number, from: thread, to: asking) }
      case .made(let person, let ticket): receive(person, ticket)
      case .removed(let number, let cause): remove(number, because: cause)
      case .renamed(let person): rename(person)
      }
    }
  }

  private func receive(_ person: PersonRecord?, _ ticket: UInt64) {
    let (waiter, address) = waiting.take(ticket)
    guard let (session, hello) = waiter else {
      // Who waited has ended: the person leaves.
      if let person { keepPlace(of: person, address.prefix) }
      return
    }
    // Without a person the old connection has just ended by itself: then the token is free, or
    // whoever took it meanwhile is somewhere else.
    guard let person else { return admit(session, hello) }
    comeBack(person, hello, session)
  }

  // MARK: Leaving

  /// Ends a session: for the pit it is over now; the connection ends when the peer answers.
  /// - Parameters:
  ///   - cause: one of those for which a session ends a connection.
  ///   - reason: what the close frame says.
  func end(_ session: Session, _ cause: EndCause, _ reason: String) {
    let code = cause.code!
    traffic.ended.count(cause)
    logEnd(of: session, cause, ConnectionEnd(code: code, reason: reason, isOwn: true))
    releasePerson(of: session)
    session.isOver = true
    session.connection.close(code, reason: reason)
  }

  /// Ends a session's part in the pit, if it has one; its person may come back.
  func releasePerson(of session: Session) {
    waiting.remove(session)
    guard session.person != nil else { return }
    keepPlace(of: leave(session), session.connection.addressPrefix)
  }

  private func keepPlace(of person: PersonRecord, _ address: AddressPrefix) {
    let expires =
      standstills.awake(at: time.now) + UInt64(limits.resumeSeconds) * 1_000_000_000
    directory.left(person, from: address, expires: expires)
  }

  /// Takes the person out of a session, and lets go of whatever the person holds.
  private func leave(_ session: Session) -> PersonRecord {
    let sequence = session.nextStamp()
    let person = session.person!
    lane.post(.left(person: person.id, sequence: sequence), &session.posted)
    session.person = nil
    audience.remove(session)
    byPerson[person.id] = nil
    return person
  }
}
