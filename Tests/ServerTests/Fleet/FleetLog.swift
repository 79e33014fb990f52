import Foundation

/// The log that a fleet played by, as a file, so that the WebAssembly module can be one of those
/// who follow it: `Tests/Node/fleet.test.mjs` runs it again and compares the world of every tick.
///
/// One entry after the other, numbers with the lowest byte first: "S" for a snapshot, "R" for a
/// record or "J" for a snapshot that somebody was sent who joined later, of any tick of the log;
/// the number of its bytes in 32 bits, the hash of the world after it in 64, and its bytes.
struct FleetLog {
  private(set) var bytes: [UInt8] = []
  /// Snapshots that others got so far.
  private var joiners = 0

  /// Every fourth of the first sixteen stands in the log: among them are those of pages that came
  /// back, and running the ticks behind them takes node little time.
  private static let everyJoiner = 4
  private static let mostJoiners = 16

  mutating func add(snapshot: UnsafeRawBufferPointer, hash: UInt64) {
    add(UInt8(ascii: "S"), snapshot, hash)
  }

  mutating func add(record: UnsafeRawBufferPointer, hash: UInt64) {
    add(UInt8(ascii: "R"), record, hash)
  }

  mutating func add(joiner snapshot: UnsafeRawBufferPointer, hash: UInt64) {
    joiners += 1
    guard joiners % Self.everyJoiner == 0, joiners <= Self.mostJoiners else { return }
    add(UInt8(ascii: "J"), snapshot, hash)
  }

  private mutating func add(_ kind: UInt8, _ content: UnsafeRawBufferPointer, _ hash: UInt64) {
    bytes.append(kind)
    withUnsafeBytes(of: UInt32(content.count).littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: hash.littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: content)
  }

  /// Writes it into the folder that FLEET_LOGS names; nowhere if that is not set.
  func write(as name: String) throws {
    guard let folder = ProcessInfo.processInfo.environment["FLEET_LOGS"] else { return }
    let file = URL(fileURLWithPath: folder).appendingPathComponent(name + ".log")
    try Data(bytes).write(to: file)
  }
}
