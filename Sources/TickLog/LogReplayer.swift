import Simulation
import Synchronization

/// Something that has a core: it begins with a snapshot and carries out records. Used by one thread
/// at a time. Each call throws where the core can't be reached any more.
public protocol LogReplayer: AnyObject, Sendable {
  /// - Returns: whether the bytes are a snapshot.
  func begin(_ snapshot: [UInt8]) throws(JournalError) -> Bool
  func replay(_ group: LogGroup) throws(JournalError) -> ReplayResult
  /// Hashes in the records since the snapshot that were the world's.
  func hashesMatched() throws(JournalError) -> Int
  /// The hash of the world now.
  func stateHash() throws(JournalError) -> UInt64
}

/// What became of a group's records.
public enum ReplayResult: Equatable, Sendable {
  case done
  /// After the tick at a position the world was not the one that was there.
  case diverged(at: UInt64)
  /// They can't be carried out, for a reason.
  case refused(String)
}

/// The core of this program.
public final class NativeReplayer: LogReplayer, @unchecked Sendable {
  private var replica: Replica?

  public init() {}

  public func begin(_ snapshot: [UInt8]) -> Bool {
    replica = try? Replica(snapshot: snapshot)
    return replica != nil
  }

  public func replay(_ group: LogGroup) -> ReplayResult {
    do throws(ReplicaError) {
      guard let count = try replica?.receive(group.records) else { return .refused("no snapshot") }
      return count == group.count ? .done : .refused("\(count) ticks instead of \(group.count)")
    } catch .diverged(let tick) {
      return .diverged(at: group.position(of: tick))
    } catch {
      return .refused("\(error)")
    }
  }

  public func hashesMatched() -> Int { replica?.hashesMatched ?? 0 }
  public func stateHash() -> UInt64 { replica?.pit.stateHash() ?? 0 }
}

/// Replayers that are free.
final class ReplayerPool: Sendable {
  private let free = Mutex<[any LogReplayer]>([])

  func take() -> (any LogReplayer)? { free.withLock { $0.popLast() } }
  func giveBack(_ replayer: any LogReplayer) { free.withLock { $0.append(replayer) } }
}
