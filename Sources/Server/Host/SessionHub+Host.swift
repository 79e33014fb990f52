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
    notices.addName(of: session)
  }

  /// What everybody is to know of what the host decided.
  var hostNotice: HostNotice {
    HostNotice(
      isFrozen: hosted.isFrozen, isLocked: host.isLocked, announcement: host.announcement)
  }
}
