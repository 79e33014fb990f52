import Synchronization
import Wire

/// What network threads say to each other when a page comes back on another one than before: a
/// phone whose network changed is back before its old connection is known to be dead, and the token
/// is worth more than that connection. And what the host, whose requests come on any thread, wants
/// of people who are on another one.
enum HandOver {
  /// The thread is to end the connection of somebody, who waits on another thread under a ticket.
  case wanted(person: UInt16, thread: Int, ticket: UInt64)
  /// The one who was asked for, for the ticket; nil when that connection had ended already.
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
