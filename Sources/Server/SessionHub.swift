import Foundation
import Simulation
import Transport
import Wire

/// The network thread's half of the server: sessions in, frames out.
///
/// Sendable only so that it can be handed to that thread: every method is called there, so nothing
/// here needs a lock.
final class SessionHub: ListenerDelegate, @unchecked Sendable {
  let exchange: Exchange
  let limits: Limits
  private let clock: () -> UInt64
  let world: WorldDescription
  let keywords: KeywordList
  private var people: People

  private var sessions: [Session] = []
  /// What is asked of the tick thread, by `StreamKey.index`, and room to ask anew.
  private(set) var demand = StreamKey.all.map { _ in StreamDemand() }
  private var wanted = StreamKey.all.map { _ in StreamDemand() }
  private var publications: [Publication] = []
  /// The latest publication's tick: the hub's own measure of time.
  private(set) var tick: UInt32 = 0
  private var deadline: UInt64 = 0
  private var peopleChanged = false
  /// The tick of the next look at who is overdue and what there is to tell.
  private var nextLook: UInt32 = 0
  /// Hellos so far, for the order of the people.
  private var joined = 0
  private var addresses: AddressLimits
  private var worldBucket: TokenBucket
  private(set) var traffic = Traffic()

  /// - Parameters:
  ///   - world: what a welcome tells of the world.
  ///   - keywords: the words that mean something to the world.
  ///   - clock: monotonic nanoseconds, the same as the tick thread's.
  init(
    exchange: Exchange, limits: Limits, world: WorldDescription, keywords: KeywordList,
    people: People, clock: @escaping () -> UInt64
  ) {
    self.keywords = keywords
    self.exchange = exchange
    self.limits = limits
    self.world = world
    self.people = people
    self.clock = clock
    addresses = AddressLimits(limits)
    worldBucket = TokenBucket(perSecond: limits.worldsPerSecond, tick: 0)
  }

  // MARK: Connections

  func connectionOpened(_ connection: any Connection) {
    let session = Session(connection: connection, limits: limits, tick: tick)
    session.index = sessions.count
    sessions.append(session)
    connection.session = session
  }

  func connectionClosed(_ connection: any Connection) {
    guard let session = connection.session as? Session else { return }
    connection.session = nil
    let last = sessions.removeLast()
    if last !== session {
      sessions[session.index] = last
      last.index = session.index
    }
    depart(session)
  }

  /// Parts with a session: for the pit it is over now, the connection ends when the peer answers.
  private func end(_ session: Session, _ code: CloseCode, _ reason: String) {
    depart(session)
    session.isOver = true
    session.connection.close(code, reason: reason)
  }

  private func depart(_ session: Session) {
    guard session.participant != nil else { return }
    leave(session)
    let participant = session.participant!
    session.participant = nil
    people.left(participant, expires: tick &+ UInt32(limits.resumeSeconds) * 60)
    peopleChanged = true
    updateDemand()
  }

