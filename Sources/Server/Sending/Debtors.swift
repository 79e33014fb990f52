import Transport
import Wire

/// Sessions that are owed one kind of message, each of them once, until their pipes have taken it.
/// Whoever ended meanwhile is written nothing, and let go at the next call of `pay`.
struct Debtors {
  /// What a session may be owed.
  struct Debt: OptionSet {
    let rawValue: UInt8

    static let people = Debt(rawValue: 1)
    static let host = Debt(rawValue: 2)
    static let name = Debt(rawValue: 4)
    static let news = Debt(rawValue: 8)
    static let tilt = Debt(rawValue: 16)
    static let tilts = Debt(rawValue: 32)
  }

  private let debt: Debt
  private(set) var sessions: [Session] = []
  var isEmpty: Bool { sessions.isEmpty }

  init(_ debt: Debt) { self.debt = debt }

  /// From now on it is owed the message; once, however often this is called.
  mutating func add(_ session: Session) {
    guard session.debts.insert(debt).inserted else { return }
    sessions.append(session)
  }

  /// From now on all of these are owed the message who said hello.
  mutating func addAll(_ sessions: [Session]) {
    for session in sessions where session.person != nil { add(session) }
  }

  /// Tells those who are owed it a message that is the same for all of them.
  mutating func tell(_ message: @autoclosure () -> ServerMessage) {
    guard !sessions.isEmpty else { return }
    let frame = OutgoingFrame(message())
    pay { $0.connection.send(frame) == .sent }
  }

  /// Tells those who are owed the message.
  /// - Parameter tell: whether a session's pipe took it.
  mutating func pay(_ tell: (Session) -> Bool) {
    guard !sessions.isEmpty else { return }
    let debt = self.debt
    sessions.removeAll { session in
      guard session.person == nil || tell(session) else { return false }
      session.debts.remove(debt)
      return true
    }
  }
}
