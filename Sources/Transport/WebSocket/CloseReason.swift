/// The text beside a close code.
enum CloseReason {
  /// RFC 6455 §5.5: a control frame holds at most 125 bytes, two of which are the code.
  static let maximumBytes = 123

  /// Cuts whole characters off the end until the text fits.
  static func truncated(_ reason: String) -> String {
    guard reason.utf8.count > maximumBytes else { return reason }
    var result = reason
    while result.utf8.count > maximumBytes { result.removeLast() }
    return result
  }
}
