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
