import Simulation
import Wire

extension Page {
  /// Takes in the message in the first `length` bytes of the input. Returns its type byte, or a
  /// negative number: −1 no such bytes, −2 malformed, −3 unknown type, −4 a gap in the stream, −5 a
  /// frame that needs a keyframe first. After a frame that was refused, `recoveryStep` says what to
  /// do; what is shown stays.
  func receive(length: Int32, now: Double) -> Int32 {
    guard length > 0, length <= input.bytes.count else { return -1 }
    self.now = now
    let bytes = UnsafeRawBufferPointer(rebasing: input.bytes[..<Int(length)])
    do throws(WireError) {
      try take(try ServerMessage.decode(bytes), bytes, now: now)
      return Int32(bytes[0])
    } catch {
      return Page.code(of: error)
    }
  }

  private func take(
    _ message: ServerMessage, _ bytes: UnsafeRawBufferPointer, now: Double
  ) throws(WireError) {
    switch message {
    case .welcome(let welcome): take(welcome)
    case .frame: try take(frame: bytes, now: now)
    case .clockEcho(let echo):
      let sent = ClockStamp.time(of: echo.stamp, now: now)
      playback.receive(echo, sent: sent, now: now)
      follower?.receive(echo, sent: sent, now: now)
    case .notice(let notice): take(notice)
    case .events(let happened):
      for event in happened.events { take(event, at: happened.tick) }
    case .receipt(let receipt): take(receipt)
    case .lateTilt(let tilt): follower?.receive(tilt, now: now)
    case .comeBack(let milliseconds): returnDelay = milliseconds
    case .snapshot: try take(snapshot: bytes, now: now)
    case .records: try take(records: bytes, now: now)
    }
  }

  private func take(frame: UnsafeRawBufferPointer, now: Double) throws(WireError) {
    do throws(WireError) {
      try playback.receive(frame, now: now)
    } catch {
      recovery.refused(now: now)
      throw error
    }
    recovery.taken()
    lastFrame = now
  }

  /// What to do about frames that were refused: 0 nothing, 1 ask for a keyframe now, 2 connect
  /// anew.
  func recoveryStep(now: Double) -> Int32 {
    switch recovery.next(now: now) {
    case .nothing: 0
    case .ask: 1
    case .giveUp: 2
    }
  }

  private func take(_ welcome: Welcome) {
    if self.welcome == nil { lastCommand = welcome.commandsBefore } else { forgetWorld() }
    self.welcome = welcome
    (alone, lastPit) = (nil, nil)
    if kind == .replica { follow(welcome) }
    kept = nil
    write(welcome.name, at: 0)
    for index in 0..<16 { token.bytes[index] = welcome.token.byte(at: index) }
  }

  /// A second welcome on one connection: the host has begun another world. Commands are counted on.
  private func forgetWorld() {
    kept = nil
    playback = Playback()
    recovery = StreamRecovery()
    recording.removeAll()
    past = nil
    events.removeAll()
    lastFrame = nil
  }

  /// Queues what happened for the page. One that doesn't fetch its events loses the oldest.
  func take(_ event: WireEvent, at tick: UInt32) {
    let (kind, a, b) = event.numbers
    var (x, y) = (Int32(0), Int32(0))
    switch event {
    case .contactBegan(let contact), .contactEnded(let contact):
      (x, y) = (Int32(contact.x), Int32(contact.y))
    default: break
    }
    if events.count >= Page.mostEvents * 6 { events.removeFirst(6) }
    // One by one: a list of six would take memory for each event.
    events.append(Int32(kind))
    events.append(Int32(a))
    events.append(Int32(b))
    events.append(x)
    events.append(y)
    events.append(Int32(bitPattern: tick))
    assert(events.count % 6 == 0 && events.count <= Page.mostEvents * 6)
  }

  private func take(_ notice: Notice) {
    switch notice {
    case .people(let count, let listed):
      peopleCount = count
      people = listed
      for index in listed.indices { write(listed[index].name, at: index + 1) }
    case .message(let code):
      noticeCode = code.rawValue
    case .host(let notice):
      hostNotice = notice
      notice.announcement.utf8.withUnsafeBytes { announcement.copy($0, at: 0) }
    case .renamed(let person):
      welcome?.name = person.name
      welcome?.colour = person.colour
      write(person.name, at: 0)
    case .tilt(let notice):
      tiltNotice = notice
      if case .captain(let person, _) = notice {
        write(person.name, at: 1 + WireLimits.listedPeople)
      }
    case .tilts(let tilts): self.tilts = tilts
    }
  }

  func write(_ name: Name, at index: Int) {
    name.utf8.withUnsafeBytes { names.copy($0, at: index * WireLimits.nameBytes) }
  }

  private static func code(of error: WireError) -> Int32 {
    switch error {
    case .empty: -1
    case .unknownType: -3
    case .gap: -4
    case .noKeyframe: -5
    default: -2
    }
  }
}
