import Simulation
import Wire

/// What the server says.
extension PitClient {
  /// Takes a message in that came at a time in milliseconds.
  func receive(_ bytes: [UInt8], at time: Double) {
    bytes.withUnsafeBytes { message in
      if let words = Self.otherVersion(message) { return end(.otherVersion(words)) }
      do throws(WireError) {
        take(try ServerMessage.decode(message), message, at: time)
      } catch {
        lose(.malformedMessage(error), time)
      }
    }
  }

  /// What to tell about a welcome of another version: where the version stands is all that the
  /// versions have in common.
  private static func otherVersion(_ message: UnsafeRawBufferPointer) -> String? {
    guard message.count >= 3, message[0] == ServerMessageType.welcome.rawValue else { return nil }
    let version = UInt16(message[1]) | UInt16(message[2]) << 8
    guard version != WireVersion.current else { return nil }
    return "server speaks version \(version), client \(WireVersion.current)"
  }

  private func take(_ message: ServerMessage, _ bytes: UnsafeRawBufferPointer, at time: Double) {
    switch message {
    case .welcome(let welcome): take(welcome, at: time)
    case .frame: take(frame: bytes, at: time)
    case .snapshot, .records: follow(message, bytes, at: time)
    case .clockEcho(let echo): player?.receive(echo, at: time)
    case .notice(let notice): take(notice)
    case .events(let happened):
      for event in happened.events { note(event, happened.tick) }
    case .receipt(let receipt): take(receipt)
    case .lateTilt(let tilt): player?.receive(tilt, at: time)
    case .comeBack(let milliseconds): sentAway(milliseconds, time)
    }
  }

  /// A second welcome on one connection begins another world, in which commands are counted on.
  private func take(_ welcome: Welcome, at time: Double) {
    if state != .online { lastCommand = welcome.commandsBefore }
    // The same person in the same world goes on with the log; all others get the world whole.
    let leadsOn = welcome.token == token && kept?.isTime(welcome.tick) == true && !isOnline
    player = WorldPlayer(
      wishes.stream, person: welcome.clientID, kept: leadsOn ? kept : nil, after: lastCommand,
      now: time)
    kept = nil
    happenings.removeAll()
    movePace.removeAll()
    self.welcome = welcome
    token = welcome.token
    person = Person(id: welcome.clientID, colour: welcome.colour, name: welcome.name)
    if !isOnline { timers = Timers(welcomedAt: time, clockAt: time) }
    state = .online
    waits.reset()
  }

  private func take(frame: UnsafeRawBufferPointer, at time: Double) {
    do throws(WireError) {
      try player?.receive(frame: frame, at: time)
    } catch {
      lastError = .malformedFrame(error)
      recover(time)
    }
  }

  private func follow(
    _ message: ServerMessage, _ bytes: UnsafeRawBufferPointer, at time: Double
  ) {
    do throws(ReplicaError) {
      if message == .snapshot {
        try player?.receive(snapshot: bytes, after: lastCommand, at: time)
      } else {
        try player?.receive(records: bytes, at: time) { event, tick in note(event, tick) }
      }
    } catch {
      lastError = .brokenLog(error)
      recover(time)
    }
  }

  /// What was left out is foretold no longer; all else shows in the log.
  private func take(_ receipt: Receipt) {
    guard let welcome else { return }
    for command in receipt.commands where command.outcome == .leftOut {
      player?.leaveOut(welcome.commandsBefore &+ command.number)
    }
  }

  private func take(_ notice: Notice) {
    switch notice {
    case .people(let count, let listed): (peopleCount, people) = (Int(count), listed)
    case .host(let notice): host = notice
    case .renamed(let renamed): person = renamed
    case .tilt(let notice): tilting = notice
    case .tilts(let told): tilts = told
    // What a client is told of its rate shows in its picture.
    case .message: break
    }
  }

  private func note(_ event: WireEvent, _ tick: UInt32) {
    if happenings.count >= Self.mostHappenings { happenings.removeFirst() }
    happenings.append(PitHappening(tick: tick, event: event))
  }

  var isOnline: Bool { state == .online }
}
