import Server
import Transport

/// Errors tell what to change by its flag. What the file or the environment gave is to be changed
/// there, so that the line says so.
extension ResolvedConfiguration {
  /// A start that failed, in one line that also says where the values come from that it is about.
  func failure(_ error: StartError) -> Failure { failure(error.description, error.keys) }

  /// The same for what is wrong with the values of some keys.
  /// - Parameter words: one line that says what to do.
  func failure(_ words: String, _ keys: [String]) -> Failure {
    let places = keys.compactMap { key -> String? in
      guard let setting = Setting.named(key) else { return nil }
      let origin = self.source(of: key)
      switch origin {
      case .file, .environment: return "\(key) is from \(origin.label(of: setting))"
      case .standard, .following, .flag: return nil
      }
    }
    return Failure(places.isEmpty ? words : "\(words) (\(places.joined(separator: ", ")))")
  }

  /// What is wrong in a file that a key names: its path, and who named it.
  func failure(in file: String, namedBy key: String, _ words: String) -> Failure {
    let name = Setting.named(key).map(source(of: key).name) ?? key
    return Failure("\(file) (\(name)): \(words)")
  }
}

extension StartError {
  /// The keys whose values it is about.
  var keys: [String] {
    switch self {
    case .network(let error): error.keys
    case .admin: ["admin-listen"]
    // The key of tokens that the server keeps itself is beside its journal.
    case .journal, .tokenKey: ["data"]
    case .cluster: ["nats"]
    case .otherStickers: ["stickers"]
    case .webFolderMissing, .webFolderUnreadable, .webFileMissing: ["web"]
    // Both are found before the start, where the keys are named.
    case .badWorld, .badLimit: []
    }
  }
}

extension TransportError {
  /// The keys of the configuration whose values it is about.
  var keys: [String] {
    switch self {
    case .portInUse, .portNotPermitted: ["port"]
    case .addressUnavailable: ["host"]
    case .webFolderUnreadable: ["web"]
    case .certificateUnreadable: ["tls-cert"]
    case .privateKeyUnreadable: ["tls-key"]
    case .keyMismatch: ["tls-cert", "tls-key"]
    case .certificateUnwritable: ["tls-self-signed"]
    case .badConfiguration, .setupFailed, .alreadyStarted, .invalidURL, .caFileUnreadable,
      .invalidHTTPURL, .refused, .handshakeRejected, .connectionFailed:
      []
    }
  }
}
