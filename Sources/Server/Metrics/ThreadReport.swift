import Wire

/// What a network thread tells the others of itself.
struct ThreadReport: Sendable {
  /// What it sent and refused since the start.
  var traffic = Traffic()
  /// Publications that it found waiting when it last looked: 1 when it keeps up.
  var backlog = 0
  /// Whether it has had more to send than it can.
  var isOverloaded = false
  /// How many clients it has, by kind of stream and then by rate, in the order of `rates`.
  var clients = ["state": noClients, "replica": noClients]

  /// The rates that there are, the fastest first.
  static let rates = FrameRate.allCases.sorted { $0.index < $1.index }.map(\.rawValue)
  private static let noClients = FrameRate.allCases.map { _ in 0 }

  /// Counts everybody anew.
  mutating func count(_ sessions: [Session]) {
    clients = ["state": Self.noClients, "replica": Self.noClients]
    for session in sessions where session.person != nil {
      if let follower = session.follower {
        clients["replica"]![follower.turn.rate.index] += 1
      } else {
        clients["state"]![session.stream.rate.index] += 1
      }
    }
  }
}
