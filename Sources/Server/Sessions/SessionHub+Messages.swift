import Simulation
import Transport
import Wire

/// What clients say.
extension SessionHub {
  func connection(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {
    lookAtClock()
    guard let session = connection.session as? Session, !session.isOver else { return }
    do throws(WireError) {
      handle(try ClientMessage.decode(bytes), from: session)
    } catch .otherVersion(let version) {
      end(
        session, .otherVersion,
        "client speaks version \(version), server \(WireVersion.current)")
    } catch {
      end(session, .errors, "malformed message")
    }
  }

  private func handle(_ message: ClientMessage, from session: Session) {
    guard case .aimed(let tick, let message) = message else {
      return handle(message, at: session.commands.aimOfPlainInput(now: self.tick), from: session)
    }
    let aim = session.commands.aim(at: tick, now: self.tick)
    if aim.isClamped { traffic.refused.count(.ticksClamped) }
    handle(message, at: aim.tick, from: session)
  }

  /// Limits first, and the cheapest of them first: nothing is done for a message before.
  /// - Parameter aim: the tick that it is meant for, if it names one.
  private func handle(_ message: ClientMessage, at aim: UInt32?, from session: Session) {
    if let limit = session.budget.limitBroken(by: message, at: time.now) {
      return end(session, .limits, limit)
    }
    if case .hello(let hello) = message { return greet(session, hello) }
    guard session.person != nil else {
      // Who waits for a person from another thread has said hello, and not been welcomed yet.
      if session.waits == nil { end(session, .limits, "say hello first") }
      return
    }
    if session.person!.isWatching, message.isAimable {
      return end(session, .limits, "who only watches sends no inputs")
    }
    switch message {
    case .hello, .aimed: break
    case .tilt(let x, let y): tilt(x, y, at: aim, from: session)
    case .clock(let stamp): answerClock(stamp, session)
    case .report(let report): traffic.take(report)
    case .say(let words): hear(words, at: aim, from: session)
    case .stream(let kind, let rate, let profile):
      change(session, to: kind, StreamKey(rate: rate, profile: profile))
    case .move(let slot, let x, let y):
      carry(.move(slot: slot, x: x, y: y), at: aim, for: .move, from: session)
    case .drop(let kind, let x, let y):
      carry(.drop(kind: kind, x: x, y: y), at: aim, from: session)
    case .throwSticker(let x, let y, let velocityX, let velocityY):
      carry(
        .throwSticker(x: x, y: y, velocityX: velocityX, velocityY: velocityY), at: aim,
        from: session)
    case .grab(let slot, let generation, let x, let y):
      carry(.grab(slot: slot, generation: generation, x: x, y: y), at: aim, from: session)
    case .release(let slot, let velocityX, let velocityY):
      carry(
        .release(slot: slot, velocityX: velocityX, velocityY: velocityY), at: aim, from: session)
    case .snap(let slot, let generation, let x, let y):
      carry(.snap(slot: slot, generation: generation, x: x, y: y), at: aim, from: session)
    }
  }

  /// Whether the session's address has an allowance left.
  private func mayDo(_ purpose: AddressBudgets.Purpose, _ session: Session) -> Bool {
    if addresses.take(purpose, from: session.connection.addressPrefix, at: time.now) {
      return true
    }
    traffic.refused.count(LimitRefusal(purpose))
    return false
  }

  private func tilt(_ x: Int16, _ y: Int16, at aim: UInt32?, from session: Session) {
    guard mayDo(.tilt, session) else { return }
    lane.post(.tilt(person: session.person!.id, x: x, y: y, at: aim), &session.posted)
  }

  /// Posts a command to the tick thread. Its number counts even if it is left out.
  private func carry(
    _ command: Command, at aim: UInt32?, for purpose: AddressBudgets.Purpose = .command,
    from session: Session
  ) {
    let stamp = session.nextStamp()
    guard isLetByHost(command, session) else { return note(.leftOut, stamp, session) }
    guard mayDo(purpose, session) else { return note(.leftOut, stamp, session) }
    post(command, stamp: stamp, at: aim, from: session)
  }

  /// Whether the host lets the person give another command. A hand may open whatever happens, and
  /// moves without hold mean nothing.
  private func isLetByHost(_ command: Command, _ session: Session) -> Bool {
    switch command {
    case .move, .release, .leave: return true
    case .drop, .throwSticker, .grab, .snap, .say: break
    }
    if session.budget.mayCommand(at: time.now) { return true }
    traffic.refused.count(.commandsForHost)
    return false
  }

  /// What was said and is no keyword ends here: nobody is shown another's words.
  private func hear(_ words: Words, at aim: UInt32?, from session: Session) {
    let stamp = session.nextStamp()
    guard mayDo(.words, session) else { return note(.leftOut, stamp, session) }
    guard let keyword = keywords.sticker(in: words.text) else {
      return note(.refused, stamp, session)
    }
    guard isLetByHost(.say(keyword: keyword), session) else {
      return note(.leftOut, stamp, session)
    }
    guard addresses.takeCommand(from: session.connection.addressPrefix, at: time.now) else {
      traffic.refused.count(.commands)
      return note(.leftOut, stamp, session)
    }
    post(.say(keyword: keyword), stamp: stamp, at: aim, from: session)
  }

  /// Whoever asks for what it has could not go on with it. A world that is too large to be sent
  /// whole is told by the state stream.
  private func change(_ session: Session, to kind: StreamKind, _ stream: StreamKey) {
    let kind = kind == .replica && offersReplicas ? StreamKind.replica : .state
    let (isSame, change) = session.take(kind, stream)
    if isSame { traffic.keyframeRequests.count() }
    note(change, of: session)
    audience.begin(session)
    addDemand(of: session)
  }

  private func post(
    _ command: Command, stamp: UInt32, at aim: UInt32?, from session: Session
  ) {
    let stamped = StampedCommand(
      person: session.person!.id, sequence: stamp, command: command)
    guard !lane.post(.command(stamped, at: aim), &session.posted) else { return }
    note(.leftOut, stamp, session)
  }

  /// Notes what became of a command; the receipt follows after the next tick.
  func note(_ outcome: CommandOutcome, _ stamp: UInt32, _ session: Session) {
    if session.commands.note(outcome, ofStamp: stamp) { owed.append(session) }
  }

  private func answerClock(_ stamp: UInt32, _ session: Session) {
    guard mayDo(.clock, session) else { return }
    let microseconds = UInt32(clamping: (time.now - min(deadline, time.now)) / 1000)
    let echo = ClockEcho(stamp: stamp, tick: tick, microseconds: microseconds)
    // A question that meets a full pipe stays unanswered; the client asks again within a second.
    _ = session.tell(OutgoingFrame(.clockEcho(echo)))
  }
}
