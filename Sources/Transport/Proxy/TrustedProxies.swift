/// The peers that are believed when they say for whom they speak.
struct TrustedProxies: Equatable, Sendable {
  private let ranges: [AddressRange]

  /// - Parameter texts: addresses and prefixes, all of them valid; see `ListenerConfiguration`.
  init(_ texts: [String]) {
    ranges = texts.compactMap { AddressRange($0) }
  }

  func contains(_ address: NumericAddress) -> Bool {
    ranges.contains { $0.contains(address) }
  }

  /// For whom a trusted peer asks, by the `X-Forwarded-For` of a request: its right-most address
  /// that is not trusted itself.
  ///
  /// Each proxy appends the address that it was called from, so the list is to be believed from
  /// its end back to the first one that is no proxy of ours: what stands before that, the client
  /// may have written. An entry that is no address ends the search as well; then the request is
  /// the proxy's that wrote it. Where everybody is trusted, it is the first one's.
  ///
  /// `Forwarded` (RFC 7239) is not read: a proxy that writes one of the two headers passes the
  /// other one on as the client sent it, so who reads both lets clients choose their address.
  /// `X-Forwarded-For` is the one that nginx, HAProxy, Caddy, Traefik and the clouds' balancers
  /// write.
  ///
  /// - Parameter list: all lines of the header in their order, joined by commas.
  func client(in list: String, through peer: NumericAddress) -> NumericAddress {
    var client = peer
    for entry in list.split(separator: ",").reversed() {
      let entry = RequestHead.trimmed(entry)
      // RFC 9110 §5.6.1: empty elements of a list mean nothing.
      if entry.isEmpty { continue }
      guard let address = Self.address(in: entry) else { return client }
      client = address
      guard contains(address) else { return client }
    }
    return client
  }

  /// An address with or without a port: some balancers write one, and RFC 7239's brackets with it.
  private static func address(in entry: Substring) -> NumericAddress? {
    if entry.hasPrefix("[") {
      guard let end = entry.firstIndex(of: "]") else { return nil }
      let rest = entry[entry.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") && isPort(rest.dropFirst()) else { return nil }
      let inner = entry[entry.index(after: entry.startIndex)..<end]
      return inner.contains(":") ? NumericAddress(inner) : nil
    }
    if let address = NumericAddress(entry) { return address }
    guard let colon = entry.lastIndex(of: ":"), !entry[..<colon].contains(":"),
      isPort(entry[entry.index(after: colon)...])
    else { return nil }
    return NumericAddress(entry[..<colon])
  }

  private static func isPort(_ text: Substring) -> Bool {
    (1...5).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
  }
}
