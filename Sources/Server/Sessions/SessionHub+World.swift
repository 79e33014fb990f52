import Simulation
import Transport
import Wire

/// What happens when the host begins another world.
extension SessionHub {
  /// From this tick on the world is another one: everybody is welcomed to it on the connection that
  /// is there, and begins with a keyframe or a snapshot. The log is not led over that: who comes
  /// back begins anew too.
  func begin(_ world: WorldDescription) {
    take(world)
    log.removeAll()
    logWitness.forget()
    for session in byPerson.values {
      guard session.follower == nil || offersReplicas else {
        end(session, .otherStream, "replica stream not offered: use state")
        continue
      }
      session.beginAnew(offer)
      audience.begin(session)
    }
  }

  /// Whether a session knows of the world by which it is served; if it doesn't yet, it is told
  /// first.
  func isWelcomed(_ session: Session) -> Bool {
    guard session.owesWelcome else { return true }
    let welcome = OutgoingFrame(
      .welcome(world.welcome(for: session.welcomed, tick: tick, stickers)))
    guard session.connection.send(welcome) == .sent else { return false }
    session.owesWelcome = false
    return true
  }
}
