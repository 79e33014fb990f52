import Simulation
import Wire

/// What a person does. Each command returns whether it was sent: not without a welcome, not by who
/// only watches, and not about a sticker that is gone. The server takes 20 drops, throws, grabs,
/// releases and snaps a second of a connection, 40 at once, and 2 sentences; it ends a connection
/// that sends more, which no fingers do.
///
/// Places are in points of the world; one outside is moved inside. Velocities are in points a
/// second, 32 767 at most each way. What is no number counts as 0.
extension PitClient {
  /// Drops a new sticker.
  /// - Parameters:
  ///   - kind: which one, 0…15; see `Sticker.kind`. Of a larger number the lowest four bits count.
  ///   - point: its middle.
  @discardableResult
  public func drop(kind: Int, at point: PitVector) -> Bool {
    let kind = UInt8(truncatingIfNeeded: kind) & (WireLimits.kinds - 1)
    let (x, y) = steps(point)
    return act(.drop(kind: kind, x: x, y: y))
  }

  /// Throws the sticker under a point, or, in the pit, a new one from there.
  @discardableResult
  public func throwSticker(from point: PitVector, velocity: PitVector) -> Bool {
    let (x, y) = steps(point)
    return act(
      .throwSticker(
        x: x, y: y, velocityX: Fixed.int16(velocity.x), velocityY: Fixed.int16(velocity.y)))
  }

  /// Takes hold of a sticker where a finger touches it, which is at most 160 pt outside of it. The
  /// server gives each person three stickers, and each sticker one holder: who is refused finds
  /// `grabRefused` among what happened. Whoever holds one sees it in `Sticker.holder`.
  @discardableResult
  public func grab(_ id: Sticker.ID, at point: PitVector) -> Bool {
    guard let (slot, generation) = body(id) else { return false }
    let (x, y) = steps(point)
    return act(.grab(slot: slot, generation: generation, x: x, y: y))
  }

  /// Moves the finger that holds a sticker. The next picture sends it, 60 times a second at most;
  /// the sticker follows at 3600 pt/s at most.
  @discardableResult
  public func move(_ id: Sticker.ID, to point: PitVector) -> Bool {
    guard canAct, let slot = slot(id) else { return false }
    movePace.note(slot, at: point)
    return true
  }

  /// Lets a sticker go with the finger's velocity.
  @discardableResult
  public func release(_ id: Sticker.ID, velocity: PitVector) -> Bool {
    guard canAct, let slot = slot(id) else { return false }
    if let point = movePace.take(slot) { sendMove(slot, to: point) }
    return act(
      .release(
        slot: slot, velocityX: Fixed.int16(velocity.x), velocityY: Fixed.int16(velocity.y)))
  }

  /// Has a sticker fly to a point, where it is upright and free again.
  @discardableResult
  public func snap(_ id: Sticker.ID, to point: PitVector) -> Bool {
    guard let (slot, generation) = body(id) else { return false }
    let (x, y) = steps(point)
    return act(.snap(slot: slot, generation: generation, x: x, y: y))
  }

  /// Says something, in which the server looks for its keywords; nobody else hears it.
  /// - Parameter text: 1 to 64 bytes in UTF-8.
  /// - Throws: `WireError.outOfRange(.words)` for a text that is empty or longer.
  @discardableResult
  public func say(_ text: String) throws(WireError) -> Bool {
    let words = try Words(text)
    guard canAct else { return false }
    lastCommand = lastCommand.nextCommand
    send(.say(words), aimed: player?.say())
    return true
  }

  // MARK: Sending

  /// Sends the tilt, if there is one and it is time.
  func sendTilt(_ now: Double) {
    guard let tilt, canAct, tiltPace.isDue(tilt, now: now) else { return }
    let scale = QuantizedGravity.unit / max(1, tilt.length)
    let (x, y) = (Fixed.int16(tilt.x * scale), Fixed.int16(tilt.y * scale))
    send(.tilt(x: x, y: y), aimed: player?.tilt(x: x, y: y))
  }

  /// Sends the moves of all hands, if it is time.
  func sendMoves(_ now: Double) {
    guard canAct else { return }
    for (slot, point) in movePace.take(now: now) { sendMove(slot, to: point) }
  }

  private func sendMove(_ slot: UInt16, to point: PitVector) {
    let (x, y) = steps(point)
    act(.move(slot: slot, x: x, y: y))
  }

  /// Sends a command, which is foretold in its tick where the world runs here.
  @discardableResult
  private func act(_ command: Command) -> Bool {
    guard canAct, let message = ClientMessage(command) else { return false }
    lastCommand = lastCommand.nextCommand
    send(message, aimed: player?.act(command))
    return true
  }

  private func send(_ message: ClientMessage, aimed tick: UInt32?) {
    send(tick.map { .aimed(at: $0, message: message) } ?? message)
  }

  /// Sends any message.
  func send(_ message: ClientMessage) {
    var bytes: [UInt8] = []
    message.encode(into: &bytes)
    assert(bytes.count <= WireLimits.clientMessageBytes)
    link?.send(bytes)
  }

  /// Who is welcomed may act; who only watches has no hands.
  private var canAct: Bool { isOnline && !wishes.isWatching }

  private func slot(_ id: Sticker.ID) -> UInt16? {
    (0..<WireLimits.bodies).contains(id) ? UInt16(id) : nil
  }

  private func body(_ id: Sticker.ID) -> (slot: UInt16, generation: UInt16)? {
    guard let slot = slot(id) else { return nil }
    return player?.generation(ofSlot: slot).map { (slot, $0) }
  }

  /// A place in the steps in which commands name it.
  private func steps(_ point: PitVector) -> (x: Int16, y: Int16) {
    let scale = PointScale(
      worldWidth: Int32(welcome?.worldWidth ?? 0), worldHeight: Int32(welcome?.worldHeight ?? 0))
    let steps = Float(scale.stepsPerPoint)
    return (Fixed.int16(point.x * steps), Fixed.int16(point.y * steps))
  }
}
