import Play
import Transport
import Wire

@testable import Physics
@testable import Server
@testable import Simulation

/// Follows the log over a perfect line from the first tick on, and remembers what each tick was
/// given and which world came of it: that is what everybody else is compared with. Its own world is
/// compared by the server's hashes in the log. And where more touches than ever before, or nearly,
/// copies of its world run beside it for some ticks, and must save the same bytes.
final class LogKeeper: ClientDelegate {
  /// What is known of a tick.
  struct Tick {
    var hash: UInt64
    var commands: [StampedCommand]
  }

  private(set) var failures: [String] = []
  private(set) var replica: Replica?
  /// All that it got.
  private(set) var log = FleetLog()
  private var ticks: [UInt32: Tick] = [:]
  private var connection: (any Connection)?
  private var copies: PitCopies?
  /// The tick up to which the copies run.
  private var copiedUntil: UInt32?
  private var mostContacts = 0
  /// Moments at which the world was copied.
  private(set) var moments = 0

  /// Ticks that copies run.
  private static let ahead: UInt32 = 8

  init(_ pit: VirtualServer) {
    pit.network.clients(self).connect(faults: NetworkFaults(budgetBytes: 1 << 24))
  }

  /// What is known of a tick; nil before the first one.
  func tick(_ tick: UInt32) -> Tick? { ticks[tick] }

  /// The commands of the ticks after one and up to another, for somebody who looks for a fault.
  func told(after last: UInt32, upTo tick: UInt32) -> String {
    var lines: [String] = []
    var number = last
    while number != tick, lines.count < 30 {
      number = number.nextTick
      for command in self.tick(number)?.commands ?? [] {
        lines.append(
          "tick \(number): person \(command.person), number \(command.sequence), \(command.command)"
        )
      }
    }
    return lines.isEmpty ? "no command" : lines.joined(separator: "\n")
  }

  /// Somebody else got a snapshot of a world with that hash.
  func note(joiner snapshot: UnsafeRawBufferPointer, hash: UInt64) {
    log.add(joiner: snapshot, hash: hash)
  }

  func clientOpened(_ connection: any Connection) {
    self.connection = connection
    var bytes: [UInt8] = []
    ClientMessage.hello(Hello(stream: .replica)).encode(into: &bytes)
    _ = connection.send(OutgoingFrame(copying: bytes))
  }

  func client(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {
    do {
      if bytes[0] == ServerMessageType.snapshot.rawValue {
        replica = try Replica(snapshot: Array(bytes.dropFirst()))
        let hash = replica!.pit.stateHash()
        ticks[replica!.pit.tick] = Tick(hash: hash, commands: [])
        log.add(snapshot: UnsafeRawBufferPointer(rebasing: bytes.dropFirst()), hash: hash)
        // A second one means that the host began another world.
        copiedUntil = nil
      } else if RecordCoder.accepts(bytes[0]) {
        try take(bytes)
      }
    } catch {
      failures.append("the keeper of the log: \(error)")
    }
  }

  private func take(_ bytes: UnsafeRawBufferPointer) throws {
    // One tick at a time, so that each one's hash is known.
    var (offset, coder) = (0, replica?.coder)
    while coder != nil, offset < bytes.count {
      let start = offset
      _ = try coder!.decode(bytes, at: &offset)
      try take(record: UnsafeRawBufferPointer(rebasing: bytes[start..<offset]))
    }
  }

  private func take(record bytes: UnsafeRawBufferPointer) throws {
    var outcome: TickOutcome?
    try replica!.receive(bytes) { outcome = $0 }
    let record = outcome!.record
    let hash = replica!.pit.stateHash()
    ticks[record.tick] = Tick(hash: hash, commands: record.commands)
    log.add(record: bytes, hash: hash)
    try runCopies(TickInputs(record), replica!.pit)
  }

  private func runCopies(_ inputs: TickInputs, _ pit: Pit) throws {
    if let end = copiedUntil {
      _ = copies!.tick(inputs)
      guard end == pit.tick else { return }
      let different = copies!.different(from: pit)
      if !different.isEmpty {
        failures.append(
          "copies of tick \(end &- Self.ahead) are others at \(end), \(different); between them\n"
            + told(after: end &- Self.ahead, upTo: end))
      }
      copiedUntil = nil
    }
    let world = pit.playground.animator.world.storage
    let contacts =
      world.contacts.onePoint.count + world.contacts.twoPoint.count + world.contacts.edges.count
    mostContacts = max(mostContacts, contacts)
    guard 10 * contacts >= 9 * mostContacts, moments * 60 < ticks.count else { return }
    if copies == nil { copies = PitCopies(of: pit) }
    try copies!.begin(pit)
    copiedUntil = pit.tick &+ Self.ahead
    moments += 1
  }

  func clientClosed(_ connection: any Connection, code: CloseCode, reason: String) {
    failures.append("the keeper of the log was closed: \(code) \(reason)")
  }

  func clientFailed(_ id: UInt64, error: TransportError) { failures.append("\(error)") }
}
