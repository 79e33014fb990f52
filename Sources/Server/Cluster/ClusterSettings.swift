import TickLog

/// How a server shares its world with others.
public struct ClusterSettings: Sendable {
  /// What this one does there.
  public enum Role: Equatable, Sendable {
    /// Runs the world and writes its log.
    case leader
    /// Follows the log, and runs the world when nobody else does any more.
    case standby
    /// Follows the log for clients of its own.
    case edge
  }

  /// The world's name.
  public var world: String
  public var role: Role
  /// Connects to the place where they meet.
  public var connect: @Sendable () throws(ClusterError) -> any ClusterLink

  public init(
    world: String, role: Role,
    connect: @escaping @Sendable () throws(ClusterError) -> any ClusterLink
  ) {
    self.world = world
    self.role = role
    self.connect = connect
  }
}
