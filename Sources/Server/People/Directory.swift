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
    case isHere(person: UInt16, thread: Int)
    /// The token is shown too often while its person is here.
    case tokenInUse
    /// There are no numbers left, or as many people as the host lets in.
    case isFull
    /// The host lets nobody new in.
    case isLocked
    /// The host keeps the address out for so many seconds more.
    case isBanned(seconds: Int)
  }

  /// What becomes of somebody who is here and comes back on another connection.
  enum Return {
    case isBack(PersonRecord)
    /// There is no such person any more.
    case isOver(EndCause)
  }

  struct Presence {
    var person: Person
    let token: SessionToken
    var thread: Int
    /// Its place among all hellos.
    var joined: UInt64
    /// How often others may show the token.
    var takeOvers: TokenBucket
    /// From where its connection comes.
    var address: ClientAddress
    /// When it came, in monotonic nanoseconds.
    var since: UInt64
    /// Whether the host hid the name.
    var isHidden: Bool
    /// It only looks on.
    var isWatching: Bool
    /// Why it is nobody any more, while its thread has yet to end the connection: because the host
    /// removed it, or because another server has its number.
    var removal: EndCause?

    /// Whether it is somebody for the others.
    var counts: Bool { removal == nil && !isWatching }
  }

  struct State {
    var people: People
    var gate = Gate()
    var present: [UInt16: Presence] = [:]
    var byToken: [SessionToken: UInt16] = [:]
    /// Those among the present who are nobody for the others: whom the host removed, and who only
    /// look on.
    var uncounted = 0
    var hellos: UInt64 = 0
    /// Numbers with their hellos, the newest last. Entries of those who left or came again since
    /// are void. Who only looks on is not in it: however many screens there are, nobody who makes
    /// a list walks past them.
    var line: Deque<(number: UInt16, joined: UInt64)> = []
    /// Counts the changes of who is here, and of who is at other servers.
    var ownChanges: UInt64 = 0
    var othersChanges: UInt64 = 0
    /// Counts those of them that a host is known to have made: nobody is to wait for these.
    var hostsChanges: UInt64 = 0
    /// People at other servers of the same world, and the newest of them.
    var others: (count: Int, listed: [Person]) = (0, [])

    /// People who are here.
    var count: Int { present.count - uncounted }

    /// Another number whenever the list is another one.
    var version: UInt64 { ownChanges &+ othersChanges }
  }

  let state: Mutex<State>
  private let journal: JournalDesk?
  private let wallClock: @Sendable () -> UInt64

  /// - Parameters:
  ///   - people: hands out numbers and tokens.
  ///   - journal: is told who comes and leaves.
  ///   - wallClock: milliseconds since 1970.
  init(
    _ people: People, journal: JournalDesk? = nil,
    wallClock: @escaping @Sendable () -> UInt64 = WallClock.milliseconds
  ) {
    state = Mutex(State(people: people))
    self.journal = journal
    self.wallClock = wallClock
  }

  // MARK: Coming and leaving

  /// Answers a hello.
  /// - Parameters:
  ///   - hello: what it showed, if anything, and whether it only looks on.
  ///   - address: from where it came.
  ///   - thread: where it was said.
  ///   - now: monotonic nanoseconds.
  ///   - awake: awake nanoseconds.
  func admit(
    _ hello: Hello, from address: ClientAddress, to thread: Int, at now: UInt64, awake: UInt64
  ) -> Admission {
    state.withLock { state in
      if let seconds = state.gate.bans.secondsLeft(of: address.prefix, at: now) {
        return .isBanned(seconds: seconds)
      }
      let token = hello.resumeToken
      let hasRoom = hello.isWatching || state.count < state.gate.mostPeople
      if let token, let number = state.byToken[token] {
        guard hasRoom || state.present[number]!.counts else { return .isFull }
        guard state.present[number]!.takeOvers.take(at: now) else { return .tokenInUse }
        return .isHere(person: number, thread: state.present[number]!.thread)
      }
      guard hasRoom else { return .isFull }
      let returned = token.flatMap { state.people.comeBack($0, at: awake) }
      if returned == nil, state.gate.isLocked { return .isLocked }
      guard var person = returned ?? state.people.newcomer(at: awake) else { return .isFull }
      person.isWatching = hello.isWatching
      enter(person, on: thread, address, at: now, &state)
      journal?.arrived(LoggedPerson(person))
      return .admitted(person)
    }
  }

  /// Whether whoever shows a token is here, or would be back with it.
  /// - Parameter awake: awake nanoseconds.
  func knows(_ token: SessionToken, awake: UInt64) -> Bool {
    state.withLock { $0.byToken[token] != nil || $0.people.mayReturn(token, at: awake) }
  }

  /// Somebody who is here comes back on another connection.
  /// - Parameters:
  ///   - address: from where that comes.
  ///   - isWatching: whether it only looks on from there.
  ///   - now: monotonic nanoseconds.
  /// - Returns: the person as everybody knows it now, or why there is none any more. Such a one
  ///   leaves.
  func comesBack(
    _ person: PersonRecord, on thread: Int, from address: ClientAddress, isWatching: Bool,
    at now: UInt64
  ) -> Return {
    state.withLock { state in
      if state.gate.bans.secondsLeft(of: address.prefix, at: now) != nil {
        _ = state.remove(person.id, because: .removed)
      }
      let presence = state.present[person.id]!
      if let removal = presence.removal { return .isOver(removal) }
      var person = presence.updated(person)
      person.isWatching = isWatching
      enter(person, on: thread, address, at: now, &state)
      return .isBack(person)
    }
  }

  /// Somebody who is here is on the way to another thread.
  func moves(_ number: UInt16, from old: Int, to thread: Int) {
    state.withLock {
      // A third one may have it already.
      if $0.present[number]?.thread == old { $0.present[number]!.thread = thread }
    }
  }

  private func enter(
    _ person: PersonRecord, on thread: Int, _ address: ClientAddress, at now: UInt64,
    _ state: inout State
  ) {
    state.hellos += 1
    let before = state.present[person.id]
    // Whoever only watches, before and now, is in nobody's list.
    if !person.isWatching || before?.counts == true { state.ownChanges += 1 }
    if before?.counts == false { state.uncounted -= 1 }
    if person.isWatching { state.uncounted += 1 }
    state.present[person.id] = Presence(
      person: person.identity, token: person.token, thread: thread, joined: state.hellos,
      takeOvers: before?.takeOvers ?? person.takeOvers, address: address,
      since: before?.since ?? now, isHidden: person.isHidden, isWatching: person.isWatching)
    state.byToken[person.token] = person.id
    if !person.isWatching { state.line.append((person.id, state.hellos)) }
    // Void entries of those who come and leave all the time are forgotten.
    if state.line.count > 2 * state.count + 64 {
      let present = state.present
      state.line.removeAll { entry in
        guard let presence = present[entry.number] else { return true }
        return presence.joined != entry.joined || !presence.counts
      }
    }
  }

  /// Somebody's connection ended; the person may come back until `expires`, in awake nanoseconds.
  func left(_ person: PersonRecord, from address: AddressPrefix, expires: UInt64) {
    state.withLock { state in
      let presence = state.present.removeValue(forKey: person.id)!
      if presence.counts { state.ownChanges += 1 }
      var person = presence.updated(person)
      person.takeOvers = presence.takeOvers
      state.byToken[person.token] = nil
      if !presence.counts { state.uncounted -= 1 }
      if presence.removal != nil {
        person = state.people.removed(person, from: address, expires: expires)
      } else {
        state.people.left(person, from: address, expires: expires)
      }
      journal?.left(LoggedPerson(person, leftAt: wallClock()))
    }
  }

  // MARK: Who is here

  /// How many people are here.
  var count: Int { state.withLock { $0.count } }

  /// How many said hello and are here, with those who only look on.
  var presentCount: Int { state.withLock { $0.present.count } }

  /// The first number changes whenever the list does, the second only if the host changed it.
  var version: (all: UInt64, byHost: UInt64) {
    state.withLock { ($0.version, $0.hostsChanges) }
  }

  /// How many are in the pit, and the newest of them, the newest first: those of this server, then
  /// those of others with the same world.
  func list() -> (count: Int, newest: [Person]) {
    state.withLock { state in
      let own = state.newest(WireLimits.listedPeople).map(\.person)
      let rest = state.others.listed.prefix(WireLimits.listedPeople - own.count)
      return (state.count + state.others.count, own + rest)
    }
  }

  /// Somebody in the pit, on whichever server; without a name where that is not known.
  func person(_ number: UInt16) -> Person {
    state.withLock { state in
      state.present[number]?.person ?? state.others.listed.first { $0.id == number }
        ?? Person(id: number, colour: Person.colour(of: number), name: .none)
    }
  }
}

