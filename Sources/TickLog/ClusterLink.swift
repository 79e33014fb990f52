/// What a server of several that share one world can ask of the place where they meet, and what
/// it is told there. In earnest that is NATS with JetStream (`JetStreamLink`); simulations have one
/// in memory with the same promises:
///
/// - The log takes a message only behind the sequence number that its writer names, so two writers
///   can't both go on. What it took is told to all who listen, in its order as a rule. Messages may
///   be lost on the way to a listener, or come twice; each can be asked for by its number.
/// - A *claim* is a key that one member holds: it is made or renewed by the revision that the
///   member knows, and gone some seconds after the last renewal.
/// - Inputs and presences reach whoever listens, or nobody.
///
/// Nothing here waits: what is asked is answered by an event with the same token, or never.
public protocol ClusterLink: AnyObject, Sendable {
  /// Begins to tell what happens: on any thread, one event at a time.
  func start(_ deliver: @escaping @Sendable (LinkEvent) -> Void) throws(ClusterError)

  /// Puts a message behind the one with a sequence number, 0 for an empty log. Answered by
  /// `append`. The same message may be sent again: it stands in the log once.
  /// - Parameter id: tells a message that is sent again from another one.
  func append(_ bytes: [UInt8], after sequence: UInt64, id: String, token: UInt64)

  /// Asks for the log's message with a number. Answered by `message`.
  func askMessage(_ sequence: UInt64, token: UInt64)

  /// Asks which messages the log has. Answered by `end`.
  func askEnd(token: UInt64)

  /// Keeps a world beside the log in place of older ones. Not answered: the next one comes soon.
  func keep(world bytes: [UInt8])

  /// Asks for the newest world. Answered by `world`.
  func askWorld(token: UInt64)

  /// Makes or renews a claim. Answered by `claim`.
  /// - Parameter revision: the one that is to be renewed; 0 for a new claim.
  func claim(_ key: ClaimKey, by member: UInt32, revision: UInt64, token: UInt64)

  /// Tells the leader what clients did.
  func send(inputs bytes: [UInt8])

  /// Tells all members who is here.
  func send(presence bytes: [UInt8])

  /// Ends the connection; what was sent is sent first, within a second.
  func close()
}

/// What can be claimed.
public enum ClaimKey: Hashable, Sendable {
  /// To write the log. Gone after `leaderSeconds`.
  case leader
  /// The numbers of a block. Gone after `blockSeconds`.
  case block(UInt8)

  /// Seconds after which a leader that renews nothing is replaced. The world stands still until
  /// then, and two seconds are what people are promised; renewals come each third of it.
  public static let leaderSeconds = 1.2
  /// Seconds for which numbers stay with a member that renews nothing: its clients may hold tokens
  /// for a minute.
  public static let blockSeconds = 120.0
}

/// What a link tells.
public enum LinkEvent: Sendable {
  /// The log took a message.
  case stored(sequence: UInt64, [UInt8])
  case inputs([UInt8])
  case presence([UInt8])
  case append(token: UInt64, AppendAnswer)
  /// A message that was asked for; nil if the log has none with that number.
  case message(token: UInt64, sequence: UInt64, [UInt8]?)
  /// The numbers of the log's first and last message; the last is 0 in a log that never had any.
  case end(token: UInt64, first: UInt64, last: UInt64)
  /// The newest world; nil if there is none.
  case world(token: UInt64, [UInt8]?)
  /// The claim's revision now; nil if it is somebody else's, or the revision was another.
  case claim(token: UInt64, revision: UInt64?)
  /// Whether the meeting place can be reached.
  case connection(isUp: Bool)
}

/// What became of a message for the log.
public enum AppendAnswer: Equatable, Sendable {
  /// It stands there with this number.
  case stored(UInt64)
  /// The log's last message is another one than was named.
  case otherEnd
  /// It could not be stored now.
  case failed(String)
}

/// Why servers can't share a world.
public enum ClusterError: Error, Equatable, CustomStringConvertible {
  /// The meeting place can't be reached or refuses what is asked of it.
  case unreachable(String, why: String)
  /// Another program writes the log.
  case otherLeader(world: String)
  /// The world was made by a program with another core.
  case otherCore(world: String)
  /// There is no world under this name.
  case noWorld(String)
  /// What stands there can't be read.
  case damaged(world: String, what: String)

  public var description: String {
    switch self {
    case .unreachable(let url, let why): "NATS at \(url): \(why)"
    case .otherLeader(let world):
      "another server runs the world '\(world)': stop it, or start this one with --standby"
    case .otherCore(let world):
      "the world '\(world)' is run by another version: start the same version on all machines"
    case .noWorld(let world):
      "no server runs a world '\(world)': start 'stickerpit serve' with the same --world first"
    case .damaged(let world, let what): "the log of the world '\(world)' can't be read: \(what)"
    }
  }
}
