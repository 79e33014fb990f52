import Simulation
import Transport
import Wire

/// What clients are sent.
extension SessionHub {
  /// Writes one tick's frames: this loop is the server's hot path.
  func fanOut(_ publication: Publication) {
    tick = publication.tick
    ticksPublished.count()
    deadline = publication.deadline
    for session in sessions where session.participant != nil {
      if session.stream.isDue(at: tick) {
        let edition = publication.editions[session.stream.index]
        switch session.delivery(from: edition, at: tick) {
        case .nothing: break
        case .wait: if session.position != nil { traffic.skipped.count() }
        case .frame(let frame, let kind, let next): write(frame, kind, next, to: session)
        }
      }
      session.sendMail()
    }
    if !publication.events.isEmpty { tell(publication.events) }
  }

  private func write(
    _ frame: OutgoingFrame, _ kind: Session.Delivery.Kind, _ next: StreamPosition,
    to session: Session
  ) {
    guard session.connection.send(frame) == .sent else {
      session.blocked(kind, at: time.now)
      traffic.skipped.count()
      return
    }
    session.wrote(leadingTo: next, at: time.now, awake: time.awake)
    traffic.wrote(kind, bytes: frame.count)
  }

  /// Tells what happened: most to everybody, some to one.
  private func tell(_ events: [PitEvent]) {
    let common = events.filter { $0.onlyClient == nil }.map(\.told)
    if !common.isEmpty {
      let news = frame(.events(WireEvents(tick: tick, events: common)))
      for session in sessions where session.participant != nil { post(news, to: session) }
    }
    for event in events {
      guard let client = event.onlyClient, let session = byClient[client] else { continue }
      post(frame(.events(WireEvents(tick: tick, events: [event.told]))), to: session)
    }
  }

  func post(_ message: OutgoingFrame, to session: Session) {
    if !session.post(message) { traffic.forgottenMail.count() }
  }
}
