import Glibc

/// The names under which a server lets itself be called.
///
/// A foreign page can have its own name point at this server's address (DNS rebinding); its
/// requests then look as if they came from this server's own page, except for the name in `Host`.
struct TrustedHosts {
  private let names: Set<String>
  private let trustsAll: Bool

  /// - Parameter allowed: further names without a port; `*` trusts every name.
  init(allowed: [String]) {
    trustsAll = allowed.contains("*")
    var names = Set(allowed.map { $0.lowercased() })
    names.insert("localhost")
    let own = Self.machineName.lowercased()
    if !own.isEmpty { names.formUnion([own, own + ".local"]) }
    self.names = names
  }

  /// Whether a `Host` header names this server: a name of the list, or an address, which nobody can
  /// rebind. Without the header (HTTP/1.0) it is no browser.
  func trusts(_ host: String) -> Bool {
    if trustsAll || host.isEmpty { return true }
    let name = Self.name(in: host)
    return names.contains(name) || Self.isAddress(name)
  }

  /// The name in a `Host` header, in lower case, without port and brackets.
  static func name(in host: String) -> String {
    let lowered = host.lowercased()
    if lowered.hasPrefix("["), let end = lowered.firstIndex(of: "]") {
      let rest = lowered[lowered.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { return lowered }
      return String(lowered[lowered.index(after: lowered.startIndex)..<end])
    }
    var name = lowered.prefix { $0 != ":" }
    if name.hasSuffix(".") { name.removeLast() }
    return String(name)
  }

  private static func isAddress(_ name: String) -> Bool {
    var four = in_addr()
    var six = in6_addr()
    return inet_pton(AF_INET, name, &four) == 1 || inet_pton(AF_INET6, name, &six) == 1
  }

  private static var machineName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, 255) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
  }
}
