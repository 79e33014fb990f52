import Play
import Simulation
import Wire

/// A stream of what people do in a pit, for openings and seeds.
final class FuzzScene {
  let encoder: StreamEncoder
  private var play: Play
  private var words: [Words]

  init(_ profile: CodecProfile, scene: Scene = .pit, seed: UInt64 = 3) throws {
    play = try Play(scene: scene, chance: PlayChance(seed: seed))
    encoder = StreamEncoder(play.shape(profile: profile, rate: .hz60), holdsCalm: true)
    words = [try Words("生日快乐! Rain"), try Words("happy birthday")]
  }

  /// The frames of the next `count` ticks, but for those that are held back.
  func frames(_ count: Int) -> [[UInt8]] {
    (0..<count).compactMap { _ in
      if let fault = play.step() { fatalError("\(fault)") }
      var frame: [UInt8] = []
      encoder.encode(
        play.bodies, scenery: play.scenery, tick: play.tick, gravity: play.gravity, into: &frame)
      return frame.isEmpty ? nil : frame
    }
  }

  /// What people say and what they are told in the next `count` ticks.
  func messages(_ count: Int) -> (client: [ClientMessage], server: [ServerMessage]) {
    var client: [ClientMessage] = []
    var server: [ServerMessage] = []
    for _ in 0..<count {
      if let fault = play.step() { fatalError("\(fault)") }
      client += play.commands.compactMap { message($0.command) }
      guard let ticked = play.outcome else { continue }
      if !ticked.events.isEmpty {
        server.append(
          .events(WireEvents(tick: ticked.record.tick, events: ticked.events.map(\.told))))
      }
      let receipts = play.commands.map { given in
        ReceivedCommand(
          number: given.sequence,
          outcome: ticked.carriedOut.contains(given) ? .carriedOut : .refused)
      }
      if !receipts.isEmpty {
        server.append(.receipt(Receipt(tick: ticked.record.tick, commands: receipts)))
      }
    }
    return (client, server)
  }

  /// The message by which a client gives a command; none says that it leaves.
  private func message(_ command: Command) -> ClientMessage? {
    switch command {
    case .drop(let kind, let x, let y): .drop(kind: kind, x: x, y: y)
    case .throwSticker(let x, let y, let velocityX, let velocityY):
      .throwSticker(x: x, y: y, velocityX: velocityX, velocityY: velocityY)
    case .grab(let slot, let generation, let x, let y):
      .grab(slot: slot, generation: generation, x: x, y: y)
    case .move(let slot, let x, let y): .move(slot: slot, x: x, y: y)
    case .release(let slot, let velocityX, let velocityY):
      .release(slot: slot, velocityX: velocityX, velocityY: velocityY)
    case .snap(let slot, let generation, let x, let y):
      .snap(slot: slot, generation: generation, x: x, y: y)
    case .say(let keyword): .say(words[Int(keyword) % words.count])
    case .leave: nil
    }
  }
}
