import Wire

/// How people tilt, for the dots in everybody's bowl.
extension SessionHub {
  /// With more sessions than these tilts are told each two seconds instead of at each look, which is
  /// four times a second. Then they are a 120th of the messages that are sent, and dots that a page
  /// moves smoothly lag in a crowd in which nobody looks for one of them.
  private static let sessionsForEachLook = 100
  private static let crowdInterval: UInt64 = 2_000_000_000

  /// Tells everybody how people tilt, when that has changed and as soon as their pipes take it.
  func tellTilts() {
    if time.now >= notices.nextTilts, tilts != notices.toldTilts {
      notices.toldTilts = tilts
      notices.nextTilts = sessions.count > Self.sessionsForEachLook ? time.now + Self.crowdInterval : 0
      for session in sessions where session.person != nil { notices.tilts.add(session) }
    }
    guard !notices.tilts.isEmpty else { return }
    let message = frame(.notice(.tilts(notices.toldTilts)))
    notices.tilts.pay { $0.connection.send(message) == .sent }
  }
}
