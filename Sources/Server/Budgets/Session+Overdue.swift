extension Session {
  /// Why it is to be ended now, and what its close frame says: its client never said hello, or
  /// takes nothing any more. Nil for neither.
  /// - Parameter awake: awake nanoseconds.
  func overdue(_ limits: Limits, awake: UInt64) -> (cause: EndCause, reason: String)? {
    let silence = awake - lastSign
    func exceeds(_ seconds: Int) -> Bool { silence > UInt64(seconds) * 1_000_000_000 }
    if person == nil {
      guard exceeds(limits.helloSeconds) else { return nil }
      return (.noHello, "no hello within \(limits.helloSeconds) s")
    }
    guard exceeds(limits.stalledSeconds) else { return nil }
    return (.stalling, "took no frame for \(limits.stalledSeconds) s")
  }
}
