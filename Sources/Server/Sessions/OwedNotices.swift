import Wire

/// Whom a network thread has yet to tell what. Only they are looked at, four times a second or at
/// each tick; so an event, a hello or the end of a session costs nothing for those whom it doesn't
/// concern.
struct OwedNotices {
  /// Who has not been told the newest list of people.
  var people = Debtors(.people)
  /// Who has not been told what the host decided.
  var host = Debtors(.host)
  /// Who has not been told whose tilt counts.
  var tilt = Debtors(.tilt)
  /// Who has not been told that the host gave its person another name.
  var name = Debtors(.name)
  /// Who has not been told what changed for it alone.
  var news = Debtors(.news)
  /// The version of the directory of which everybody here was told, or is in ``people``.
  var toldVersion: UInt64 = 0
  /// What everybody is to know of what the host decided.
  var decided = HostNotice()
  /// Whose tilt counts, as everybody here is to know.
  var tiltRule = TiltRule.everybody

  /// Whether everybody knows everything.
  var isEmpty: Bool {
    people.isEmpty && host.isEmpty && tilt.isEmpty && name.isEmpty && news.isEmpty
  }
}

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
