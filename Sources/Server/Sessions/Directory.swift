import DequeModule
import Synchronization
import TickLog
import Transport
import Wire

/// Who is in the pit, on which network thread, and who may come back: the same for all of them, so
/// that a token is worth as much wherever its page's next connection lands.
final class Directory: Sendable {
  /// What a hello is answered with.
  enum Admission {
    /// In the pit from now on, on the thread that asked.
    case admitted(PersonRecord)
    /// In the pit already, on a thread: it is to be taken over from there.
    case isHere(client: UInt16, thread: Int)
    /// The token is shown too often while its person is here.
    case tokenInUse
    /// There are no numbers left.
    case isFull
  }

  private struct Presence {
    let person: Person
    var thread: Int
    /// Its place among all hellos.
    var joined: UInt64
    /// How often others may show the token.
    var takeOvers: TokenBucket
  }

  private struct State {
    var people: People
    var present: [UInt16: Presence] = [:]
    var byToken: [SessionToken: UInt16] = [:]
    var hellos: UInt64 = 0
    /// Numbers with their hellos, the newest last. Entries of those who left since are void.
    var line: Deque<(client: UInt16, joined: UInt64)> = []
    /// Counts the changes.
    var version: UInt64 = 0
  }

  private let state: Mutex<State>
  private let journal: JournalDesk?
  private let wallClock: @Sendable () -> UInt64

  /// - Parameters:
  ///   - people: hands out numbers and tokens.
  ///   - journal: is told who comes and goes.
  ///   - wallClock: milliseconds since 1970.
  init(
    _ people: People, journal: JournalDesk? = nil,
    wallClock: @escaping @Sendable () -> UInt64 = WallClock.milliseconds
  ) {
    state = Mutex(State(people: people))
    self.journal = journal
    self.wallClock = wallClock
  }

  // MARK: Coming and going

  /// Answers a hello.
  /// - Parameters:
  ///   - token: what it showed, if anything.
  ///   - thread: where it was said.
  ///   - now: monotonic nanoseconds.
  ///   - awake: awake nanoseconds.
  func admit(token: SessionToken?, to thread: Int, at now: UInt64, awake: UInt64) -> Admission {
    state.withLock { state in
      if let token, let client = state.byToken[token] {
        guard state.present[client]!.takeOvers.take(at: now) else { return .tokenInUse }
        return .isHere(client: client, thread: state.present[client]!.thread)
      }
      guard let person = state.people.admit(token: token, at: awake) else { return .isFull }
      enter(person, on: thread, &state)
      journal?.arrived(LoggedPerson(person))
      return .admitted(person)
    }
  }

  /// Whether whoever shows a token is here, or would be back with it.
  /// - Parameter awake: awake nanoseconds.
  func knows(_ token: SessionToken, awake: UInt64) -> Bool {
    state.withLock { $0.byToken[token] != nil || $0.people.mayReturn(token, at: awake) }
  }

  /// Somebody who is here goes on with another connection.
  func continues(_ person: PersonRecord, on thread: Int) {
    state.withLock { state in
      assert(state.present[person.id] != nil)
      enter(person, on: thread, &state)
    }
  }

  /// Somebody who is here is on the way to another thread.
  func moves(_ client: UInt16, to thread: Int) {
    state.withLock { $0.present[client]?.thread = thread }
  }

  private func enter(_ person: PersonRecord, on thread: Int, _ state: inout State) {
    state.hellos += 1
    state.version += 1
    state.present[person.id] = Presence(
      person: person.identity, thread: thread, joined: state.hellos,
      takeOvers: state.present[person.id]?.takeOvers ?? person.takeOvers)
    state.byToken[person.token] = person.id
    state.line.append((person.id, state.hellos))
    // Who comes and goes all the time leaves void entries behind.
    if state.line.count > 2 * state.present.count + 64 {
      let present = state.present
      state.line.removeAll { present[$0.client]?.joined != $0.joined }
    }
  }

  /// Somebody's connection ended; the person may come back until `expires`, in awake nanoseconds.
  func left(_ person: PersonRecord, from address: AddressPrefix, expires: UInt64) {
    state.withLock { state in
      state.version += 1
      var person = person
      person.takeOvers = state.present.removeValue(forKey: person.id)!.takeOvers
      state.byToken[person.token] = nil
      journal?.left(LoggedPerson(person, leftAt: wallClock()))
      state.people.left(person, from: address, expires: expires)
    }
  }

  // MARK: Who is here

  /// How many people are here.
  var count: Int { state.withLock { $0.present.count } }

  /// Changes whenever the list does.
  var version: UInt64 { state.withLock { $0.version } }

  /// How many are here, and the newest of them, the newest first.
  func list() -> (count: Int, newest: [Person]) {
    state.withLock { state in
      var newest: [Person] = []
      for entry in state.line.reversed() {
        guard newest.count < WireLimits.listedPeople else { break }
        guard let presence = state.present[entry.client], presence.joined == entry.joined else {
          continue
        }
        newest.append(presence.person)
      }
      return (state.present.count, newest)
    }
  }

  /// Departures that are remembered.
  var departureCount: Int { state.withLock { $0.people.departureCount } }
}

extension LoggedPerson {
  fileprivate init(_ person: PersonRecord, leftAt: UInt64? = nil) {
    self.init(
      number: person.id, token: person.token, commands: person.commands, leftAt: leftAt)
  }
}
