import DequeModule
import Transport
import Wire

/// One connection's side of the conversation. Only the network thread that has the connection
/// touches it.
final class Session {
  /// It refers to this session too, until it ends.
  let connection: any Connection
  /// Where it stands in the hub's array; the hub keeps it.
  var index = 0
  /// Nil until the hello, and again when the session is over.
  var person: PersonRecord?
  /// The server has closed it; the peer's answer is still out.
  var isOver = false
  /// Its hello, while another thread hands its person over; `WaitingSessions` keeps it.
  var waits: (hello: Hello, ticket: UInt64)?
  private var rates: RateControl

  /// Where it stands in the hub's audience; the audience keeps both.
  unowned(unsafe) var group: SessionGroup?
  var place = 0
  /// What it has of its stream; nil for nothing that a frame could build on. Not kept up to date
  /// while it stands with others: then its group's position says it.
  private(set) var position: StreamPosition?
  /// Where it stands in the log, if that is what it asked for instead of the state stream. The
  /// position in it is not kept up to date while it stands in a group of its turn: then the group's
  /// tick says it.
  var follower: Follower?
  /// When it may be given another snapshot.
  var snapshots = SnapshotBudget()
  /// It is to be told of another world, before anything else of it.
  var owesWelcome = false
  /// What it is owed, so that each list of the hub has it once; `Debtors` keeps it.
  var debts: Debtors.Debt = []
  /// What there is to tell this session alone.
  var news: NoticeCode?
  /// The turn of a late network thread in which it got a frame for its place.
  var turnServed = 0
  /// Frames for it alone are not tried before; monotonic nanoseconds.
  private(set) var nextTry: UInt64 = 0

  /// When it began to owe a hello, then when it took its last frame, or was held back, in awake
  /// nanoseconds.
  private(set) var lastSign: UInt64

  var budget: SessionBudget
  /// Where its inputs stand that the tick thread has not taken yet.
  var posted = PostedInputs()
  /// What its commands are meant for, and what became of them.
  var commands = SessionCommands()
  /// Decodes and compares what it is sent, where frames are checked.
  private(set) var witness: FrameWitness?
  /// Messages that its pipe had no room for, the oldest first.
  private var mail: Deque<OutgoingFrame> = []
  var hasMail: Bool { !mail.isEmpty }

  /// - Parameter awake: awake nanoseconds now.
  init(connection: any Connection, limits: Limits, offer: StreamOffer, awake: UInt64) {
    self.connection = connection
    rates = RateControl(offer: offer)
    lastSign = awake
    budget = SessionBudget(limits)
  }

  /// It said hello, and is a person's from now on.
  /// - Parameter position: the tick from which the log goes on for it, if it has a world.
  func greeted(
    _ person: PersonRecord, hello: Hello, at position: UInt32?, checksFrames: Bool,
    awake: UInt64
  ) {
    self.person = person
    commands = SessionCommands(after: person.commands)
    witness = checksFrames ? FrameWitness() : nil
    ask(for: StreamKey(rate: hello.rate, profile: hello.profile))
    if hello.stream == .replica {
      follower = Follower(turn: .of(person.id, at: hello.rate), position: position)
    }
    lastSign = awake
  }

  /// Another world has begun: what the session has of the one before is worth nothing any more.
  /// - Returns: what became of the rate; nil for nothing.
  func beginAnew(_ offer: StreamOffer) -> RateControl.Change? {
    let change = note(rates.change(offer))
    position = nil
    nextTry = 0
    if let follower { self.follower = Follower(turn: follower.turn, position: nil) }
    snapshots = SnapshotBudget()
    if witness != nil { witness = FrameWitness() }
    mail.removeAll()
    owesWelcome = true
    return change
  }

  /// The person as a welcome on this connection tells of it: with the commands that were counted
  /// before this connection.
  var welcomed: PersonRecord {
    var person = self.person!
    person.commands = commands.stampBefore
    return person
  }

