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

  /// The server ends a connection.
  func logEnd(of session: Session, _ code: CloseCode, _ reason: String) {
    let isUsual = code == .continuedElsewhere || code == .serviceRestart
    // The versions are the client's choice, and there are many.
    let words = code == .unsupportedVersion ? "another version" : reason
    serverLog.write(
      isUsual ? .debug : .info, "a connection is ended: \(words)",
      metadata(of: session, ["code": "\(code)"]))
  }

  /// A connection ended that the session did not end.
  func logEnd(of session: Session, _ end: ConnectionEnd) {
    serverLog.write(
      end.isOwn ? .info : .debug,
      end.isOwn ? "a connection is ended: \(end.reason)" : "a connection was ended by its client",
      metadata(
        of: session,
        ["code": "\(end.code)", "reason": "\(end.isOwn ? "" : end.reason.debugDescription)"]))
  }

  private func metadata(of session: Session, _ more: Logger.Metadata = [:]) -> Logger.Metadata {
    var metadata = more
    metadata["connection"] = "\(thread).\(session.connection.id)"
    metadata["address"] = "\(session.connection.remoteAddress)"
    if let person = session.person?.identity { metadata["person"] = "\(person.id)" }
    return metadata
  }
}
