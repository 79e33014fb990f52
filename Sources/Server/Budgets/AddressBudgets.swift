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

  /// Grants every address what a standstill of this process held up.
  func forgive(_ nanoseconds: UInt64) {
    table.withLock { $0.updateAll { $0.forgive(nanoseconds) } }
  }
}

/// How many bytes of worlds are told by HTTP: to one address, and in all. All network threads share
/// it.
final class WorldBudget: Sendable {
  /// Addresses remembered at a time; who is active is remembered longest.
  private static let remembered = 1024

  private struct Buckets: Sendable {
    var total: TokenBucket
    var addresses = AddressTable<TokenBucket>(capacity: WorldBudget.remembered)
  }

  private let bytesPerSecondPerAddress: Int
  private let buckets: Mutex<Buckets>

  init(_ limits: Limits) {
    bytesPerSecondPerAddress = limits.worldBytesPerSecondPerAddress
    buckets = Mutex(Buckets(total: TokenBucket(twoSecondsOf: limits.worldBytesPerSecond)))
  }

  /// Takes bytes of both, the address's and the common ones, or of none.
  /// - Parameter now: monotonic nanoseconds.
  /// - Returns: whether there were enough.
  func take(_ bytes: Int, of address: AddressPrefix, at now: UInt64) -> Bool {
    assert(bytes > 0)
    let new = TokenBucket(twoSecondsOf: bytesPerSecondPerAddress)
    return buckets.withLock { buckets in
      var total = buckets.total
      let isWithin = buckets.addresses.update(address, new: new) { bucket in
        var left = bucket
        guard left.take(bytes, at: now), total.take(bytes, at: now) else { return false }
        bucket = left
        return true
      }
      buckets.total = total
      return isWithin
    }
  }

  /// Grants what a standstill of this process held up.
  func forgive(_ nanoseconds: UInt64) {
    buckets.withLock {
      $0.total.forgive(nanoseconds)
      $0.addresses.updateAll { $0.forgive(nanoseconds) }
    }
  }
}

/// Wrong tokens, and requests that show none, by the address that they came from. Some a minute are
/// somebody who mistypes; more are told to wait. The right one is taken all the same, because a
/// whole venue may be one address: what keeps the host's token from being guessed is its length,
/// and the requests that an address may make.
struct WrongTokens: Sendable {
  /// Those of an address in a minute that are answered as such.
  static let most = 5
  static let interval: UInt64 = 60_000_000_000
  /// Addresses remembered at a time, 100 bytes each; who guesses on is remembered longest. Guesses
  /// from more addresses than that are as hopeless: SECURITY.md says in numbers why.
  static let remembered = 4096

  /// When the last ones were shown, in monotonic nanoseconds, the oldest first.
  private var table = AddressTable<[UInt64]>(capacity: WrongTokens.remembered)

  /// Counts one.
  /// - Parameter now: monotonic nanoseconds.
  /// - Returns: nil, or seconds until the address may show one again, if it is one too many.
  mutating func count(from address: AddressPrefix, at now: UInt64) -> Int? {
    table.update(address, new: []) { shown in
      shown.removeAll { now - min($0, now) >= Self.interval }
      guard shown.count < Self.most else {
        let left = Self.interval - (now - min(shown[0], now))
        return Int((left + 999_999_999) / 1_000_000_000)
      }
      shown.append(now)
      assert(shown.count <= Self.most)
      return nil
    }
  }
}
