import Simulation
import Wire

/// Plays what a client is sent of one world: frames of states, or the log of a world that runs
/// here. Times are milliseconds of the client's clock.
final class WorldPlayer {
  let kind: StreamKind
  /// What to do about frames that were refused.
  var recovery = StreamRecovery()
  /// When the last frame, snapshot or record came; nil before the first.
  private(set) var lastFrame: Double?

  private let playback = Playback()
  /// The world that runs here; nil with the state stream.
  private let follower: PredictedPlayback?
  private var instances: [StickerInstance] = []

  /// - Parameters:
  ///   - kept: the world of the connection before, which the log leads on.
  ///   - commands: the number of this client's last command so far.
  init(
    _ kind: StreamKind, person: UInt16, kept: KeptWorld?, after commands: UInt32, now: Double
  ) {
    self.kind = kind
    follower = kind == .replica ? PredictedPlayback(person: person) : nil
    if let kept, let follower {
      follower.begin(kept.replica, after: commands, now: now)
      lastFrame = now
    }
  }

  /// Whether there is something to show.
  var hasWorld: Bool { lastFrame != nil }

  /// The last tick that is known for certain.
  var tick: UInt32 {
    follower.map { $0.prediction?.replica.pit.tick ?? 0 } ?? playback.decoder.world.tick
  }

  /// The gravity of what is shown: a vector of length ≤ 1 for the scene's full magnitude.
  var gravity: QuantizedGravity {
    follower.map { $0.prediction?.pit.gravity ?? .down } ?? playback.decoder.world.gravity
  }

  /// Hashes of the log that were compared and equal.
  var hashesMatched: Int { follower?.prediction?.replica.hashesMatched ?? 0 }

  /// Whether this device can't run the world in time.
  var isTooMuch: Bool { follower?.budget.isTooMuch == true }

  /// Milliseconds from question to answer, of the last question for the clock; 0 before.
  var roundTrip: Double { (follower?.clock ?? playback.clock).roundTrip }

  /// The world to keep for the next connection.
  var kept: KeptWorld? { follower.flatMap { KeptWorld($0, at: lastFrame) } }

  // MARK: What comes

  /// Takes a frame of the state stream in; those that were on their way when the log was asked for
  /// mean nothing any more.
  func receive(frame: UnsafeRawBufferPointer, at time: Double) throws(WireError) {
    guard kind == .state else { return }
    do throws(WireError) { try playback.receive(frame, now: time) } catch {
      recovery.refused(now: time)
      throw error
    }
    recovery.taken()
    lastFrame = time
  }

  /// Takes the message of a snapshot in.
  func receive(
    snapshot: UnsafeRawBufferPointer, after commands: UInt32, at time: Double
  ) throws(ReplicaError) {
    guard let follower else { return }
    do throws(ReplicaError) {
      try follower.begin(Array(snapshot.dropFirst()), after: commands, now: time)
    } catch {
      recovery.refused(now: time)
      throw error
    }
    recovery.taken()
    lastFrame = time
  }

  /// Takes records in. Before a snapshot they lead nothing on.
  func receive(
    records: UnsafeRawBufferPointer, at time: Double, onEvent: (WireEvent, UInt32) -> Void
  ) throws(ReplicaError) {
    guard let follower, follower.prediction != nil else { return }
    do throws(ReplicaError) {
      try follower.receive(records, now: time, onEvent: onEvent)
    } catch {
      recovery.refused(now: time)
      throw error
    }
    lastFrame = time
  }

  func receive(_ echo: ClockEcho, at time: Double) {
    let sent = ClockStamp.time(of: echo.stamp, now: time)
    playback.receive(echo, sent: sent, now: time)
    follower?.receive(echo, sent: sent, now: time)
  }

  /// The server left a command out, as a receipt said: it is foretold no longer.
  func leaveOut(_ sequence: UInt32) { follower?.leaveOut(sequence) }

  /// The server took a tilt in another tick than it was meant for.
  func receive(_ late: LateTilt, at time: Double) { follower?.receive(late, now: time) }

  // MARK: What this client does

  /// Each gives the tick to send the message with; nil where nothing is foretold.
  func act(_ command: Command) -> UInt32? { follower?.act(command) }
  func say() -> UInt32? { follower?.say() }
  func tilt(x: Int16, y: Int16) -> UInt32? { follower?.tilt(x: x, y: y) }

  /// The generation of the newest sticker in a slot; nil without one.
  func generation(ofSlot slot: UInt16) -> UInt16? {
    if let follower { return follower.generation(ofSlot: slot) }
    let world = playback.decoder.world
    return world.index(ofSlot: slot).map { world.bodies[$0].generation }
  }

  // MARK: The picture

  /// Makes `picture` that of a moment.
  func sample(into picture: inout PitPicture, now: Double) {
    let scenery: PictureScenery
    if let follower {
      follower.sample(now: now, into: &instances)
      scenery = follower.scenery
    } else {
      playback.sample(now: now, into: &instances)
      scenery = playback.scenery
    }
    picture.stickers = instances.map { Sticker($0) }
    picture.boundaries = scenery.boundaries.map { PitLine($0) }
    picture.rods = scenery.rods.map { PitLine($0) }
    picture.tick = tick
  }

  /// Tells what the calls since the last one took, by which the world is run less far ahead on a
  /// device that is slow.
  func spent(_ milliseconds: Double, now: Double) { follower?.spent(milliseconds, now: now) }
}
