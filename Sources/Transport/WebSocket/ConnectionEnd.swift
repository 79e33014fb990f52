/// How a WebSocket connection ended, or is about to.
public struct ConnectionEnd: Equatable, Sendable {
  /// The code of the first close frame; ``CloseCode/abnormal`` when there was none.
  public var code: CloseCode
  /// What it said. A peer's words are its own: nobody has checked them.
  public var reason: String
  /// Whether this side closed. With ``CloseCode/abnormal`` it gave the connection up without a
  /// close frame, because nobody would have read one: no sign of life came any more. Where the
  /// network lost the connection it is `false`.
  public var isOwn: Bool

  public init(code: CloseCode = .abnormal, reason: String = "", isOwn: Bool = false) {
    self.code = code
    self.reason = reason
    self.isOwn = isOwn
  }

  /// What a close frame says of it. Codes that must not be sent are left out, and the words with
  /// them.
  var closePayload: [UInt8] {
    guard code.isSendable else { return [] }
    var payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 255)]
    payload += Array(reason.utf8)
    return payload
  }
}

/// How far two sides have got with parting: each says once that it closes (RFC 6455, 7.1.2).
struct ClosingHandshake {
  /// Whether this side's close frame was written.
  var hasSaidClose = false
  /// Whether nothing more is expected from the client: it has said that it closes, or broke a rule.
  var hasHeardAll = false
  private var restLeft = FixedLimits.restBytes

  /// Counts bytes that came after all was heard, and that nobody looks at.
  /// - Returns: false for more than a client may still send.
  mutating func takeRest(_ count: Int) -> Bool {
    assert(hasHeardAll)
    restLeft -= count
    return restLeft >= 0
  }
}

/// Why a WebSocket connection was closed: the status codes of RFC 6455 §7.4.1, and the range
/// 4000…4999 that an application may use for its own.
public struct CloseCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  public let rawValue: UInt16

  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// The work is done.
  public static let normal = CloseCode(rawValue: 1000)
  /// The server stops, or the page was left.
  public static let goingAway = CloseCode(rawValue: 1001)
  /// The peer broke the WebSocket protocol.
  public static let protocolError = CloseCode(rawValue: 1002)
  /// A kind of message that this side does not take; text, for this server.
  public static let unsupportedData = CloseCode(rawValue: 1003)
  /// A close frame without a code arrived. Never sent.
  public static let noStatus = CloseCode(rawValue: 1005)
  /// The connection was lost, or given up, without a close frame. Never sent.
  public static let abnormal = CloseCode(rawValue: 1006)
  /// The peer's message does not make sense.
  public static let invalidPayload = CloseCode(rawValue: 1007)
  /// The peer broke a rule or passed a limit.
  public static let policy = CloseCode(rawValue: 1008)
  /// A message was larger than allowed.
  public static let tooBig = CloseCode(rawValue: 1009)
  /// The server failed.
  public static let internalError = CloseCode(rawValue: 1011)
  /// The server ends, and another one takes its place: come back.
  public static let serviceRestart = CloseCode(rawValue: 1012)
  /// The server is full; try again later.
  public static let tryAgainLater = CloseCode(rawValue: 1013)

  /// Whether this code may stand in a close frame: RFC 6455 §7.4 and what was registered since.
  /// 1005, 1006 and 1015 only describe what happened.
  public var isSendable: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }

  public var description: String { String(rawValue) }
}

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
