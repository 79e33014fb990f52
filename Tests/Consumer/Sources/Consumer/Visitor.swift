import StickerPitClient

/// A link of one's own, for a client without the server's packages: this one leads nowhere and
/// hears what it is told to.
final class DeafLink: PitLink {
  let inbox = LinkInbox()

  func send(_ message: [UInt8]) {}
  func take() -> [LinkEvent] { inbox.take() }
  func close() {}
}

/// Whether a client says hello, and understands that a server of another version welcomes it.
func visitsAServer() -> Bool {
  let link = DeafLink()
  let client = PitClient { link }
  client.connect()
  let isConnecting = client.state == .connecting && client.picture().stickers.isEmpty
  // A version far above ours, which no version of ours reaches soon.
  link.inbox.put(.message([0x81, 250, 0]))
  _ = client.picture()
  guard case .ended(.otherVersion(let words)) = client.state else { return false }
  return isConnecting && words.contains("version 250")
}