  /// It has the world after a tick.
  /// - Parameter awake: awake nanoseconds.
  func followed(to tick: UInt32, awake: UInt64) {
    follower?.followed(to: tick)
    followed(awake: awake)
  }

  /// It takes what it is sent of the log.
  /// - Parameter awake: awake nanoseconds.
  func followed(awake: UInt64) { lastSign = awake }

  /// It waits for a snapshot because of what others were sent. Then it is not its client's fault to
  /// have taken nothing, unless that took nothing either when it was last sent something, whatever
  /// that was.
  /// - Parameter awake: awake nanoseconds.
  func wasHeldBack(awake: UInt64) {
    if follower?.takesNothing == false { lastSign = awake }
  }

  /// From now on it gets the stream, or the nearest one that is offered, from a keyframe on.
  /// - Returns: whether it is the one that it had, and what became of the rate; nil for nothing.
  @discardableResult
  func ask(for wanted: StreamKey) -> (isSame: Bool, change: RateControl.Change?) {
    let before = stream
    let change = note(rates.ask(for: wanted))
    position = nil
    nextTry = 0
    return (stream == before, change)
  }

  /// From now on it gets a kind of stream, from the beginning: a keyframe, or a snapshot.
  /// - Returns: whether it is the one that it had, and what became of the rate; nil for nothing.
  func take(
    _ kind: StreamKind, _ wanted: StreamKey
  ) -> (isSame: Bool, change: RateControl.Change?) {
    guard kind == .replica else {
      let isNew = follower != nil
      follower = nil
      let (isSame, change) = ask(for: wanted)
      return (isSame && !isNew, change)
    }
    let turn = FollowerTurn.of(person!.id, at: wanted.rate)
    guard let before = follower?.turn else {
      // All of the log is sent at the rate that was asked for: it is slowed down no longer.
      let (_, change) = ask(for: wanted)
      follower = Follower(turn: turn, position: nil)
      return (false, change)
    }
    follower!.turn = turn
    if turn == before { follower!.wantsSnapshot = true }
    return (turn == before, nil)
  }

  /// The stamp of the next command; 0 is the server's own, see `HandLimits`.
  func nextStamp() -> UInt32 {
    person!.commands = person!.commands.nextCommand
    return person!.commands
  }

  // MARK: The stream

  /// What the client gets: what it asked for, or a slower one for a while.
  var stream: StreamKey { rates.stream }

  /// What a session gets of one tick.
  enum Delivery {
    /// Nothing, and nothing is missing: nothing happened.
    case nothing
    /// Nothing: what it needs is not there yet.
    case wait
    case frame(OutgoingFrame, Kind, leadingTo: StreamPosition)

    enum Kind { case own, catchUp, keyframe }
  }

  /// Chooses what leads on from where it is.
  func delivery(from edition: Edition, at tick: UInt32) -> Delivery {
    guard edition.isOpen else { return .wait }
    if let position {
      if position.isInStep, position.tick == edition.base {
        guard edition.hasOwn else { return .nothing }
        return .frame(edition.own, .own, leadingTo: StreamPosition(tick: tick, isInStep: true))
      }
      markOutOfStep()
      if let catchUp = edition.catchUp(from: self.position!) {
        return .frame(catchUp.frame, .catchUp, leadingTo: catchUp.to)
      }
      if position.tick.ticks(since: edition.oldest) < 0 { self.position = nil }
      return .wait
    }
    guard let next = edition.keyframePosition else { return .wait }
    return .frame(edition.keyframe, .keyframe, leadingTo: next)
  }

  /// It stood with others until now, and missed a frame.
  func fellBehind(at place: StreamPosition) {
    position = place
    markOutOfStep()
  }

  /// Nothing leads on from where it is: it needs a keyframe.
  func lostItsPlace() { position = nil }

  /// It stands behind the others of its stream, and missed its next frame.
  func markOutOfStep() {
    position?.isInStep = false
  }

