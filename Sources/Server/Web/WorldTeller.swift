import Synchronization
import Transport

/// Answers questions for whole worlds away from the network thread: at 16 000 bodies a page of JSON
/// takes 36 ms to write, and frames would wait as long.
///
/// All network threads ask; the writing happens elsewhere, one page at a time.
final class WorldTeller: Sendable {
  /// Pages that wait to be written, half a second's worth of the largest; more are refused.
  private static let mostWaiting = 16
  /// What a page takes at most: for each body, and besides.
  private static let bytesPerBody = 176
  private static let bytesBesides = 4096

  private let run: Worker.Run
  private let waiting = Waiting()
  private let budget: WorldBudget

  private final class Waiting: Sendable {
    let count = Atomic(0)
  }

  init(limits: Limits, run: @escaping Worker.Run) {
    self.run = run
    budget = WorldBudget(limits)
  }

  /// Answers with a world as soon as it is written; false when the bytes of its address or of all
  /// are used up, or too many wait.
  /// - Parameter now: monotonic nanoseconds.
  func tell(
    _ moment: RecentWorlds.Moment, to address: AddressPrefix, at now: UInt64, _ later: HTTPLater
  ) -> Bool {
    guard waiting.count.load(ordering: .relaxed) < Self.mostWaiting,
      budget.take(
        Self.bytesBesides + Self.bytesPerBody * moment.bodies.count, of: address, at: now)
    else { return false }
    let waiting = waiting
    waiting.count.add(1, ordering: .relaxed)
    run {
      let body = WorldReport(moment).json
      waiting.count.subtract(1, ordering: .relaxed)
      later.complete(HTTPResponse(contentType: "application/json", body: body))
    }
    return true
  }

  /// Grants what a standstill of this process held up.
  func forgive(_ nanoseconds: UInt64) { budget.forgive(nanoseconds) }
}
