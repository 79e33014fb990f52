// Addresses: one, a range of them, and what limits for each address count by.

import Glibc

/// An IP address. An IPv4 address that is mapped into IPv6 is the IPv4 address, however it was
/// written: a limit or a list that knew only one of the two could be walked round.
struct NumericAddress: Hashable, Sendable {
  let isIPv4: Bool
  /// The address as a number: 32 bits of an IPv4 address, 128 of an IPv6 one.
  let bits: UInt128

  init(isIPv4: Bool, bits: UInt128) {
    let isMapped = !isIPv4 && bits >> 32 == 0xffff
    self.isIPv4 = isIPv4 || isMapped
    self.bits = isMapped ? bits & 0xffff_ffff : bits
  }

  /// Reads a numeric address without port, brackets or zone; nil for anything else.
  init?(_ text: some StringProtocol) {
    let text = String(text)
    // The C functions stop at a zero.
    guard !text.utf8.contains(0) else { return nil }
    var ipv4 = in_addr()
    var ipv6 = in6_addr()
    if inet_pton(AF_INET, text, &ipv4) == 1 {
      self.init(isIPv4: true, bits: UInt128(UInt32(bigEndian: ipv4.s_addr)))
    } else if inet_pton(AF_INET6, text, &ipv6) == 1 {
      self.init(isIPv4: false, bits: withUnsafeBytes(of: ipv6) { Self.number($0) })
    } else {
      return nil
    }
  }

  /// Bytes in the order of the network as a number.
  static func number(_ bytes: some Sequence<UInt8>) -> UInt128 {
    bytes.reduce(0) { $0 << 8 | UInt128($1) }
  }

  /// The address as it is usually written.
  var text: String {
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    if isIPv4 {
      var address = UInt32(bits).bigEndian
      inet_ntop(AF_INET, &address, &buffer, socklen_t(buffer.count))
    } else {
      var address = bits.bigEndian
      inet_ntop(AF_INET6, &address, &buffer, socklen_t(buffer.count))
    }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
  }
}

/// All addresses that begin alike, such as `10.0.0.0/8`, or a single one.
struct AddressRange: Equatable, Sendable {
  private let isIPv4: Bool
  private let bits: UInt128
  /// Bits behind those that must be alike.
  private let freeBits: Int

  /// Reads an address, or an address with the length of a prefix; nil for anything else.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let address = NumericAddress(parts[0]) else { return nil }
    let width = address.isIPv4 ? 32 : 128
    var length = width
    if parts.count == 2 {
      guard (1...3).contains(parts[1].count), parts[1].utf8.allSatisfy({ (48...57).contains($0) }),
        let given = Int(parts[1])
      else { return nil }
      // The prefix of a mapped IPv4 address is counted in IPv6's bits.
      length = address.isIPv4 && parts[0].contains(":") ? given - 96 : given
    }
    guard (0...width).contains(length) else { return nil }
    isIPv4 = address.isIPv4
    freeBits = width - length
    bits = address.bits >> UInt128(freeBits)
  }

  func contains(_ address: NumericAddress) -> Bool {
    address.isIPv4 == isIPv4 && address.bits >> UInt128(freeBits) == bits
  }
}

/// What limits for each address count by: all of an IPv4 address, the first 64 bits of an IPv6 one.
///
/// A household or a rented machine usually owns a whole IPv6 /64 (RFC 6177 gives sites a /56 or a
/// /48), so a limit on full IPv6 addresses would limit nobody.
public struct AddressPrefix: Hashable, Sendable {
  private enum Kind: UInt8 {
    case ipv4, ipv6
    /// A trusted proxy's connection whose client is not known: nobody's address.
    case connection
  }

  /// Of somebody whose address nobody remembers.
  public static let unknown = AddressPrefix("")

  private let kind: Kind
  private let bits: UInt64

  /// The prefix of a numeric address such as `192.168.1.20` or `2001:db8::1`. An IPv4 address that
  /// is mapped into IPv6 counts as IPv4. Anything else counts as one common prefix.
  public init(_ address: String) {
    self.init(NumericAddress(address))
  }

  /// The same of a numeric address alone; nil for anything else.
  public init?(numeric address: String) {
    guard let address = NumericAddress(address) else { return nil }
    self.init(address)
  }

  init(_ address: NumericAddress?) {
    kind = address?.isIPv4 == true ? .ipv4 : .ipv6
    bits = address.map { UInt64($0.isIPv4 ? $0.bits : $0.bits >> 64) } ?? 0
  }

  /// Of a trusted proxy's connection as long as nobody knows for whom it comes: it counts as an
  /// address of its own, so that no limit by address holds up the proxy.
  init(connection number: UInt64) {
    kind = .connection
    bits = number
  }

  /// Whether it is an address, and not merely a connection.
  public var isAddress: Bool { kind != .connection }
}
