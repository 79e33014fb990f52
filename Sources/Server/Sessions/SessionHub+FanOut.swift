import Simulation
import Transport
import Wire

/// What clients are sent.
extension SessionHub {
  /// Writes one tick's frames: this loop is the server's hot path.
  func fanOut(_ publication: Publication) {
    take(publication)
    for session in sessions where session.person != nil {
      if session.follower != nil {
        lead(session)
      } else if session.stream.isDue(at: tick) {
        let edition = publication.editions[session.stream.index]
        switch session.delivery(from: edition, at: tick) {
        case .nothing: break
        case .wait: if session.position != nil { traffic.skipped.count() }
        case .frame(let frame, let kind, let next):
          write(frame, kind, next, to: session)
          if checksFrames { check(frame, edition, session) }
        }
      }
      session.sendMail()
    }
    tellWhatHappened(publication)
  }

  /// Leaves out the common frames of a tick that is late: a newer one is there already. Who was in
  /// step gets one frame for all of them with the tick after, and so the freshest. A frame that was
  /// made for somebody's place is sent, one in each turn: those of later ticks lead on from it, and
  /// whoever missed it would find none.
  func passOver(_ publication: Publication) {
    take(publication)
    for session in sessions where session.person != nil && session.follower == nil {
      guard session.stream.isDue(at: tick) else { continue }
      let edition = publication.editions[session.stream.index]
      guard case .frame(let frame, let kind, let next) = session.delivery(from: edition, at: tick)
      else { continue }
      guard kind != .own, session.turnServed != turn else {
        session.passedOver()
        continue
      }
      session.turnServed = turn
      write(frame, kind, next, to: session)
      if checksFrames { check(frame, edition, session) }
    }
    traffic.collapsed.count()
    tellWhatHappened(publication)
  }

  private func take(_ publication: Publication) {
    tick = publication.tick
    ticksPublished.count()
    deadline = publication.deadline
    keep(publication)
  }

  private func tellWhatHappened(_ publication: Publication) {
    if !publication.events.isEmpty { tell(publication.events) }
    tellOutcomes(publication.outcomes)
  }

  /// Tells everybody whose commands were decided what became of them.
  private func tellOutcomes(_ outcomes: [StampedOutcome]) {
    for entry in outcomes {
      if let session = byClient[entry.client] { note(entry.outcome, entry.sequence, session) }
    }
    for session in owed where session.person != nil {
      for receipt in session.takeReceipts(tick: tick) {
        post(frame(.receipt(receipt)), to: session)
      }
    }
    owed.removeAll(keepingCapacity: true)
  }

  private func write(
    _ frame: OutgoingFrame, _ kind: Session.Delivery.Kind, _ next: StreamPosition,
    to session: Session
  ) {
    guard session.connection.send(frame) == .sent else {
      note(session.blocked(kind, at: time.now), of: session)
      return traffic.skipped.count()
    }
    note(session.wrote(leadingTo: next, at: time.now, awake: time.awake), of: session)
    traffic.wrote(kind, bytes: frame.count)
  }

  private func note(_ change: RateControl.Change?, of session: Session) {
    guard let change else { return }
    traffic.changed(change)
    logRate(change, of: session)
  }

  /// Compares what a session has after a frame with what it must have. A frame that found the pipe
  /// full was not written: then the session has a position before this tick.
  private func check(_ frame: OutgoingFrame, _ edition: Edition, _ session: Session) {
    guard session.position?.tick == tick, let witness = session.witness, let world = edition.world
    else { return }
    guard let fault = frame.withPayload({ witness.take($0, leadingTo: world) }) else { return }
    foundFault(
      "tick \(tick), stream of \(session.stream.rate.rawValue) Hz \(session.stream.profile), "
        + "a frame of \(frame.count) bytes to client \(session.person!.id): \(fault)")
  }

  /// Tells what happened: most to everybody, some to one.
  private func tell(_ events: [PitEvent]) {
    let common = events.filter { $0.onlyClient == nil }.map(\.told)
    if !common.isEmpty {
      let news = frame(.events(WireEvents(tick: tick, events: common)))
      // Who follows the log sees for itself what happens.
      for session in sessions where session.person != nil && session.follower == nil {
        post(news, to: session)
      }
    }
    for event in events {
      guard let client = event.onlyClient, let session = byClient[client],
        session.follower == nil
      else { continue }
      post(frame(.events(WireEvents(tick: tick, events: [event.told]))), to: session)
    }
  }

  func post(_ message: OutgoingFrame, to session: Session) {
    if !session.post(message) { traffic.forgottenMail.count() }
  }
}