  func connection(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {
    guard let session = connection.session as? Session, !session.isOver else { return }
    do throws(WireError) {
      handle(try ClientMessage.decode(bytes), from: session)
    } catch .otherVersion(let version) {
      end(
        session, .unsupportedVersion,
        "client speaks version \(version), server \(WireVersion.current)")
    } catch {
      end(session, .protocolError, "malformed message")
    }
  }

  private func handle(_ message: ClientMessage, from session: Session) {
    if let limit = session.limitBroken(by: message, at: tick) {
      return end(session, .policy, limit)
    }
    if case .hello(let hello) = message { return greet(session, hello) }
    guard let participant = session.participant else {
      return end(session, .policy, "say hello first")
    }
    switch message {
    case .hello, .stream: break
    case .tilt(let x, let y): exchange.post(.tilt(client: participant.id, x: x, y: y))
    case .drop(let kind, let x, let y): post(.drop(kind: kind, x: x, y: y), from: session)
    case .throwSticker(let x, let y, let velocityX, let velocityY):
      post(.throwSticker(x: x, y: y, velocityX: velocityX, velocityY: velocityY), from: session)
    case .clock(let stamp): answerClock(stamp, session)
    case .grab(let slot, let generation, let x, let y):
      post(.grab(slot: slot, generation: generation, x: x, y: y), from: session)
    case .move(let slot, let x, let y): postMove(slot, x, y, from: session)
    case .release(let slot, let velocityX, let velocityY):
      post(.release(slot: slot, velocityX: velocityX, velocityY: velocityY), from: session)
    case .snap(let slot, let generation, let x, let y):
      post(.snap(slot: slot, generation: generation, x: x, y: y), from: session)
    case .say(let words):
      // What else was said ends here: nobody is shown another's words.
      if let keyword = keywords.sticker(in: words.text) {
        post(.say(keyword: keyword), from: session)
      }
    }
  }

  /// Moves have their own allowance, and the tick thread keeps a finger's last one only.
  private func postMove(_ slot: UInt16, _ x: Int16, _ y: Int16, from session: Session) {
    let move = Command.move(slot: slot, x: x, y: y)
    exchange.post(
      .command(
        StampedCommand(
          client: session.participant!.id, sequence: session.nextSequence(), command: move)))
  }

  /// Whatever the session's person holds is free.
  private func leave(_ session: Session) {
    let sequence = session.nextSequence()
    exchange.post(.left(client: session.participant!.id, sequence: sequence))
  }

  private func post(_ command: Command, from session: Session) {
    let sequence = session.nextSequence()
    guard addresses.mayCommand(session.connection.remoteAddress, at: tick) else {
      traffic.refusedCommands += 1
      return
    }
    exchange.post(
      .command(
        StampedCommand(client: session.participant!.id, sequence: sequence, command: command)))
  }

  private func answerClock(_ stamp: UInt32, _ session: Session) {
    let now = clock()
    let microseconds = UInt32(clamping: (now - min(deadline, now)) / 1000)
    let echo = ClockEcho(stamp: stamp, tick: tick, microseconds: microseconds)
    // A question that meets a full pipe stays unanswered; the client asks again within a second.
    _ = session.connection.send(frame(.clockEcho(echo)))
  }

  // MARK: Hello

  private func greet(_ session: Session, _ hello: Hello) {
    guard session.participant == nil else {
      return end(session, .protocolError, "hello said twice")
    }
    guard hello.stream == .state else {
      return end(session, .unsupportedStream, "replica stream not offered: use state")
    }
    let returning = takeOver(hello.resumeToken)
    guard let participant = returning ?? people.admit(token: hello.resumeToken, tick: tick) else {
      return end(session, .tryAgainLater, "the pit is full")
    }
    joined += 1
    session.greeted(participant, hello: hello, joined: joined)
    let welcome = frame(.welcome(world.welcome(for: participant, tick: tick)))
    guard session.connection.send(welcome) == .sent else {
      return end(session, .tryAgainLater, "too slow for a welcome")
    }
    if participant.token == hello.resumeToken { session.news = .resumed }
    peopleChanged = true
    updateDemand()
  }

  /// A phone whose network changed comes back before its old connection is known to be dead: the
  /// token is worth more than the connection.
  private func takeOver(_ token: SessionToken?) -> Participant? {
    guard let token, let old = sessions.first(where: { $0.participant?.token == token }) else {
      return nil
    }
    // The page that comes back starts with empty hands.
    leave(old)
    let participant = old.participant
    old.participant = nil
    end(old, .continuedElsewhere, "continued on another connection")
    return participant
  }

  // MARK: Fan-out

  /// The tick thread published.
  func woken() {
    exchange.exchange(&publications)
    for publication in publications { fanOut(publication) }
    // Four looks a second are enough for what nobody waits for.
    if Int32(bitPattern: tick &- nextLook) >= 0 {
      nextLook = tick &+ 15
      endOverdue()
      tellPeople()
      tellNews()
    }
    updateDemand()
  }

  /// Writes one tick's frames: this loop is the server's hot path.
  private func fanOut(_ publication: Publication) {
    tick = publication.tick
    deadline = publication.deadline
    for session in sessions where session.participant != nil && session.rate.isDue(at: tick) {
      let edition = publication.editions[session.stream.index]
      switch session.delivery(from: edition, at: tick) {
      case .nothing: break
      case .wait: traffic.skipped += session.position == nil ? 0 : 1
      case .frame(let frame, let kind, let next): write(frame, kind, next, to: session)
      }
    }
    if !publication.events.isEmpty { tell(publication.events) }
  }

  /// Tells what happened: most to everybody, some to one. A full pipe does without.
  private func tell(_ events: [PitEvent]) {
    let common = events.filter { $0.onlyClient == nil }.map(\.told)
    if !common.isEmpty {
      let news = frame(.events(WireEvents(tick: tick, events: common)))
      for session in sessions where session.participant != nil {
        _ = session.connection.send(news)
      }
    }
    for event in events {
      guard let client = event.onlyClient,
        let session = sessions.first(where: { $0.participant?.id == client })
      else { continue }
      _ = session.connection.send(frame(.events(WireEvents(tick: tick, events: [event.told]))))
    }
  }

  private func write(
    _ frame: OutgoingFrame, _ kind: Session.Delivery.Kind, _ next: StreamPosition,
    to session: Session
  ) {
    guard session.connection.send(frame) == .sent else {
      session.blocked(kind, at: tick)
      traffic.skipped += 1
      return
    }
    session.wrote(leadingTo: next, at: tick)
    switch kind {
    case .own: traffic.frame(bytes: frame.count)
    case .catchUp: traffic.catchUp(bytes: frame.count)
    case .keyframe: traffic.keyframe(bytes: frame.count)
    }
  }

  /// Tells a session what changed for it alone, as soon as its pipe takes it.
  private func tellNews() {
    for session in sessions where session.news != nil && session.participant != nil {
      if session.connection.send(frame(.notice(.message(session.news!)))) == .sent {
        session.news = nil
      }
    }
  }

  /// Closes who never said hello, and who takes nothing any more.
  private func endOverdue() {
    let helloTicks = UInt32(limits.helloSeconds) * 60
    let stalledTicks = UInt32(limits.stalledSeconds) * 60
    for session in sessions where !session.isOver {
      if session.participant == nil {
        guard tick &- session.openedTick > helloTicks else { continue }
        end(session, .policy, "no hello within \(limits.helloSeconds) s")
      } else if tick &- session.lastWrittenTick > stalledTicks {
        end(session, .policy, "took no frame for \(limits.stalledSeconds) s")
      }
    }
  }

  /// Tells everybody who is here.
  private func tellPeople() {
    if peopleChanged {
      peopleChanged = false
      for session in sessions { session.needsPeople = true }
    }
    guard sessions.contains(where: { $0.needsPeople && $0.participant != nil }) else { return }
    let notice = frame(.notice(peopleHere()))
    for session in sessions where session.needsPeople && session.participant != nil {
      if session.connection.send(notice) == .sent { session.needsPeople = false }
    }
  }

  private func peopleHere() -> Notice {
    let here = sessions.filter { $0.participant != nil }.sorted { $0.joined > $1.joined }
    return .people(
      count: UInt16(clamping: here.count),
      listed: here.prefix(WireLimits.listedPeople).map { $0.participant!.person })
  }

  /// People who said hello.
  var peopleCount: Int { sessions.count { $0.participant != nil } }

  private func updateDemand() {
    for index in wanted.indices { wanted[index].clear() }
    for session in sessions where session.participant != nil {
      session.addDemand(to: &wanted[session.stream.index], at: tick)
    }
    guard wanted != demand else { return }
    demand = wanted
    exchange.demand(wanted)
  }

  /// Takes one from the worlds that may be told by HTTP.
  func mayAnswerWorld() -> Bool { worldBucket.take(at: tick) }

  private func frame(_ message: ServerMessage) -> OutgoingFrame {
    var bytes: [UInt8] = []
    message.encode(into: &bytes)
    return OutgoingFrame(copying: bytes)
  }
}
