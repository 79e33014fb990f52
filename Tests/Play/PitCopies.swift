import Simulation
import Wire

/// A world made from another one in each way that there is: by restoring what it saves, as a copy,
/// and as somebody's who joins. Given the same inputs, they must save the same bytes.
public struct PitCopies {
  private var restored: Pit
  private var assigned: Pit
  private var joined: Pit

  /// - Parameter pit: any pit; `begin` makes copies.
  public init(of pit: Pit) { (restored, assigned, joined) = (pit, pit, pit) }

  /// What a pit saves.
  public static func saved(_ pit: Pit) -> [UInt8] {
    var bytes: [UInt8] = []
    pit.save(into: &bytes)
    return bytes
  }

  /// Become the pit, from the second time on in memory that is there. Throws when a snapshot is
  /// refused.
  public mutating func begin(_ pit: Pit) throws {
    try restored.restore(from: Self.saved(pit))
    assigned.assign(pit)
    let world = SavedWorld(pit, RecordCoder(tick: pit.tick, gravity: pit.gravity))
    joined = try Replica(snapshot: world.packed()).pit
  }

  /// One tick of each.
  public mutating func tick(_ inputs: TickInputs) -> [TickOutcome] {
    [restored.tick(inputs), assigned.tick(inputs), joined.tick(inputs)]
  }

  /// The names of those that save other bytes than a pit does.
  public func different(from pit: Pit) -> [String] {
    let bytes = Self.saved(pit)
    return [("restored", restored), ("assigned", assigned), ("joined", joined)]
      .filter { Self.saved($0.1) != bytes }.map(\.0)
  }
}
