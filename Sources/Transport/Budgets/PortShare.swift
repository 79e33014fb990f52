import Synchronization

/// What the listeners that share a port count together: what one address may do is the same however
/// its connections fall on the network threads. What a thread can do in a second is its own.
public final class PortShare: Sendable {
  private struct Sockets: Sendable {
    var count = 0
    var byAddress: [AddressPrefix: Int] = [:]
  }

  private let sockets = Mutex(Sockets())
  /// What OpenSSL encrypts session tickets with: a name of 16 bytes, a key of 32 for their sum and
  /// one of 32 for the rest (SSL_CTX_set_tlsext_ticket_keys). So a ticket of one listener resumes
  /// its session on every other.
  let ticketKeys: [UInt8]
  /// Accepts for all of them: where no descriptor is left, the one that is given up for a moment
  /// must not go to another thread's visitor.
  let reserve = Mutex(AcceptReserve())
  /// Connections accepted lately, by address.
  let arrivals: Mutex<AddressTable<TokenBucket>>
  /// What answers cost lately, by address.
  let answers: Mutex<AddressTable<HTTPBudget.Share>>

  /// - Parameter ticketSecret: ``ListenerConfiguration/ticketSecret``.
  public init(_ limits: TrafficLimits, ticketSecret: [UInt8]? = nil) {
    var random = SystemRandomNumberGenerator()
    let unknown = (0..<KeyedHash.byteCount).map { _ in random.next() as UInt8 }
    let hash = KeyedHash(key: ticketSecret.flatMap { $0.isEmpty ? nil : $0 } ?? unknown)
    ticketKeys =
      hash.sum(Array("ticket name".utf8)).prefix(16)
      + hash.sum(Array("ticket sum".utf8)) + hash.sum(Array("ticket".utf8))
    // Limits are checked when a listener starts; a table must have room for something before.
    let remembered = max(1, limits.rememberedAddresses)
    arrivals = Mutex(AddressTable(capacity: remembered))
    answers = Mutex(AddressTable(capacity: remembered))
  }

  /// Begins to count by other limits: what addresses have used is forgotten.
  func change(_ limits: TrafficLimits) {
    let remembered = max(1, limits.rememberedAddresses)
    arrivals.withLock { $0 = AddressTable(capacity: remembered) }
    answers.withLock { $0 = AddressTable(capacity: remembered) }
  }

  /// Takes room for a WebSocket.
  /// - Returns: why there is none, if so.
  func takeSocket(
    of prefix: AddressPrefix, within configuration: ListenerConfiguration
  ) -> RequestRefusal? {
    sockets.withLock {
      guard $0.count < configuration.maximumConnections else {
        return RequestRefusal(503, "the pit is full")
      }
      guard $0.byAddress[prefix, default: 0] < configuration.maximumConnectionsPerAddress else {
        return RequestRefusal.tooManyConnections
      }
      $0.count += 1
      $0.byAddress[prefix, default: 0] += 1
      return nil
    }
  }

  /// Gives back a WebSocket's room.
  func giveBackSocket(of prefix: AddressPrefix) {
    sockets.withLock {
      let left = $0.byAddress[prefix]! - 1
      assert(left >= 0)
      $0.byAddress[prefix] = left == 0 ? nil : left
      $0.count -= 1
    }
  }
}
