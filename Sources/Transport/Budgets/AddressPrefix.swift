import Glibc

/// What limits for each address count by: all of an IPv4 address, the first 64 bits of an IPv6 one.
///
/// A household or a rented machine usually owns a whole IPv6 /64 (RFC 6177 gives sites a /56 or a
/// /48), so a limit on full IPv6 addresses would limit nobody.
public struct AddressPrefix: Hashable, Sendable {
  private let isIPv4: Bool
  private let bits: UInt64

  /// The prefix of a numeric address such as `192.168.1.20` or `2001:db8::1`. An IPv4 address that
  /// is mapped into IPv6 counts as IPv4. Anything else counts as one common prefix.
  public init(_ address: String) {
    var ipv4 = in_addr()
    var ipv6 = in6_addr()
    if inet_pton(AF_INET, address, &ipv4) == 1 {
      isIPv4 = true
      bits = UInt64(UInt32(bigEndian: ipv4.s_addr))
    } else if inet_pton(AF_INET6, address, &ipv6) == 1 {
      let bytes = withUnsafeBytes(of: ipv6) { Array($0) }
      let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
      isIPv4 = isMapped
      bits = bytes[isMapped ? 12..<16 : 0..<8].reduce(0) { $0 << 8 | UInt64($1) }
    } else {
      isIPv4 = false
      bits = 0
    }
  }
}
