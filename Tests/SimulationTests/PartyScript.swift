import Physics

@testable import Simulation

/// Half a minute of a party in numbers: phones that tilt, drop and throw, all by seeded chance.
///
/// A row is what somebody did: tick, message type (2 tilt, 3 drop, 4 throw as on the wire), person,
/// and the message's values, for commands with the sequence number first.
struct PartyScript: Codable, Equatable {
  var bodies = 200
  var maxBodies = 240
  var seed = 11
  var ticks = 1200
  var rows: [[Int]] = []
  /// State hashes of every 30th tick in hex, then the hash of all frames.
  var stateHashes: [String] = []
  var frameHash = ""

  /// A script of seeded chance, without hashes yet.
  static func random() -> PartyScript {
    var script = PartyScript()
    var chance = RandomGenerator(seed: 2024)
    var sequences = [0, 0, 0, 0]
    func number(_ low: Int, _ high: Int) -> Int {
      low + Int(chance.next(below: UInt32(high - low + 1)))
    }
    for tick in 1...script.ticks {
      for person in 0..<4 {
        // Nobody tilts for a while in the middle, so that the blend fades.
        if (tick + 3 * person) % 15 == 0, tick < 500 || tick > 700 {
          script.rows.append([
            tick, 2, person, number(-16_384, 16_384), number(-16_384, 16_384),
          ])
        }
        guard number(0, 119) == 0 else { continue }
        let place = [number(-100, 5860), number(-100, 7780)]
        let head = [tick, tick % 2 == 0 ? 3 : 4, person, sequences[person]]
        sequences[person] += 1
        if tick % 2 == 0 {
          script.rows.append(head + [number(0, 15)] + place)
        } else {
          script.rows.append(head + place + [number(-3000, 3000), number(-3000, 3000)])
        }
      }
    }
    return script
  }
}
