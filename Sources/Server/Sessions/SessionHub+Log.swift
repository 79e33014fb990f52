import Logging
import Transport
import Wire

/// What the log says of single connections: at `debug` everything, at `info` what the server ended
/// for a reason that an operator may want to know.
extension SessionHub {
  func logOpened(_ session: Session) {
    serverLog.write(.debug, "a connection opened", metadata(of: session))
  }

  func logWelcome(_ session: Session, isBack: Bool) {
    serverLog.write(.debug, isBack ? "a person came back" : "a person came", metadata(of: session))
  }

  func logRate(_ change: RateControl.Change, of session: Session) {
    serverLog.write(
      .debug, change == .slower ? "a rate was lowered" : "a rate was raised",
      metadata(of: session, ["rate": "\(session.stream.rate.rawValue)"]))
  }

  /// A connection ended, or is about to. Repeated lines are summed, so what a client chose stands
  /// beside them: versions, and what its own close frame said.
  func logEnd(of session: Session, _ cause: EndCause, _ end: ConnectionEnd) {
    let isSaidByClient = !end.isOwn || cause == .otherVersion
    let words: String =
      switch cause {
      case .client: "ended by its client"
      case .lost: "lost"
      case .otherVersion: "ended: another version"
      default: "ended: \(end.reason)"
      }
    serverLog.write(
      cause.isUsual ? .debug : .info, "a connection is \(words)",
      metadata(
        of: session,
        [
          "code": "\(end.code)", "cause": "\(cause.rawValue)",
          "reason": "\(isSaidByClient ? end.reason.debugDescription : "")",
        ]))
  }

  private func metadata(of session: Session, _ more: Logger.Metadata = [:]) -> Logger.Metadata {
    var metadata = more
    metadata["connection"] = "\(thread).\(session.connection.id)"
    metadata["address"] = "\(session.connection.remoteAddress)"
    if let person = session.person?.identity { metadata["person"] = "\(person.id)" }
    return metadata
  }
}
