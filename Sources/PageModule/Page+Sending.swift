import Simulation
import Wire

extension Page {
  /// Puts a message into the output and returns its length.
  func send(_ message: ClientMessage) -> Int32 { send(message, aimed: nil) }

  /// Sends a command of the world, foretold in its tick where the page follows the log. Who plays
  /// alone carries it out instead, and there is nobody to send the message to.
  private func act(_ command: Command) -> Int32 {
    guard let message = ClientMessage(command) else { return 0 }
    if let alone {
      alone.playback.act(command)
      return send(message)
    }
    lastCommand = lastCommand.nextCommand
    return send(message, aimed: follower?.act(command))
  }

  /// The same for a message that is meant for a tick, if there is one.
  private func send(_ message: ClientMessage, aimed tick: UInt32?) -> Int32 {
    messageBytes.removeAll(keepingCapacity: true)
    if let tick {
      message.encode(aimedAt: tick, into: &messageBytes)
    } else {
      message.encode(into: &messageBytes)
    }
    messageBytes.withUnsafeBytes { output.copy($0, at: 0) }
    return Int32(messageBytes.count)
  }

  /// A hello for `rate` frames a second (60 if there is no such rate) in a profile (0 strict, else
  /// visual) of a kind of stream (1 the log, else states; 2 more for who only watches), with the
  /// token if there is one.
  func hello(rate: Int32, profile: Int32, kind: Int32, now: Double) -> Int32 {
    self.now = now
    self.kind = Page.kind(kind & 1)
    if self.kind == .state || kept?.isWorthIt(now: now) == false || resumeToken == nil {
      kept = nil
    }
    return send(
      .hello(
        Hello(
          stream: self.kind, rate: Page.rate(rate), profile: Page.profile(profile),
          resumeToken: resumeToken, knownTick: kept?.replica.pit.tick, isWatching: kind & 2 != 0)))
  }

  /// Asks for a stream; kind, rate and profile as in a hello. With those of the stream that it has,
  /// for its beginning.
  func stream(rate: Int32, profile: Int32, kind: Int32) -> Int32 {
    change(to: Page.kind(kind))
    return send(
      .stream(kind: self.kind, rate: Page.rate(rate), profile: Page.profile(profile)))
  }

  private static func kind(_ kind: Int32) -> StreamKind { kind == 1 ? .replica : .state }

  private static func rate(_ rate: Int32) -> FrameRate {
    UInt8(exactly: rate).flatMap { FrameRate(rawValue: $0) } ?? .hz60
  }

  private static func profile(_ profile: Int32) -> CodecProfile {
    profile == 0 ? .strict : .visual
  }

  /// A tilt of −1…1 each way.
  func tilt(x: Float, y: Float) -> Int32 {
    let x = Page.fixed(x, QuantizedGravity.unit)
    let y = Page.fixed(y, QuantizedGravity.unit)
    if let alone {
      alone.playback.tilt(x: x, y: y)
      return send(.tilt(x: x, y: y))
    }
    return send(.tilt(x: x, y: y), aimed: follower?.tilt(x: x, y: y))
  }

  /// A drop of a kind at a point; kinds wrap at 16.
  func drop(kind: Int32, x: Float, y: Float) -> Int32 {
    let kind = UInt8(truncatingIfNeeded: kind) & (WireLimits.kinds - 1)
    let (x, y) = (point(x), point(y))
    return act(.drop(kind: kind, x: x, y: y))
  }

  /// A throw from a point with a velocity.
  func throwSticker(x: Float, y: Float, velocityX: Float, velocityY: Float) -> Int32 {
    let (x, y) = (point(x), point(y))
    let (vx, vy) = (Page.fixed(velocityX, 1), Page.fixed(velocityY, 1))
    return act(.throwSticker(x: x, y: y, velocityX: vx, velocityY: vy))
  }

  /// Takes hold of a slot at a point. A slot that the last frame doesn't have gives no message.
  func grab(slot: Int32, x: Float, y: Float) -> Int32 {
    guard let slot = Page.slot(slot), let generation = generation(ofSlot: slot) else { return 0 }
    let (x, y) = (point(x), point(y))
    return act(.grab(slot: slot, generation: generation, x: x, y: y))
  }

  /// Moves the finger that holds a slot.
  func move(slot: Int32, x: Float, y: Float) -> Int32 {
    guard let slot = Page.slot(slot) else { return 0 }
    let (x, y) = (point(x), point(y))
    return act(.move(slot: slot, x: x, y: y))
  }

  /// Lets a slot go with a velocity.
  func release(slot: Int32, velocityX: Float, velocityY: Float) -> Int32 {
    guard let slot = Page.slot(slot) else { return 0 }
    let (vx, vy) = (Page.fixed(velocityX, 1), Page.fixed(velocityY, 1))
    return act(.release(slot: slot, velocityX: vx, velocityY: vy))
  }

  /// Sends a slot to a point. A slot that the last frame doesn't have gives no message.
  func snap(slot: Int32, x: Float, y: Float) -> Int32 {
    guard let slot = Page.slot(slot), let generation = generation(ofSlot: slot) else { return 0 }
    let (x, y) = (point(x), point(y))
    return act(.snap(slot: slot, generation: generation, x: x, y: y))
  }

  /// Says the words in the first `length` bytes of the input; 0 for none, for more than 64 bytes,
  /// for what is not UTF-8, and for who plays alone: only a server knows what words mean, and
  /// `rainAlone` is for whom one has told it.
  func say(length: Int32) -> Int32 {
    guard alone == nil, length > 0, length <= input.bytes.count, length <= WireLimits.wordsBytes
    else { return 0 }
    do throws(WireError) {
      let words = try Words(utf8: Array(input.bytes[..<Int(length)]))
      lastCommand = lastCommand.nextCommand
      return send(.say(words), aimed: follower?.say())
    } catch { return 0 }
  }

  private func generation(ofSlot slot: UInt16) -> UInt16? {
    if let alone { return alone.playback.generation(ofSlot: slot) }
    if let follower { return follower.generation(ofSlot: slot) }
    let world = playback.decoder.world
    return world.index(ofSlot: slot).map { world.bodies[$0].generation }
  }

  private static func slot(_ slot: Int32) -> UInt16? {
    slot >= 0 && slot < WireLimits.bodies ? UInt16(slot) : nil
  }

  /// A question for the clock, stamped with the time in µs, the low 32 bits.
  func clock(now: Double) -> Int32 {
    send(.clock(stamp: ClockStamp.of(now)))
  }

  private static func fixed(_ value: Float, _ unit: Float) -> Int16 {
    Fixed.int16(value * unit)
  }

  private func point(_ value: Float) -> Int16 {
    Page.fixed(value, Float(pointScale.stepsPerPoint))
  }

  private var pointScale: PointScale {
    PointScale(
      worldWidth: Int32(person?.worldWidth ?? 0), worldHeight: Int32(person?.worldHeight ?? 0))
  }

  private var resumeToken: SessionToken? {
    var low: UInt64 = 0
    var high: UInt64 = 0
    for index in 0..<8 {
      low |= UInt64(token.bytes[index]) << UInt64(index * 8)
      high |= UInt64(token.bytes[index + 8]) << UInt64(index * 8)
    }
    return low | high == 0 ? nil : SessionToken(low: low, high: high)
  }
}
