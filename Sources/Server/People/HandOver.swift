import Synchronization
import Transport
import Wire

/// What network threads say to each other when a page comes back on another one than before: a
/// phone whose network changed is back before its old connection is known to be dead, and the token
/// is worth more than that connection. And what the host, whose requests come on any thread, wants
/// of people who are on another one.
enum HandOver {
  /// The thread is to end the connection of somebody, who waits on another thread under a ticket.
  case wanted(person: UInt16, thread: Int, ticket: UInt64)
  /// The answer to `wanted`: the person, or nil if the old connection had ended already.
  case made(PersonRecord?, ticket: UInt64)
  /// Somebody is nobody any more, and why: the thread is to end the connection.
  case removed(person: UInt16, EndCause)
  /// The host gave somebody another name.
  case renamed(Person)
}

/// The letters between the network threads.
final class HandOverBox: Sendable {
  /// By thread.
  private let letters: Mutex<[[HandOver]]>

  init(networkThreads: Int) {
    letters = Mutex(Array(repeating: [], count: networkThreads))
  }

  /// Puts a letter there for a thread, which reads it at the next tick.
  func put(_ letter: HandOver, for thread: Int) {
    letters.withLock { $0[thread].append(letter) }
  }

  /// All letters for a thread, in order.
  func take(for thread: Int) -> [HandOver] {
    letters.withLock { letters in
      defer { letters[thread] = [] }
      return letters[thread]
    }
  }
}

/// Sessions of a network thread that said hello for a person who is still on another thread. Each
/// waits under a ticket, until that thread answers.
struct WaitingSessions {
  /// Who waits; without a session once that has ended, because the answer is still to come.
  private struct Entry {
    var session: Session?
    let address: ClientAddress
  }

  private var entries: [UInt64: Entry] = [:]
  private var tickets: UInt64 = 0

  /// Whether no answer is still to come.
  var isEmpty: Bool { entries.isEmpty }

  /// From now on the session waits.
  /// - Returns: the ticket under which the answer is to come.
  mutating func add(_ session: Session, _ hello: Hello) -> UInt64 {
    assert(session.waits == nil && session.person == nil)
    tickets += 1
    session.waits = (hello, tickets)
    entries[tickets] = Entry(session: session, address: session.connection.clientAddress)
    return tickets
  }

  /// The session has ended, if it was one that waited.
  mutating func remove(_ session: Session) {
    guard let ticket = session.waits?.ticket else { return }
    entries[ticket]!.session = nil
    session.waits = nil
  }

  /// The answer for a ticket has come.
  /// - Returns: who waited with which hello, unless that session has ended, and from where it came.
  mutating func take(_ ticket: UInt64) -> (waiter: (Session, Hello)?, address: ClientAddress) {
    let entry = entries.removeValue(forKey: ticket)!
    guard let session = entry.session, let hello = session.waits?.hello else {
      return (nil, entry.address)
    }
    session.waits = nil
    return ((session, hello), entry.address)
  }
}
