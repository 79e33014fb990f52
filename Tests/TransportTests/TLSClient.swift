import CLibWebSockets

@testable import Transport

/// OpenSSL's client without a socket: it says what it would send.
final class TLSClient {
  private let context = SSL_CTX_new(TLS_client_method())
  private let session: OpaquePointer?
  private let outgoing: OpaquePointer?

  /// - Parameter groups: for key exchange, as OpenSSL names them; it brings a share of the first.
  init(groups: String? = nil) {
    if let groups { stickerpit_set_groups(context, groups) }
    session = SSL_new(context)
    outgoing = BIO_new(BIO_s_mem())
    // The session owns both from now on.
    SSL_set_bio(session, BIO_new(BIO_s_mem()), outgoing)
    SSL_set_connect_state(session)
  }

  deinit {
    SSL_free(session)
    SSL_CTX_free(context)
  }

  /// The ClientHello, in one record, or what comes next of the handshake.
  ///
  /// - Parameter answer: what the server said to the last one.
  func hello(after answer: [UInt8] = []) -> [UInt8] {
    BIO_write(SSL_get_rbio(session), answer, Int32(answer.count))
    SSL_do_handshake(session)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = BIO_read(outgoing, &bytes, Int32(bytes.count))
    return Array(bytes.prefix(Int(max(0, count))))
  }
}
