import Synchronization
import Transport
import Wire

/// What all connections of one address may do together: leaving and coming back buys nobody a new
/// allowance, nor do five hundred connections. What goes beyond is left out; nobody is sent away
/// for what a neighbour behind the same router does. All network threads share them.
final class AddressBudgets: Sendable {
  /// What a message takes from its address, besides one message.
  enum Purpose {
    case tilt, command, move, words, clock
  }

  /// Addresses remembered at a time, 300 bytes each; who is active is remembered longest.
  private static let remembered = 8192

  private struct Budget: Sendable {
    var messages: TokenBucket
    var hellos: TokenBucket
    var takeOvers: TokenBucket
    var commands: TokenBucket
    var moves: TokenBucket
    var words: TokenBucket
    var clocks: TokenBucket
    var snapshotBytes: TokenBucket

    init(_ limits: Limits) {
      messages = TokenBucket(twoSecondsOf: limits.messagesPerSecondPerAddress)
      hellos = TokenBucket(
        perSecond: limits.hellosPerSecondPerAddress, burst: limits.helloBurstPerAddress)
      takeOvers = TokenBucket(
        perSecond: limits.takeOversPerSecondPerAddress, burst: limits.takeOverBurstPerAddress)
      commands = TokenBucket(twoSecondsOf: limits.commandsPerSecondPerAddress)
      moves = TokenBucket(twoSecondsOf: limits.movesPerSecondPerAddress)
      words = TokenBucket(twoSecondsOf: limits.wordsPerSecondPerAddress)
      clocks = TokenBucket(twoSecondsOf: limits.clocksPerSecondPerAddress)
      snapshotBytes = TokenBucket(
        perSecond: limits.snapshotBytesPerSecondPerAddress,
        burst: limits.snapshotBurstBytesPerAddress)
    }

    mutating func take(_ purpose: Purpose, at now: UInt64) -> Bool {
      guard messages.take(at: now) else { return false }
      return switch purpose {
      case .tilt: true
      case .command: commands.take(at: now)
      case .move: moves.take(at: now)
      case .words: words.take(at: now)
      case .clock: clocks.take(at: now)
      }
    }

    mutating func forgive(_ nanoseconds: UInt64) {
      messages.forgive(nanoseconds)
      hellos.forgive(nanoseconds)
      takeOvers.forgive(nanoseconds)
      commands.forgive(nanoseconds)
      moves.forgive(nanoseconds)
      words.forgive(nanoseconds)
      clocks.forgive(nanoseconds)
      snapshotBytes.forgive(nanoseconds)
    }
  }

  private let table = Mutex(AddressTable<Budget>(capacity: AddressBudgets.remembered))
  private let fresh: Mutex<Budget>

  init(_ limits: Limits) {
    fresh = Mutex(Budget(limits))
  }

  /// Begins anew with other limits.
  func change(_ limits: Limits) {
    fresh.withLock { $0 = Budget(limits) }
    table.withLock { $0 = AddressTable(capacity: Self.remembered) }
  }

  private func update<Result>(
    _ address: AddressPrefix, _ change: (inout Budget) -> Result
  ) -> Result {
    table.withLock { $0.update(address, new: fresh.withLock { $0 }, change) }
  }

  /// Takes a message for a purpose from the address's allowance; false when none is left.
  /// - Parameter now: monotonic nanoseconds.
  func take(_ purpose: Purpose, from address: AddressPrefix, at now: UInt64) -> Bool {
    update(address) { $0.take(purpose, at: now) }
  }

  /// Takes a command that words turned out to be.
  func takeCommand(from address: AddressPrefix, at now: UInt64) -> Bool {
    update(address) { $0.commands.take(at: now) }
  }

  /// Takes a hello.
  func takeHello(from address: AddressPrefix, at now: UInt64) -> Bool {
    update(address) {
      $0.messages.take(at: now) && $0.hellos.take(at: now)
    }
  }

  /// Takes a hello's right to end another connection.
  func takeOver(from address: AddressPrefix, at now: UInt64) -> Bool {
    update(address) { $0.takeOvers.take(at: now) }
  }

  /// Takes a snapshot's bytes.
  func takeSnapshot(bytes: Int, from address: AddressPrefix, at now: UInt64) -> Bool {
    update(address) { $0.snapshotBytes.take(bytes, at: now) }
  }

  /// Gives back a snapshot's bytes that were not sent after all.
  func giveBack(snapshotBytes: Int, to address: AddressPrefix) {
    update(address) { $0.snapshotBytes.giveBack(snapshotBytes) }
  }

  /// Grants every address what a standstill of this process held up.
  func forgive(_ nanoseconds: UInt64) {
    table.withLock { $0.updateAll { $0.forgive(nanoseconds) } }
  }
}
