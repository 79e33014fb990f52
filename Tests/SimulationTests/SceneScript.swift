import Physics
import Wire

@testable import Simulation

/// Half a minute of a scene in numbers: fingers that grab, drag, throw, snap and speak, phones that
/// tilt, all by seeded chance.
///
/// A row is what somebody did: tick, message type as on the wire (2 tilt, 3 drop, 4 throw, 6 grab,
/// 7 move, 8 release, 9 snap, 10 say with the keyword's kind, 11 the person left), person, and the
/// message's values, for commands with the sequence number first.
struct SceneScript: Codable, Equatable {
  var scene: Int
  var bodies: Int
  var seed = 23
  var ticks = 1800
  var rows: [[Int]] = []
  /// State hashes of every 30th tick in hex.
  var stateHashes: [String] = []

  /// A script of seeded chance for a scene, without hashes yet.
  static func random(_ scene: Scene) -> SceneScript {
    var script = SceneScript(
      scene: Int(scene.rawValue), bodies: scene == .pit ? 60 : scene.defaultBodies)
    var chance = RandomGenerator(seed: 3000 + UInt64(scene.rawValue))
    let (width, height) = scene == .pit ? (5760, 7680) : (3520, 5888)
    var sequences = [0, 0, 0, 0]
    func number(_ low: Int, _ high: Int) -> Int {
      low + Int(chance.next(below: UInt32(high - low + 1)))
    }
    for tick in 1...script.ticks {
      for person in 0..<4 {
        if (tick + 5 * person) % 30 == 0, tick > 900 {
          script.rows.append([
            tick, 2, person, number(-8000, 8000), number(4000, 16_384),
          ])
        }
        guard number(0, 5) == 0 else { continue }
        let place = [number(-100, width), number(-100, height)]
        let velocity = [number(-2500, 2500), number(-2500, 2500)]
        let slot = number(0, 5)
        let head = { (type: Int) -> [Int] in [tick, type, person, sequences[person]] }
        switch number(0, 29) {
        case 0: script.rows.append(head(3) + [number(0, 15)] + place)
        case 1: script.rows.append(head(4) + place + velocity)
        case 2...8: script.rows.append(head(6) + [slot, 0] + place)
        case 9...21: script.rows.append(head(7) + [slot] + place)
        case 22...24: script.rows.append(head(8) + [slot] + velocity)
        case 25, 26: script.rows.append(head(9) + [slot, 0] + place)
        case 27, 28: script.rows.append(head(10) + [18 + number(0, 1)])
        default: script.rows.append(head(11))
        }
        sequences[person] += 1
      }
    }
    return script
  }

  /// The command of a row, or nil for a tilt.
  static func command(_ row: [Int]) -> Command? {
    let values = row.dropFirst(4).map { Int16(clamping: $0) }
    let slot = UInt16(truncatingIfNeeded: values.first ?? 0)
    switch row[1] {
    case 3: return .drop(kind: UInt8(values[0]), x: values[1], y: values[2])
    case 4:
      return .throwSticker(
        x: values[0], y: values[1], velocityX: values[2], velocityY: values[3])
    case 6:
      return .grab(slot: slot, generation: UInt16(values[1]), x: values[2], y: values[3])
    case 7: return .move(slot: slot, x: values[1], y: values[2])
    case 8: return .release(slot: slot, velocityX: values[1], velocityY: values[2])
    case 9:
      return .snap(slot: slot, generation: UInt16(values[1]), x: values[2], y: values[3])
    case 10: return .say(keyword: UInt8(values[0]))
    case 11: return .leave
    default: return nil
    }
  }
}
