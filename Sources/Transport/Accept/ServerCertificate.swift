import CLibWebSockets

/// A certificate chain and its key as they were read from their files, found to belong together.
///
/// Sendable because nothing of it changes after `init`; what contexts take of it they share.
final class ServerCertificate: @unchecked Sendable {
  private let context: OpaquePointer

  /// Reads the files. Throws what is wrong with them, in the words of a start.
  init(_ files: ListenerConfiguration.TLSFiles) throws(TransportError) {
    try files.validate()
    guard let context = SSL_CTX_new(TLS_server_method()) else {
      throw .setupFailed("OpenSSL has no context")
    }
    self.context = context
    // What is left in OpenSSL's queue of errors is somebody else's next error.
    defer { ERR_clear_error() }
    guard SSL_CTX_use_PrivateKey_file(context, files.key, SSL_FILETYPE_PEM) == 1 else {
      throw .privateKeyUnreadable(path: files.key, reason: "it is damaged")
    }
    guard SSL_CTX_use_certificate_chain_file(context, files.certificate) == 1 else {
      throw .certificateUnreadable(path: files.certificate, reason: "it is damaged")
    }
    guard SSL_CTX_check_private_key(context) == 1 else {
      throw .keyMismatch(certificate: files.certificate, key: files.key)
    }
  }

  deinit { SSL_CTX_free(context) }

  /// Has a listener's context present it from the next handshake on, on the thread that serves
  /// the context.
  func install(in running: OpaquePointer) {
    let isTaken = stickerpit_take_certificate(running, context) == 1
    assert(isTaken, "it was checked")
    ERR_clear_error()
  }

  /// Whether a context that has the one would replace it by the other; otherwise it would have
  /// both, and go on presenting the old one to some.
  func canReplace(_ other: ServerCertificate) -> Bool {
    stickerpit_key_kind(context) == stickerpit_key_kind(other.context)
  }

  func isSame(as other: ServerCertificate) -> Bool {
    stickerpit_same_certificate(context, other.context) != 0
  }
}
