/// The parts of a step, as an observer sees them end.
package enum StepStage: Int, Sendable, CaseIterable {
  /// Neighbours looked up: sort, search, match.
  case pairs
  /// Contacts found and dealt out to batches.
  case contacts
  /// Impulses solved, all sub-steps, with bounce and memory.
  case solve
  /// Positions moved, velocities driven.
  case integrate
  /// Resting groups put to sleep.
  case sleep
}
