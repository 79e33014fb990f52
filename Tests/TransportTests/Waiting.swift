import Glibc
import Testing
import Transport

/// Waits until the condition holds. Gives up only after a time that no working machine needs, and
/// then fails the test.
func eventually(
  _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () -> Bool
) {
  let deadline = MonotonicClock.nanoseconds() + 120_000_000_000
  while !condition() {
    guard MonotonicClock.nanoseconds() < deadline else {
      Issue.record(comment, sourceLocation: sourceLocation)
      return
    }
    usleep(2_000)
  }
}
