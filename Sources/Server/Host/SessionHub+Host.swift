import Simulation
import Transport
import Wire

/// What a network thread does for the host.
extension SessionHub {
  /// Answers a request of the host; nil for any other.
  func answerHost(_ request: HTTPRequest) -> HTTPReply? {
    guard request.path.hasPrefix(HostDesk.path) else { return nil }
    return .response(hostDesk.answer(request, hostView, at: time.now))
  }

  private var hostView: HostView {
    HostView(
      scene: Scene(rawValue: world.scene) ?? .pit, bodies: exchange.health.bodies,
      bodyCap: hosted.bodyCap, mostBodies: hosted.capacity, isFrozen: hosted.isFrozen,
      gravityPercent: hosted.gravityPercent, offersReplicas: offersReplicas)
  }

  /// Goes on by other settings of the host.
  /// - Parameter old: those before.
  func take(_ new: HostSettings, after old: HostSettings) {
    guard new.commandsPerSecond != old.commandsPerSecond else { return }
    for session in sessions { session.budget.take(hostsCommands: new.commandsPerSecond, limits) }
  }

  /// Somebody who was here is nobody any more.
  func remove(_ number: UInt16, because cause: EndCause) {
    // Who is on the way to another thread is stopped there.
    guard let session = byPerson[number] else { return }
    end(session, cause, Self.reason(of: cause))
  }

  /// Why a connection ended whose person is nobody any more.
  static func reason(of removal: EndCause) -> String {
    removal == .numberLost ? "another server has this number" : "removed by the host"
  }

  /// Why an address is kept out.
  static func banReason(seconds: Int) -> String {
    let minutes = (seconds + 59) / 60
    return "this address may join again in \(minutes) minute\(minutes == 1 ? "" : "s")"
  }

  /// The host gave somebody who is here another name. Who is on the way to another thread is told
  /// it there, by a welcome.
  func rename(_ person: Person) {
    guard let session = byPerson[person.id] else { return }
    session.person!.identity = person
    notices.name.add(session)
  }

  // MARK: What everybody is told

  /// Notes that somebody was welcomed, who is told what the host decided unless all is as ever.
  func oweHostNotice(_ session: Session) {
    if notices.decided != HostNotice() { notices.host.add(session) }
  }

  /// Tells everybody what the host decided, when that has changed and as soon as their pipes take
  /// it. Only a change concerns everybody: after it only those are gone through who came since, or
  /// whose pipes were full.
  func tellHostNotices() {
    let notice = HostNotice(
      isFrozen: hosted.isFrozen, isLocked: host.isLocked, announcement: host.announcement)
    if notice != notices.decided {
      notices.decided = notice
      for session in sessions where session.person != nil { notices.host.add(session) }
    }
    guard !notices.host.isEmpty else { return }
    let message = frame(.notice(.host(notice)))
    notices.host.pay { $0.connection.send(message) == .sent }
  }

  /// Tells those whom the host renamed, as soon as their pipes take it.
  func tellRenamed() {
    notices.name.pay { session in
      let message = frame(.notice(.renamed(session.person!.identity)))
      return session.connection.send(message) == .sent
    }
  }
}
