import Simulation
import Transport
import Wire

/// What clients are sent.
extension SessionHub {
  /// Writes one tick's frames: this loop is the server's hot path.
  func fanOut(_ publication: Publication) {
    take(publication)
    // Who misses something now is not tried a second time in the same tick.
    let (behind, catchingUp) = (audience.behind.members, audience.catchingUp.members)
    for key in StreamKey.all where key.isDue(at: tick) {
      advance(audience.byStream[key.index], by: publication.editions[key.index])
    }
    for turn in FollowerTurn.all where turn.isDue(at: tick) {
      lead(audience.following[turn.index])
    }
    for member in behind where member.session.stream.isDue(at: tick) {
      catchUp(member.session, by: publication.editions[member.session.stream.index])
    }
    for member in catchingUp { lead(member.session) }
    sendMail()
    tellWhatHappened(publication)
  }

  /// Sends a stream's own frame to those who stand together, if they are in step; if they all
  /// missed the same, one frame leads them on.
  private func advance(_ group: SessionGroup, by edition: Edition) {
    guard edition.isOpen else { return traffic.skipped.count(.missing, group.members.count) }
    guard group.position.isInStep, group.tick == edition.base else {
      let count = group.members.count
      if !leadOn(group, by: edition) { traffic.skipped.count(.missing, count) }
      return
    }
    guard edition.hasOwn else { return }
    let next = StreamPosition(tick: tick, isInStep: true)
    send(edition.own, .own, leadingTo: next, edition, to: group)
  }

  /// Sends a group that missed something the one frame for all that it missed.
  /// - Returns: whether there was one.
  private func leadOn(_ group: SessionGroup, by edition: Edition) -> Bool {
    group.position.isInStep = false
    guard let next = edition.catchUp(from: group.position) else {
      if group.tick.ticks(since: edition.oldest) < 0 { audience.beginAnew(group) }
      return false
    }
    send(next.frame, .catchUp, leadingTo: next.to, edition, to: group)
    return true
  }

  private func send(
    _ frame: OutgoingFrame, _ kind: Session.Delivery.Kind, leadingTo next: StreamPosition,
    _ edition: Edition, to group: SessionGroup
  ) {
    let sent = group.send(frame, at: time.now) { missed(kind, $0, $1) }
    traffic.wrote(kind, bytes: frame.count, to: sent)
    group.position = next
    guard checksFrames, next.tick == tick else { return }
    for member in group.members { check(frame, edition, member.session) }
  }

  /// Sends a session that is not in step what leads on from where it is.
  private func catchUp(_ session: Session, by edition: Edition) {
    guard isWelcomed(session) else { return }
    switch session.delivery(from: edition, at: tick) {
    case .nothing: break
    case .wait:
      if session.position != nil {
        traffic.skipped.count(.missing)
      } else if edition.keyframeWaits, time.now >= session.nextTry {
        traffic.skipped.count(.waiting)
      }
    case .frame(let frame, let kind, let next):
      write(frame, kind, next, edition, to: session)
    }
  }

  /// Skips the shared frames of a late tick because a newer tick is waiting: clients in step get
  /// one combined frame with it. Frames that were made for one position are still sent, one in each
  /// turn, because later catch-up frames start from them.
  func passOver(_ publication: Publication) {
    take(publication)
    let behind = audience.behind.members
    for key in StreamKey.all where key.isDue(at: tick) {
      passOver(audience.byStream[key.index], publication.editions[key.index])
    }
    for member in behind where member.session.stream.isDue(at: tick) {
      let session = member.session
      let edition = publication.editions[session.stream.index]
      guard isWelcomed(session) else { continue }
      guard case .frame(let frame, let kind, let next) = session.delivery(from: edition, at: tick)
      else { continue }
      guard kind != .own, session.turnServed != turn else {
        session.markOutOfStep()
        continue
      }
      session.turnServed = turn
      write(frame, kind, next, edition, to: session)
    }
    traffic.collapsed.count()
    tellWhatHappened(publication)
  }

  private func passOver(_ group: SessionGroup, _ edition: Edition) {
    guard edition.isOpen, !group.members.isEmpty else { return }
    if group.position.isInStep, group.tick == edition.base {
      group.position.isInStep = !edition.hasOwn
    } else if group.turnServed == turn {
      group.position.isInStep = false
    } else if leadOn(group, by: edition) {
      group.turnServed = turn
    }
  }

  private func take(_ publication: Publication) {
    tick = publication.tick
    ticksPublished.count()
    deadline = publication.deadline
    hosted.take(publication)
    tiltRule = publication.tiltRule
    tilts.removeAll(keepingCapacity: true)
    tilts.append(contentsOf: publication.tilts)
    keep(publication)
    if publication.worldNumber != worldNumber, let world = publication.description {
      worldNumber = publication.worldNumber
      begin(world)
    }
  }

