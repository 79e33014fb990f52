import Transport
import Wire

/// What a network thread has yet to tell whom. Only those are looked at, four times a second or at
/// each tick; so an event, a hello or the end of a session costs nothing for those whom it doesn't
/// concern. What concerns everybody is owed to all of them once, when it changes; after that only
/// those are gone through who came since, or whose pipes were full. A notice is made when it is
/// sent, of what is true then.
struct OwedNotices {
  /// Who has not been told the newest list of people.
  private(set) var people = Debtors(.people)
  /// Who has not been told what the host decided.
  private(set) var host = Debtors(.host)
  /// Who has not been told whose tilt counts.
  private(set) var tilt = Debtors(.tilt)
  /// Who has not been told how people tilt now.
  private(set) var tilts = Debtors(.tilts)
  /// Who has not been told that the host gave its person another name.
  private(set) var name = Debtors(.name)
  /// Who has not been told what changed for it alone.
  private(set) var news = Debtors(.news)
  /// The version of the directory of which everybody here was told, or is in ``people``, and when
  /// to look at it again, in monotonic nanoseconds.
  private var toldVersion: (all: UInt64, byHost: UInt64) = (0, 0)
  private var nextPeople: UInt64 = 0
  /// Where people come and go all the time, the list is told everybody so seldom: with two
  /// milliseconds for each of them it is 500 messages a second, however many up to 1000 they are.
  /// A change after a calm time is told at once, as is one that the host made, whatever the pause:
  /// a name that it hid is not to be read any longer. Of other servers' changes only new names are
  /// known to be a host's: whom one removed there is listed here until the pause is over. And
  /// whoever comes hears the list at once.
  private static let peoplePauseEach: UInt64 = 2_000_000
  /// Nanoseconds that a pause takes at most. It ends with the first look after it, a quarter of a
  /// second later at most.
  private static let longestPeoplePause: UInt64 = 2_000_000_000
  /// What everybody is to know of what the host decided.
  private var decided = HostNotice()
  /// Whose tilt counts, as everybody here is to know.
  private var tiltRule = TiltRule.everybody
  /// How people tilt, as everybody here is to know, and when to look at it again, in monotonic
  /// nanoseconds.
  private var toldTilts: [PersonTilt] = []
  private var nextTilts: UInt64 = 0
  /// With more than these to tell, people and screens that only watch, tilts are told once in two
  /// seconds instead of four times a second, because each telling is a message to every one of
  /// them: it is one beside 120 frames. A dot in the bowl is then up to two seconds late, which
  /// nobody sees in such a crowd; a page moves it smoothly all the same.
  private static let crowd = 100
  /// More tilts than these are told each one and a half seconds: a dozen at each look would be
  /// 1.6 kbit/s, as much as the log of 20 phones is; so it is 0.3, and 1.9 in all.
  private static let few = 4
  private static let crowdInterval: UInt64 = 2_000_000_000

  /// Whether everybody knows everything.
  var isEmpty: Bool {
    people.isEmpty && host.isEmpty && tilt.isEmpty && tilts.isEmpty && name.isEmpty
      && news.isEmpty
  }

  // MARK: Who is owed something

  /// A session was welcomed: it is owed every notice whose state is not the usual one.
  mutating func welcomed(_ session: Session, isBack: Bool) {
    people.add(session)
    if decided != HostNotice() { host.add(session) }
    if tiltRule != .everybody { tilt.add(session) }
    if !toldTilts.isEmpty { tilts.add(session) }
    guard isBack else { return }
    session.news = .resumed
    news.add(session)
  }

  /// Something changed for a session alone: its `news`.
  mutating func addNews(of session: Session) { news.add(session) }

  /// The host gave a session's person another name.
  mutating func addName(of session: Session) { name.add(session) }

  // MARK: Telling

  /// Tells everybody who is here, on whichever thread. A hello changes that, too.
  /// - Parameter now: monotonic nanoseconds.
  mutating func tellPeople(_ sessions: [Session], _ directory: Directory, at now: UInt64) {
    let version = directory.version
    let isDue = now >= nextPeople || version.byHost != toldVersion.byHost
    if isDue, version != toldVersion {
      toldVersion = version
      nextPeople = now + Self.peoplePause(of: directory.presentCount)
      people.addAll(sessions)
    }
    people.tell(.notice(Self.people(in: directory)))
  }

  /// Nanoseconds for which the list of people is not told everybody again.
  /// - Parameter present: how many are told.
  static func peoplePause(of present: Int) -> UInt64 {
    min(UInt64(present) * peoplePauseEach, longestPeoplePause)
  }

  private static func people(in directory: Directory) -> Notice {
    let (count, newest) = directory.list()
    return .people(count: UInt16(clamping: count), listed: newest)
  }

  /// Tells everybody what the host decided.
  mutating func tellHost(_ notice: HostNotice, _ sessions: [Session]) {
    if notice != decided {
      decided = notice
      host.addAll(sessions)
    }
    host.tell(.notice(.host(notice)))
  }

  /// Tells everybody whose tilt counts.
  /// - Parameter tick: the tick of the last publication, which had the rule.
  mutating func tellTilt(
    _ rule: TiltRule, at tick: UInt32, _ sessions: [Session], _ directory: Directory
  ) {
    if rule != tiltRule {
      tiltRule = rule
      tilt.addAll(sessions)
    }
    tilt.tell(.notice(.tilt(Self.notice(of: rule, at: tick, directory))))
  }

  private static func notice(
    of rule: TiltRule, at tick: UInt32, _ directory: Directory
  ) -> TiltNotice {
    guard case .captain(let captain) = rule else { return .everybody }
    guard let captain else { return .nobody }
    return .captain(
      directory.person(captain.person),
      ticksLeft: UInt16(clamping: captain.ends.ticks(since: tick)))
  }

  /// Tells everybody how people tilt, for the dots in their bowls.
  /// - Parameters:
  ///   - now: monotonic nanoseconds.
  ///   - present: how many are told, on all threads.
  mutating func tellTilts(
    _ newest: [PersonTilt], at now: UInt64, present: Int, _ sessions: [Session]
  ) {
    if now >= nextTilts, newest != toldTilts {
      toldTilts = newest
      nextTilts = now + Self.pause(of: newest.count, present: present)
      tilts.addAll(sessions)
    }
    tilts.tell(.notice(.tilts(toldTilts)))
  }

  /// Nanoseconds until tilts are told again.
  private static func pause(of tilts: Int, present: Int) -> UInt64 {
    if present > crowd { return crowdInterval }
    return tilts > few ? 1_500_000_000 : 0
  }

  /// Tells those whom the host renamed.
  mutating func tellNames() {
    name.pay { session in
      session.tell(OutgoingFrame(.notice(.renamed(session.person!.identity))))
    }
  }

  /// Tells sessions what changed for each of them alone.
  mutating func tellNews() {
    news.pay { session in
      guard let news = session.news else { return true }
      guard session.tell(OutgoingFrame(.notice(.message(news)))) else { return false }
      session.news = nil
      return true
    }
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
    pay { $0.tell(frame) }
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

extension OutgoingFrame {
  /// A message of the server, encoded once for whomever it is sent to.
  convenience init(_ message: ServerMessage) {
    var bytes: [UInt8] = []
    message.encode(into: &bytes)
    self.init(copying: bytes)
  }
}
