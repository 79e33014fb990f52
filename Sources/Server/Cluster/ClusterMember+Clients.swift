import Simulation
import TickLog
import Wire

/// Serving clients of its own, whoever leads.
extension ClusterMember {
  /// What a server lends its member, so that the member can serve the server's clients.
  struct Attachment {
    let exchange: Exchange
    let directory: Directory
    let handOvers: HandOverBox
    let limits: Limits
    let checksFrames: Bool
    /// Has the network threads send what was published.
    let wake: () -> Void
    /// Has ticks run from here on.
    let lead: (WorldStart, LeaderDesk) -> Void
    /// Runs what takes long elsewhere.
    let worker: Worker.Run
  }

  /// Nanoseconds from a tick's arrival until inputs are forwarded: about half a tick, so that they
  /// reach the leader in time for its next one.
  static let forwardDelay: UInt64 = 8_000_000
  /// Nanoseconds until they are forwarded without a tick: what is held by somebody who left must be
  /// let go even while the world stands still.
  private static let longestForwardDelay: UInt64 = 100_000_000

  /// Whether clients can be served: the world is there, and numbers for them.
  var isReady: Bool {
    guard !blocks.blocks.isEmpty else { return false }
    switch phase {
    case .following, .leading: return true
    case .claiming, .askingWorld, .catchingUp, .fencing, .over: return false
    }
  }

  /// Begins to show the world to clients.
  func attach(_ attachment: Attachment, now: UInt64) {
    self.attachment = attachment
    if case .leading(let leading) = phase, let replica {
      attachment.lead(WorldStart(replica), leading.desk)
    } else if let replica {
      edge = EdgeWorld(
        replica, limits: attachment.limits, checksFrames: attachment.checksFrames,
        exchange: attachment.exchange)
    }
    replica = nil
    for block in blocks.blocks { attachment.directory.add(block) }
  }

  /// Sends the leader what clients did, when it is time.
  func forward(_ now: UInt64) {
    forwarder.turn(link, now: now)
    let at = forwardAt ?? now + Self.longestForwardDelay
    forwardAt = at
    // With a number that somebody else may have by now nothing is done in the world.
    guard edge != nil, now >= at, forwarder.hasRoom, !blocks.hasDoubts else { return }
    forwardAt = nil
    edge!.takeInputs()
    let wantsWorld = edge!.wantsWorld
    guard !edge!.outgoing.isEmpty || wantsWorld else { return }
    forwarder.send(edge!.outgoing, wantsWorld: wantsWorld, to: link, now: now)
    edge!.forwarded()
  }
}
