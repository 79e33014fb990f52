// The link of `StickerPitClient` on Linux, on libwebsockets and libev, as the server's own sockets
// are. It is a module of its own because those need the trait Server: whoever depends on this
// package with `traits: []` has `StickerPitClient`, and a link of another kind.
//
//     let client = try PitClient(socket: "ws://localhost:8080/ws")

import StickerPitClient
import Transport
import Wire

extension PitClient {
  /// A client that connects to an address.
  /// - Parameters:
  ///   - url: `ws://host:port/ws` or `wss://host:port/ws`.
  ///   - wishes: what it wants to be sent.
  ///   - token: that of an earlier client, to be the same person again.
  ///   - acceptsAnyCertificate: lets a server in that signed its certificate itself.
  /// - Throws: `TransportError.invalidURL` for another address. What goes wrong later is in the
  ///   client's state.
  public convenience init(
    socket url: String, _ wishes: Wishes = Wishes(), token: SessionToken? = nil,
    acceptsAnyCertificate: Bool = false
  ) throws(TransportError) {
    try SocketLink.check(url)
    self.init(wishes, token: token) {
      SocketLink(url, acceptsAnyCertificate: acceptsAnyCertificate)
    }
  }
}
