import Transport
import Wire

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