  /// Notes what it needs encoded for the next frame, if now is the time to try.
  /// - Parameter now: monotonic nanoseconds.
  func addDemand(to demand: inout StreamDemand, at now: UInt64) {
    guard follower == nil else { return }
    demand.isWanted = true
    guard now >= nextTry else { return }
    guard let position else {
      demand.wantsKeyframe = true
      return
    }
    if !position.isInStep { demand.add(position) }
  }

  // MARK: Backpressure

  /// A frame for it alone that found the pipe full is tried again after a tenth of a second: it is
  /// encoded anew each time.
  static let retry: UInt64 = 100_000_000

  /// The pipe was full: the session stays where it is, perhaps at a lower rate.
  /// - Parameter now: monotonic nanoseconds.
  /// - Returns: what became of the rate; nil for nothing.
  func blocked(_ kind: Delivery.Kind, at now: UInt64) -> RateControl.Change? {
    markOutOfStep()
    if kind != .own { nextTry = now + Self.retry }
    return note(rates.blocked(at: now))
  }

  /// A frame was written.
  /// - Parameters:
  ///   - now: monotonic nanoseconds.
  ///   - awake: awake nanoseconds.
  /// - Returns: what became of the rate; nil for nothing.
  func wrote(
    leadingTo next: StreamPosition, at now: UInt64, awake: UInt64
  ) -> RateControl.Change? {
    position = next
    return keepsUp(at: now, awake: awake)
  }

  /// It takes what it is sent.
  /// - Parameters:
  ///   - now: monotonic nanoseconds.
  ///   - awake: awake nanoseconds.
  /// - Returns: what became of the rate; nil for nothing.
  func keepsUp(at now: UInt64, awake: UInt64) -> RateControl.Change? {
    lastSign = awake
    return note(rates.wrote(at: now))
  }

  /// Another rate is another stream: it begins with a keyframe.
  private func note(_ change: RateControl.Change?) -> RateControl.Change? {
    guard let change else { return nil }
    position = nil
    switch change {
    case .slower: news = .slowedDown
    case .full: news = .fullSpeed
    case .faster: break
    }
    return change
  }

  // MARK: Mail

  /// Sends a message that is no frame, unless its pipe has no room for it now.
  /// - Returns: whether the pipe took it.
  func tell(_ message: OutgoingFrame) -> Bool {
    guard connection.send(message) == .sent else { return false }
    follower?.tookMessage()
    return true
  }

  /// Messages that wait for room in the pipe: a second's worth of receipts.
  private static let mostMail = 64

  /// Sends a message that is no frame, after those that wait. When too many do, the oldest is
  /// forgotten.
  /// - Returns: whether all messages are still there.
  func post(_ message: OutgoingFrame) -> Bool {
    if mail.isEmpty, tell(message) { return true }
    let isFull = mail.count == Self.mostMail
    if isFull { mail.removeFirst() }
    mail.append(message)
    return !isFull
  }

  /// Sends what waits, as far as the pipe takes it. Frames go first: no mail ever holds one up.
  func sendMail() {
    while let message = mail.first, tell(message) { mail.removeFirst() }
  }
}

extension Session {
  /// Why it is to be ended now, and what its close frame says: its client never said hello, or
  /// takes nothing any more. Nil for neither.
  /// - Parameter awake: awake nanoseconds.
  func overdue(_ limits: Limits, awake: UInt64) -> (cause: EndCause, reason: String)? {
    let silence = awake - lastSign
    func exceeds(_ seconds: Int) -> Bool { silence > UInt64(seconds) * 1_000_000_000 }
    if person == nil {
      guard exceeds(limits.helloSeconds) else { return nil }
      return (.noHello, "no hello within \(limits.helloSeconds) s")
    }
    guard exceeds(limits.stalledSeconds) else { return nil }
    return (.stalling, "took no frame for \(limits.stalledSeconds) s")
  }
}
