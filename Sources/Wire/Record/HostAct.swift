/// What the host does to the world, as the log has it: whoever has the world before the tick and
/// these has the world after it. What the world does not feel, such as who may join, is no part of
/// the log.
public enum HostAct: Equatable, Sendable {
  /// The world begins anew: a scene by its number, with so many bodies at the start and at most,
  /// a shape by its number, and a seed for all that is left to chance.
  case begin(scene: UInt8, bodies: UInt16, maxBodies: UInt16, shape: UInt8 = 0, seed: UInt64)
  /// All stickers go. A scene that needs its own refuses.
  case clear
  /// The world stands still, and commands but for those that open hands are refused.
  case freeze
  /// The world goes on.
  case unfreeze
  /// The strength of gravity in percent of the scene's, 0…`mostPercent`.
  case gravity(percent: UInt16)
  /// The most bodies at a time, from 1 to what the world was made for. Beyond it the oldest go. A
  /// scene that needs its own refuses.
  case mostBodies(UInt16)

  /// The strongest gravity: at three times the scene's, stickers still rest on each other.
  public static let mostPercent: UInt16 = 300

  /// Most acts of a tick. A host presses buttons; a script that does more waits for the next tick.
  public static let mostInTick = 16
}

// MARK: Bytes

extension HostAct {
  /// The number of a kind of act, 4 bits.
  private enum Opcode: UInt32 {
    case begin, clear, freeze, unfreeze, gravity, mostBodies
  }

  func write(to writer: inout BitWriter) {
    switch self {
    case .begin(let scene, let bodies, let maxBodies, let shape, let seed):
      write(.begin, to: &writer)
      writer.write(byte: scene)
      writer.write(bodies)
      writer.write(maxBodies)
      writer.write(byte: shape)
      writer.write(UInt32(truncatingIfNeeded: seed), bits: 32)
      writer.write(UInt32(truncatingIfNeeded: seed >> 32), bits: 32)
    case .clear: write(.clear, to: &writer)
    case .freeze: write(.freeze, to: &writer)
    case .unfreeze: write(.unfreeze, to: &writer)
    case .gravity(let percent):
      write(.gravity, to: &writer)
      writer.write(percent)
    case .mostBodies(let count):
      write(.mostBodies, to: &writer)
      writer.write(count)
    }
  }

  private func write(_ opcode: Opcode, to writer: inout BitWriter) {
    writer.write(opcode.rawValue, bits: 4)
  }

  /// Throws `truncated`, or `outOfRange(.act)` for an act that there isn't or that is stronger than
  /// it may be.
  init(from reader: inout BitReader) throws(WireError) {
    guard let opcode = Opcode(rawValue: try reader.read(bits: 4)) else { throw .outOfRange(.act) }
    switch opcode {
    case .begin:
      let scene = try reader.readByte()
      let (bodies, maxBodies) = (try reader.readUInt16(), try reader.readUInt16())
      let shape = try reader.readByte()
      let low = try reader.read(bits: 32)
      let seed = UInt64(low) | UInt64(try reader.read(bits: 32)) << 32
      self = .begin(
        scene: scene, bodies: bodies, maxBodies: maxBodies, shape: shape, seed: seed)
    case .clear: self = .clear
    case .freeze: self = .freeze
    case .unfreeze: self = .unfreeze
    case .gravity:
      let percent = try reader.readUInt16()
      guard percent <= HostAct.mostPercent else { throw .outOfRange(.act) }
      self = .gravity(percent: percent)
    case .mostBodies:
      let count = try reader.readUInt16()
      guard count > 0, count <= UInt16(WireLimits.bodies) else { throw .outOfRange(.act) }
      self = .mostBodies(count)
    }
  }
}
