import Simulation
import Transport
import Wire

/// What a network thread knows of the world by the last tick that it was told of, for the host.
struct HostView {
  var scene: Scene
  /// Stickers, the most that there may be now, and the most that the world was made for.
  var bodies: Int
  var bodyCap: Int
  var capacity: Int
  var isFrozen: Bool
  /// Percent of the scene's.
  var gravityPercent: Int
  /// Whether clients may follow the log of the world instead of its state stream.
  var offersReplicas: Bool
}

/// What a publication says of the host's part in the world.
struct HostedWorld {
  private(set) var isFrozen = false
  private(set) var gravityPercent = 100
  private(set) var capacity: Int
  private(set) var bodyCap: Int

  /// - Parameter capacity: of the world that the server began with, before its first tick.
  init(capacity: Int) {
    (self.capacity, bodyCap) = (capacity, capacity)
  }

  mutating func take(_ publication: Publication) {
    isFrozen = publication.isFrozen
    gravityPercent = Int(publication.gravityPercent)
    if publication.capacity > 0 { capacity = publication.capacity }
    if publication.bodyCap > 0 { bodyCap = publication.bodyCap }
  }
}

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
      bodyCap: hosted.bodyCap, capacity: hosted.capacity, isFrozen: hosted.isFrozen,
      gravityPercent: hosted.gravityPercent, offersReplicas: offersReplicas)
  }

  /// From now on other settings of the host hold.
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

/// What happens when the host begins another world.
extension SessionHub {
  /// From this tick on the world is another one: everybody is welcomed to it on the connection that
  /// is there, and begins with a keyframe or a snapshot. The log is not led over that: who comes
  /// back begins anew too.
  func begin(_ world: WorldDescription) {
    take(world)
    log.removeAll()
    logWitness.forget()
    // In the order of their numbers, so that a run can be repeated.
    for (_, session) in byPerson.sorted(by: { $0.key < $1.key }) {
      guard session.follower == nil || offersReplicas else {
        end(session, .otherStream, "replica stream not offered: use state")
        continue
      }
      note(session.beginAnew(offer), of: session)
      audience.begin(session)
    }
  }

  /// Whether a session knows of the world by which it is served; if it doesn't yet, it is told
  /// first.
  func isWelcomed(_ session: Session) -> Bool {
    guard session.owesWelcome else { return true }
    let welcome = world.welcome(for: session.welcomed, tick: tick, stickers)
    guard session.connection.send(OutgoingFrame(.welcome(welcome))) == .sent else { return false }
    session.owesWelcome = false
    return true
  }
}
