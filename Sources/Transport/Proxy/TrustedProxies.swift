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

/// What the first bytes of a trusted peer's connection are: a header of the PROXY protocol, in its
/// versions 1 (a line of text) and 2 (binary), or what the client itself sent.
///
/// A sender writes the header at once and before anything else, TLS included.
enum ProxyHeader: Equatable {
  /// More must come.
  case incomplete
  /// No header: the connection speaks for the peer itself, or names its client in its requests.
  case none
  /// A header of so many bytes. The client's address is nil where the peer speaks for itself
  /// (`LOCAL`, `UNKNOWN`), as balancers do that look whether the server is alive.
  case complete(bytes: Int, client: NumericAddress?)
  /// Begins like a header and is none, in words.
  case malformed(String)

  /// The longest line of version 1, its line break included.
  static let mostLineBytes = 107
  /// The longest header of version 2 that is taken. Its length field could say 64 kB, but
  /// addresses and what balancers add to them (names, checksums, certificates' subjects) have a
  /// few hundred bytes, and the whole header must fit into the kernel's buffer to be looked at.
  static let mostBytes = fixedBytes + 4096

  private static let fixedBytes = 16
  private static let signature: [UInt8] = [
    0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a,
  ]
  private static let word = Array("PROXY ".utf8)

  /// Looks at everything that has come so far.
  init(_ bytes: UnsafeRawBufferPointer) {
    if bytes.isEmpty {
      self = .incomplete
    } else if Self.agrees(bytes, with: Self.word) {
      self = Self.line(bytes)
    } else if Self.agrees(bytes, with: Self.signature) {
      self = Self.binary(bytes)
    } else {
      self = .none
    }
  }

  /// Whether what has come is the beginning, as far as it goes.
  private static func agrees(_ bytes: UnsafeRawBufferPointer, with beginning: [UInt8]) -> Bool {
    bytes.prefix(beginning.count).elementsEqual(beginning.prefix(bytes.count))
  }

  // MARK: Version 1

  private static func line(_ bytes: UnsafeRawBufferPointer) -> ProxyHeader {
    let seen = bytes.prefix(mostLineBytes)
    guard let end = seen.firstIndex(of: 13) else {
      return seen.count < mostLineBytes ? .incomplete : .malformed("its line does not end")
    }
    guard end + 1 < seen.count else {
      return seen.count < mostLineBytes ? .incomplete : .malformed("its line does not end")
    }
    guard seen[end + 1] == 10 else { return .malformed("its line ends in half a line break") }
    let words = seen[word.count..<end].split(separator: 32, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    // Whatever stands behind UNKNOWN is to be ignored.
    if words.first == "UNKNOWN" { return .complete(bytes: end + 2, client: nil) }
    guard words.count == 5, words[0] == "TCP4" || words[0] == "TCP6" else {
      return .malformed("its line has other words than the protocol's")
    }
    let isIPv4 = words[0] == "TCP4"
    guard let source = address(words[1], isIPv4), address(words[2], isIPv4) != nil,
      isPort(words[3]), isPort(words[4])
    else { return .malformed("its line has no two addresses and ports") }
    return .complete(bytes: end + 2, client: source)
  }

  /// An address of the family that was announced, written as such.
  private static func address(_ text: String, _ isIPv4: Bool) -> NumericAddress? {
    text.contains(":") == isIPv4 ? nil : NumericAddress(text)
  }

  private static func isPort(_ text: String) -> Bool {
    text.utf8.allSatisfy { (48...57).contains($0) } && (text == "0" || !text.hasPrefix("0"))
      && text.utf8.count <= 5 && (UInt32(text) ?? .max) <= 65_535
  }

  // MARK: Version 2

  private static func binary(_ bytes: UnsafeRawBufferPointer) -> ProxyHeader {
    guard bytes.count >= fixedBytes else { return .incomplete }
    let (version, command) = (bytes[12] >> 4, bytes[12] & 15)
    guard version == 2, command <= 1 else { return .malformed("its version or command is unknown") }
    let length = Int(bytes[14]) << 8 | Int(bytes[15])
    let whole = fixedBytes + length
    guard whole <= mostBytes else { return .malformed("it has more than \(mostBytes) bytes") }
    // Families are IPv4 and IPv6 over TCP. What came by datagrams or a Unix socket has no address
    // that means anything here: then it is the peer's own connection, as the protocol advises.
    let addressBytes = command == 0 ? 0 : bytes[13] == 0x11 ? 4 : bytes[13] == 0x21 ? 16 : 0
    guard length >= (addressBytes == 0 ? 0 : 2 * addressBytes + 4) else {
      return .malformed("it is too short for its addresses")
    }
    guard bytes.count >= whole else { return .incomplete }
    guard addressBytes > 0 else { return .complete(bytes: whole, client: nil) }
    let source = bytes[fixedBytes..<(fixedBytes + addressBytes)]
    return .complete(
      bytes: whole,
      client: NumericAddress(isIPv4: addressBytes == 4, bits: NumericAddress.number(source)))
  }
}
