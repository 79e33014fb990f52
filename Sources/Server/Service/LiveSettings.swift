import Synchronization
import Wire

/// What the network threads read of the configuration and of the host's decisions, and may be
/// changed while they run: each thread takes all of it over between two turns of its own.
///
/// The two stand beside each other: a configuration that is read again changes nothing of what the
/// host decided, which holds until the host says otherwise or the server ends.
final class LiveSettings: Sendable {
  struct Value: Sendable {
    /// As the configuration has them.
    var limits: Limits
    var keywords: KeywordList
    var host = HostSettings()

    /// Commands a second that are carried out of one person.
    var commandsPerSecond: Int { host.commandsPerSecond ?? limits.commandsPerSecond }

    /// The most people at a time.
    var mostPeople: Int { host.people ?? limits.connections }

    /// What sessions go by. Commands beyond the host's limit are left out and never end a
    /// connection; only passing the higher of both limits does.
    var limitsInForce: Limits {
      var limits = limits
      limits.commandsPerSecond = max(limits.commandsPerSecond, commandsPerSecond)
      return limits
    }
  }

  private let newest: Mutex<Value>
  private let version = Atomic<Int>(0)

  init(_ value: Value) {
    newest = Mutex(value)
  }

  /// Changes something of it.
  /// - Returns: all of it afterwards.
  @discardableResult
  func change(_ change: (inout Value) -> Void) -> Value {
    let value = newest.withLock { value in
      change(&value)
      return value
    }
    version.add(1, ordering: .releasing)
    return value
  }

  /// The newest value.
  var value: Value { newest.withLock { $0 } }

  /// The newest value, if it is another than that of the version that the caller knows.
  func changed(since known: inout Int) -> Value? {
    let now = version.load(ordering: .acquiring)
    guard now != known else { return nil }
    known = now
    return newest.withLock { $0 }
  }
}

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
