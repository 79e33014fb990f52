import Wire

/// What the host decided that network threads act on. The world's part stands in the log instead,
/// bans in the ``Gate``.
struct HostSettings: Sendable, Equatable {
  var isLocked = false
  var announcement = Announcement.none
  /// The most people at a time; nil for as many as there may be connections.
  var people: Int?
  /// Commands a second that are carried out of one person, twice that in a burst; nil for what the
  /// configuration says. Beyond it commands are left out, and nobody's connection ends for them:
  /// their pages know nothing of it.
  var commandsPerSecond: Int?

  /// Commands a second of one person that the host can allow: one that lets things happen slowly,
  /// and one for each tick.
  static let commandRange = 1...60
}