extension Directory.State {
  /// Those who are here, the newest first, at most so many.
  func newest(_ most: Int) -> [Directory.Presence] {
    var newest: [Directory.Presence] = []
    for entry in line.reversed() {
      guard newest.count < most else { break }
      guard let presence = present[entry.number], presence.joined == entry.joined,
        presence.counts
      else { continue }
      newest.append(presence)
    }
    return newest
  }
}

extension LoggedPerson {
  fileprivate init(_ person: PersonRecord, leftAt: UInt64? = nil) {
    self.init(
      number: person.id, token: person.token, commands: person.commands, leftAt: leftAt)
  }
}

/// People at the other servers of the world, and the numbers that are given here.
extension Directory {
  /// Takes how many people the others have, and the newest of them.
  func setOthers(count: Int, listed: [Person]) {
    state.withLock { state in
      guard state.others.count != count || state.others.listed != listed else { return }
      // A host there has given somebody another name. Whom it removed looks like anybody who left:
      // if nobody waited for that, a crowd that leaves there would be news to everybody at each
      // look.
      let isRenamed = listed.contains { person in
        state.others.listed.contains { $0.id == person.id && $0.name != person.name }
      }
      if isRenamed { state.hostsChanges += 1 }
      state.others = (count, listed)
      state.othersChanges += 1
    }
  }

  /// How many people are here, and the newest of them, the newest first: without the others.
  func ownList() -> (count: Int, newest: [Person]) {
    state.withLock { state in
      (state.count, state.newest(WireLimits.listedPeople).map(\.person))
    }
  }

  /// Changes whenever people come or go here, or the host changes what others see of them.
  var ownVersion: UInt64 { state.withLock { $0.ownChanges } }

  /// Whether there are few numbers left for newcomers.
  var needsNumbers: Bool { state.withLock { $0.people.needsNumbers } }

  /// From now on newcomers get a block's numbers.
  func add(_ block: NumberBlock) { state.withLock { $0.people.add(block) } }

  /// From now on nobody new gets a block's numbers.
  func remove(_ block: NumberBlock) { state.withLock { $0.people.remove(block) } }

  /// Another server has a block's numbers: whoever has one here is somebody new at the next hello.
  /// - Returns: those who are here. Their threads are to end their connections.
  func lose(_ block: NumberBlock) -> [Touched] {
    state.withLock { state in
      state.people.lose(block)
      let theirs = state.present.keys.filter { block.numbers.contains($0) }
      return theirs.sorted().compactMap { state.remove($0, because: .numberLost) }
    }
  }
}