  private func tellWhatHappened(_ publication: Publication) {
    if !publication.events.isEmpty { tell(publication.events) }
    tellOutcomes(publication.outcomes)
    tellLateTilts(publication.lateTilts)
  }

  /// Tells everybody whose commands were decided what became of them.
  private func tellOutcomes(_ outcomes: [StampedOutcome]) {
    for entry in outcomes {
      if let session = byPerson[entry.person] { note(entry.outcome, entry.sequence, session) }
    }
    for session in owed where session.person != nil {
      for receipt in session.commands.takeReceipts(tick: tick) {
        post(OutgoingFrame(.receipt(receipt)), to: session)
      }
    }
    owed.removeAll(keepingCapacity: true)
  }

  private func tellLateTilts(_ tilts: [PersonsLateTilt]) {
    for tilt in tilts {
      guard let session = byPerson[tilt.person] else { continue }
      let late = LateTilt(meant: tilt.meant, taken: tick)
      post(OutgoingFrame(.lateTilt(late)), to: session)
    }
  }

  private func write(
    _ frame: OutgoingFrame, _ kind: Session.Delivery.Kind, _ next: StreamPosition,
    _ edition: Edition, to session: Session
  ) {
    let status = session.connection.send(frame)
    guard status == .sent else { return missed(kind, session, status) }
    note(session.wrote(leadingTo: next, at: time.now, awake: time.awake), of: session)
    traffic.wrote(kind, bytes: frame.count)
    audience.joinIfAlongside(session)
    if checksFrames, next.tick == tick { check(frame, edition, session) }
  }

  /// A session's pipe had no room for a frame. One whose connection is ending misses nothing.
  private func missed(_ kind: Session.Delivery.Kind, _ session: Session, _ status: SendStatus) {
    guard status == .backpressure else { return }
    traffic.skipped.count(.full)
    if session.group !== audience.behind { audience.fallBehind(session) }
    note(session.blocked(kind, at: time.now), of: session)
  }

  /// All who stand with others take what they are sent, which counts as a sign of life and for a
  /// faster rate. What this thread has no time to send is not their fault.
  func noteThoseWhoKeepUp() {
    for group in audience.byStream {
      for member in group.members {
        let session = member.session
        guard let change = session.keepsUp(at: time.now, awake: time.awake) else { continue }
        audience.begin(session)
        note(change, of: session)
      }
    }
    for group in audience.following {
      for member in group.members { member.session.followed(awake: time.awake) }
    }
  }

  /// Counts that a session's rate became another one, and has its client told.
  func note(_ change: RateControl.Change?, of session: Session) {
    guard let change else { return }
    if session.news != nil { notices.addNews(of: session) }
    traffic.changed(change)
    logRate(change, of: session)
  }

  /// Compares what a session has after a frame that was written with what it must have.
  private func check(_ frame: OutgoingFrame, _ edition: Edition, _ session: Session) {
    guard let witness = session.witness, let world = edition.world else { return }
    guard let fault = frame.withPayload({ witness.take($0, leadingTo: world) }) else { return }
    foundFault(
      "tick \(tick), stream of \(session.stream.rate.rawValue) Hz \(session.stream.profile), "
        + "a frame of \(frame.count) bytes to person \(session.person!.id): \(fault)")
  }

  /// Tells what happened: most to everybody, some to one.
  private func tell(_ events: [PitEvent]) {
    let common = events.filter { $0.onlyPerson == nil }.map(\.told)
    if !common.isEmpty {
      let news = OutgoingFrame(.events(WireEvents(tick: tick, events: common)))
      // Who follows the log sees for itself what happens.
      for group in audience.streaming {
        for member in group.members { post(news, to: member.session) }
      }
    }
    for event in events {
      guard let number = event.onlyPerson, let session = byPerson[number],
        session.follower == nil
      else { continue }
      post(OutgoingFrame(.events(WireEvents(tick: tick, events: [event.told]))), to: session)
    }
  }

  func post(_ message: OutgoingFrame, to session: Session) {
    // What happens in a world means nothing to somebody who has not been welcomed to it.
    guard isWelcomed(session) else { return traffic.refused.count(.mailForgotten) }
    let hadMail = session.hasMail
    if !session.post(message) { traffic.refused.count(.mailForgotten) }
    if session.hasMail, !hadMail { withMail.append(session) }
  }

  /// Sends the messages that had to wait, as far as there is room for them now.
  private func sendMail() {
    guard !withMail.isEmpty else { return }
    for session in withMail where session.person != nil { session.sendMail() }
    withMail.removeAll { !$0.hasMail || $0.person == nil }
  }
}
