import Transport
import Wire

/// What clients are told when the server ends.
extension SessionHub {
  /// Tells those who were not told yet when to come back, and ends their sessions. One whose pipe
  /// is full is tried again at the next call: the farewell is the last that is written to it.
  func sayFarewell(_ window: ReturnWindow) {
    farewells.expect(sessions.count)
    for session in sessions where !session.isOver {
      guard session.person != nil else {
        // It was never welcomed, so there is nothing to come back to.
        end(session, .restart, Self.farewell)
        continue
      }
      let delay = farewells.nextDelay(in: window, thread: thread, of: drain.threads)
      let message = OutgoingFrame(.comeBack(afterMilliseconds: delay))
      guard session.connection.send(message) == .sent else { continue }
      farewells.noteSaid()
      end(session, .restart, Self.farewell)
    }
    drain.note(left: sessions.count, on: thread)
  }

  private static let farewell = "the server restarts"
}

/// How many of a network thread's sessions were told that the server ends, and how many are to be
/// told: so each client gets a time of its own to come back.
struct Farewells {
  private var said = 0
  private var wanted = 0

  /// So many sessions are here.
  mutating func expect(_ sessions: Int) { wanted = max(wanted, sessions) }

  /// When the client of the next session is to come back, in milliseconds from now.
  func nextDelay(in window: ReturnWindow, thread: Int, of threads: Int) -> UInt16 {
    window.delay(place: said, of: wanted, thread: thread, of: threads)
  }

  /// That session was told.
  mutating func noteSaid() { said += 1 }
}
