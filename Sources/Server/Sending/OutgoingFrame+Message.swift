import Transport
import Wire

extension OutgoingFrame {
  /// A message of the server, encoded once for whomever it is sent to.
  convenience init(_ message: ServerMessage) {
    var bytes: [UInt8] = []
    message.encode(into: &bytes)
    self.init(copying: bytes)
  }
}
