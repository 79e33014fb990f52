import CLibWebSockets
import Glibc

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

/// A certificate that a server makes for itself, for a network where nobody else vouches for it:
/// phones need a secure page for their motion sensors. They warn about it once.
///
/// ```swift
/// let made = try SelfSignedCertificate(
///   keptIn: "tls", for: .init(names: ["localhost"], addresses: ["127.0.0.1"]))
/// configuration.tls = made.files
/// ```
public struct SelfSignedCertificate: Sendable {
  /// For how many days it counts: phones refuse those that count for more than 398
  /// (CA/Browser Forum, Baseline Requirements 6.3.2).
  public static let days = 397
  /// It is made anew when so many days are left, longer than any party.
  static let leastDays = 7

  /// Whom it is for.
  public struct Subjects: Sendable, Equatable {
    /// Names of the machine, without a port.
    public var names: [String]
    /// Numeric addresses of the machine.
    public var addresses: [String]

    public init(names: [String], addresses: [String]) {
      self.names = names
      self.addresses = addresses
    }

    /// In the words of OpenSSL's `subjectAltName`.
    var text: String {
      (names.map { "DNS:\($0)" } + addresses.map { "IP:\($0)" }).joined(separator: ",")
    }
  }

  /// Where certificate and key stand.
  public let files: ListenerConfiguration.TLSFiles
  /// Whether it was made just now, so that phones warn again.
  public let isNew: Bool

  /// The one that is kept in a folder, or a new one if there is none, if it is damaged, about to
  /// expire, or not for all of these subjects.
  ///
  /// - Parameter folder: made if it is missing, for the owner alone.
  /// - Throws: that the folder can't be written, or that OpenSSL fails.
  public init(keptIn folder: String, for subjects: Subjects) throws(TransportError) {
    precondition(!subjects.names.isEmpty)
    files = .init(certificate: folder + "/certificate.pem", key: folder + "/key.pem")
    isNew = !Self.serves(files, subjects)
    guard isNew else { return }
    try Self.makeFolder(folder)
    let made = try Self.make(subjects)
    // The key first: a certificate that is there has its key beside it, or is found not to fit.
    try Self.write(made.key, to: files.key)
    try Self.write(made.certificate, to: files.certificate)
  }

  /// Whether the files hold one that still counts, for all of them.
  private static func serves(
    _ files: ListenerConfiguration.TLSFiles, _ subjects: Subjects
  ) -> Bool {
    guard (try? ServerCertificate(files)) != nil, let text = BIO_new_file(files.certificate, "r")
    else { return false }
    defer { BIO_free(text) }
    guard let certificate = PEM_read_bio_X509(text, nil, nil, nil) else { return false }
    defer { X509_free(certificate) }
    return stickerpit_counts_until(certificate, time(nil) + 86_400 * leastDays) == 1
      && subjects.names.allSatisfy { X509_check_host(certificate, $0, 0, 0, nil) == 1 }
      && subjects.addresses.allSatisfy { X509_check_ip_asc(certificate, $0, 0) == 1 }
  }

  private static func make(
    _ subjects: Subjects
  ) throws(TransportError) -> (key: String, certificate: String) {
    var (key, certificate): (OpaquePointer?, OpaquePointer?)
    // 64 characters at most (RFC 5280, ub-common-name). It is for people: machines read the others.
    let name = String("Sticker Pit on \(subjects.names[0])".prefix(64))
    let isMade = stickerpit_make_certificate(
      name, subjects.text, Int32(days), &key, &certificate)
    defer { ERR_clear_error() }
    guard isMade == 1, let key, let certificate else {
      throw .setupFailed("OpenSSL could not make a certificate for \(subjects.text)")
    }
    defer {
      BIO_free(key)
      BIO_free(certificate)
    }
    return (text(of: key), text(of: certificate))
  }

  private static func text(of memory: OpaquePointer) -> String {
    var start: UnsafePointer<CChar>?
    let count = stickerpit_text(memory, &start)
    guard let start else { return "" }
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Files

  private static func makeFolder(_ path: String) throws(TransportError) {
    var parent = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      parent += parent.isEmpty && !path.hasPrefix("/") ? String(part) : "/\(part)"
      guard !part.isEmpty, access(parent, F_OK) != 0 else { continue }
      guard mkdir(parent, 0o700) == 0 || errno == EEXIST else { throw failure(parent) }
    }
  }

  /// Writes a file so that it is there as a whole or not at all, for the owner alone.
  private static func write(_ text: String, to path: String) throws(TransportError) {
    let draft = path + ".new"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(draft) }
    defer { close(file) }
    let bytes = Array(text.utf8)
    let written = Glibc.write(file, bytes, bytes.count)
    // A write that is short without an error has met the end of the disk.
    if written >= 0, written < bytes.count { errno = ENOSPC }
    guard written == bytes.count, fsync(file) == 0, rename(draft, path) == 0 else {
      throw failure(path)
    }
  }

  private static func failure(_ path: String) -> TransportError {
    .certificateUnwritable(path: path, reason: String(cString: strerror(errno)))
  }
}
