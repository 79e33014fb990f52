/// Play: people who do anything that clients may, by chance or by a fuzzer's bytes, in a pit whose
/// streams are coded, sent over lines that stall, decoded, and compared; and whose log replicas
/// follow.
///
///     var play = try Play(scene: .pit, chance: PlayChance(seed: 7))
///     for _ in 0..<600 { if let fault = play.step() { … } }
///
/// `PlayedPerson` and `PlayedHand` are what people do, `PlayedStream` and `PlayedClient` what a
/// server and its clients make of it, `StreamTruth` how near that must be to the truth.
import Simulation
import Wire

/// One world with its people and streams.
public struct Play {
  public let scene: Scene
  private var pit: Pit
  private var world: PlayedWorld
  /// What there is besides the bodies, after the last tick.
  public private(set) var scenery = Scenery()
  private var chance: PlayChance
  private var people: [PlayedPerson] = []
  private var tilt = TiltBlend()
  private var streams: [PlayedStream] = []
  private var clients: [PlayedClient] = []
  private var log: PlayedLog
  private var replicas = [PlayedReplica(), PlayedReplica()]
  /// Every command that was given in the last tick, in the pit's order, and what became of it.
  public private(set) var commands: [StampedCommand] = []
  public private(set) var outcome: TickOutcome?

  /// A play of few bodies with all eight streams: what is looked for comes from what bodies do, not
  /// from how many there are. Throws what the pit throws.
  public init(scene: Scene, chance: PlayChance) throws(PitError) {
    var chance = chance
    self.scene = scene
    let seed = UInt64(chance.below(65_536))
    let bodies = scene.mostBodies.map { $0 < 4 ? $0 : 4 } ?? chance.from(3...14)
    let configuration = try PitConfiguration(
      scene: scene, bodies: bodies, maxBodies: Swift.max(24, bodies), seed: seed)
    pit = try Pit(configuration)
    log = PlayedLog(of: pit)
    let shape = pit.shape(profile: .strict, rate: .hz60)
    world = PlayedWorld(
      width: Int(shape.width), height: Int(shape.height),
      stepsPerPoint: Int(pit.pointScale.stepsPerPoint))
    for person in 0..<chance.from(2...5) {
      people.append(PlayedPerson(person: UInt16(person), &chance))
    }
    for profile in CodecProfile.allCases {
      for rate in FrameRate.allCases {
        streams.append(PlayedStream(pit.shape(profile: profile, rate: rate)))
      }
    }
    // One client of each stream, and some who come into the middle of what others have.
    clients = streams.indices.map { PlayedClient(stream: $0) }
    for _ in 0..<3 { clients.append(PlayedClient(stream: chance.below(streams.count))) }
    self.chance = chance
  }

  /// The bodies after the last tick.
  public var bodies: [StreamBody] { world.bodies }
  public var tick: UInt32 { pit.tick }
  public var gravity: QuantizedGravity { pit.gravity }

  /// What a stream of this world is like.
  public func shape(profile: CodecProfile, rate: FrameRate) -> StreamShape {
    pit.shape(profile: profile, rate: rate)
  }

  /// Whether a fuzzer's bytes are used up.
  public var isOver: Bool { chance.isSpent }

  /// One tick: people act, the pit steps, streams are coded, clients decode. Returns the first
  /// thing that is not as it must be.
  public mutating func step() -> PlayFault? {
    let inputs = act(at: pit.tick.nextTick)
    commands = inputs.commands
    if replicas.contains(where: \.isAway) { log.keep(pit) }
    let outcome = pit.tick(inputs)
    self.outcome = outcome
    pit.bodies(into: &world.bodies)
    pit.scenery(into: &scenery)
    for stream in streams where stream.isDue(at: pit.tick) {
      let wrong = stream.encode(
        world.bodies, scenery: scenery, tick: pit.tick, gravity: pit.gravity)
      if let wrong { return fault(wrong, in: stream) }
    }
    return receive() ?? follow(outcome.record)
  }

  private mutating func follow(_ record: TickRecord) -> PlayFault? {
    log.append(record)
    for index in replicas.indices {
      if let wrong = replicas[index].receive(log.record, of: pit, snapshot: log.snapshot) {
        return PlayFault(
          scene: scene, rate: .hz60, profile: .strict, tick: pit.tick, kind: wrong)
      }
      replicas[index].live(at: pit.tick, &chance)
    }
    return nil
  }

  private mutating func act(at tick: UInt32) -> TickInputs {
    var inputs = TickInputs()
    for index in people.indices {
      var wanted = people[index].act(in: world, tick: tick, &chance)
      if chance.happens(onceIn: 500) { wanted.append(people[index].leave()) }
      inputs.commands.append(contentsOf: wanted.map { people[index].stamped($0) })
      guard chance.happens(onceIn: 60) else { continue }
      tilt.add(
        person: people[index].person, x: Int16(chance.from(-11_000...11_000)),
        y: Int16(chance.from(-11_000...11_000)), tick: tick)
    }
    if chance.happens(onceIn: 150) { inputs.acts = [act()] }
    inputs.gravity = tilt.gravity(at: tick)
    inputs.dropsCaches = chance.happens(onceIn: 200)
    return inputs
  }

  /// What a host does, but for beginning another world, which needs other streams. A frozen world
  /// goes on soon: nothing happens in it.
  private mutating func act() -> HostAct {
    if pit.isFrozen { return .unfreeze }
    switch chance.below(8) {
    case 0: return .clear
    case 1...2: return .freeze
    case 3...5: return .gravity(percent: UInt16(chance.from(0...300)))
    default: return .mostBodies(UInt16(chance.from(1...pit.capacity)))
    }
  }

  private mutating func receive() -> PlayFault? {
    for index in clients.indices {
      clients[index].live(at: pit.tick, streams: streams.count, &chance)
      let stream = streams[clients[index].stream]
      guard stream.isDue(at: pit.tick) else { continue }
      if let wrong = clients[index].receive(from: stream, at: pit.tick) {
        return fault(.client(wrong), in: stream)
      }
    }
    return nil
  }

  private func fault(_ kind: PlayFault.Kind, in stream: PlayedStream) -> PlayFault {
    PlayFault(
      scene: scene, rate: stream.rate, profile: stream.profile, tick: pit.tick, kind: kind)
  }
}

/// Something that must not be: where, when and what.
public struct PlayFault: Error {
  public enum Kind: Equatable, Sendable {
    /// A client refuses a frame, or has another world after it than the encoder.
    case client(FrameFault)
    /// The encoder found that no client could have read what it coded.
    case restarted
    /// A replica refuses a record, or finds itself in another world.
    case replica(ReplicaError)
    /// A replica that has all records has another world.
    case replicaDiffers
    /// A body is further from its place than the profile allows.
    case farFromTruth(slot: UInt16)
  }

  public let scene: Scene
  public let rate: FrameRate
  public let profile: CodecProfile
  public let tick: UInt32
  public let kind: Kind
}
