/// Two worlds of one tick that ought to be equal and are not: what a client made of the log, and
/// what the server's snapshot says. It keeps both whole, so that whoever looks for the fault can
/// compare them; that takes the memory of two snapshots.
///
///     if let divergence = Divergence(replica.pit, servers: snapshot.pit) {
///       let mine = try Pit.restore(from: divergence.mine)
///     }
public struct Divergence: Sendable {
  /// The tick after which both worlds were so.
  public let tick: UInt32
  /// What is different first, by name: see `Pit.firstDifference`.
  public let difference: String
  /// The client's world, as `Pit.save` writes it.
  public let mine: [UInt8]
  /// The server's world, as `Pit.save` writes it.
  public let servers: [UInt8]

  /// Nil for equal worlds, and for those of different ticks: what differs there is no fault.
  public init?(_ mine: Pit, servers: Pit) {
    guard mine.tick == servers.tick, let difference = mine.firstDifference(from: servers) else {
      return nil
    }
    tick = mine.tick
    self.difference = difference
    self.mine = Self.saved(mine)
    self.servers = Self.saved(servers)
  }

  private static func saved(_ pit: Pit) -> [UInt8] {
    var bytes: [UInt8] = []
    pit.save(into: &bytes)
    return bytes
  }
}
