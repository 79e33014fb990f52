import Physics
import Simulation
import Wire

/// A party's world and its log: phones that sway and report 15 times a second, a drop each 1.8 s, a
/// throw each 2 s.
struct BenchParty {
  private(set) var pit: Pit
  /// The log's coder after the last tick.
  private(set) var coder: RecordCoder
  /// Ticks since the stickers came to rest.
  private(set) var ticks = 0
  private let clients: Int
  private var phones: TracePhones
  private var blend = TiltBlend()
  private var chance: RandomGenerator
  /// The number of each person's last command.
  private var sequences: [UInt32]

  /// Ticks before the log is written, in which the first stickers come to rest.
  private static let settling = 360

  init(clients: Int, bodies: Int, most: Int = PitConfiguration.defaultMaxBodies, seed: UInt64)
    throws
  {
    self.clients = clients
    sequences = Array(repeating: 0, count: clients + 1)
    pit = try Pit(PitConfiguration(bodies: bodies, maxBodies: most, seed: seed))
    for _ in 0..<Self.settling { pit.tick(TickInputs()) }
    var inputs = TickInputs()
    inputs.dropsCaches = true
    pit.tick(inputs)
    coder = RecordCoder(tick: pit.tick, gravity: pit.gravity)
    var chance = RandomGenerator(seed: seed ^ 0x5EED)
    phones = TracePhones(count: clients, sways: true, chance: &chance)
    self.chance = chance
  }

  /// What the people do in the next tick.
  /// - Parameter onTilt: told what each phone says.
  mutating func act(onTilt: (UInt16, Int16, Int16) -> Void = { _, _, _ in }) -> TickInputs {
    let tick = pit.tick.nextTick
    _ = phones.gravity(at: ticks, chance: &chance)
    for (phone, angle) in phones.reports(at: ticks) {
      let person = UInt16(phone + 1)
      let x = Int16(DeterministicMath.sine(angle) * 16_384)
      let y = Int16(DeterministicMath.cosine(angle) * 16_384)
      blend.add(person: person, x: x, y: y, tick: tick)
      onTilt(person, x, y)
    }
    var inputs = TickInputs(gravity: blend.gravity(at: tick))
    let size = (x: pit.worldSize.x * 8, y: pit.worldSize.y * 8)
    if ticks % 108 == 54 {
      give(
        .drop(
          kind: UInt8(chance.next(below: 16)), x: Int16(chance.nextFloat(320, size.x - 320)),
          y: 240), to: &inputs)
    }
    if ticks % 120 == 60 {
      give(
        .throwSticker(
          x: Int16(chance.nextFloat(0, size.x)), y: Int16(chance.nextFloat(0, size.y)),
          velocityX: Int16(chance.nextFloat(-1000, 1000)),
          velocityY: Int16(chance.nextFloat(-1500, 0))), to: &inputs)
    }
    inputs.commands.sort { $0.precedes($1) }
    return inputs
  }

  private mutating func give(_ command: Command, to inputs: inout TickInputs) {
    let person = UInt16(1 + chance.next(below: UInt32(clients)))
    sequences[Int(person)] += 1
    inputs.commands.append(
      StampedCommand(person: person, sequence: sequences[Int(person)], command: command))
  }

  /// Carries out a tick and appends its record.
  mutating func tick(_ inputs: TickInputs, into bytes: inout [UInt8]) {
    var record = pit.tick(inputs).record
    let tilting = UInt16(clamping: blend.count)
    if tilting != coder.tilting { record.tilting = tilting }
    coder.encode(record, into: &bytes)
    ticks += 1
  }
}
