import Testing

@testable import Transport

/// Who a connection or a request comes from, by what proxies write.
@Suite struct ProxyHeaderTests {
  private static func look(_ bytes: some Sequence<UInt8>) -> ProxyHeader {
    Array(bytes).withUnsafeBytes { ProxyHeader($0) }
  }

  private static func look(_ text: String) -> ProxyHeader { look(text.utf8) }

  private static func isMalformed(_ header: ProxyHeader) -> Bool {
    if case .malformed = header { return true }
    return false
  }

  /// A header of version 2.
  static func binary(
    command: UInt8 = 0x21, family: UInt8 = 0x11, _ body: [UInt8], length: Int? = nil
  ) -> [UInt8] {
    let count = length ?? body.count
    return [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10, command, family]
      + [UInt8(count >> 8), UInt8(count & 255)] + body
  }

  static let ipv4Body: [UInt8] = [203, 0, 113, 7, 10, 0, 0, 1, 0x30, 0x39, 0, 80]

  @Test func linesAreReadWithTheirLastByte() {
    let line = "PROXY TCP4 203.0.113.7 10.0.0.1 56324 443\r\n"
    let bytes = Array(line.utf8)
    for count in 0..<bytes.count {
      #expect(Self.look(bytes[..<count]) == .incomplete, "\(count)")
    }
    let complete = ProxyHeader.complete(bytes: bytes.count, client: NumericAddress("203.0.113.7"))
    #expect(Self.look(line) == complete && Self.look(line + "GET / HTTP/1.1") == complete)
    let six = "PROXY TCP6 2001:db8::7 2001:db8::1 0 65535\r\n"
    #expect(
      Self.look(six) == .complete(bytes: six.utf8.count, client: NumericAddress("2001:db8::7")))
    for unknown in ["PROXY UNKNOWN\r\n", "PROXY UNKNOWN ffff:: what ever 1\r\n"] {
      #expect(Self.look(unknown) == .complete(bytes: unknown.utf8.count, client: nil))
    }
    let longest =
      "PROXY UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535".padding(to: 105) + "\r\n"
    #expect(Self.look(longest) == .complete(bytes: 107, client: nil))
  }

  @Test(arguments: [
    "PROXY TCP4 203.0.113.7 10.0.0.1 56324\r\n", "PROXY TCP4  203.0.113.7 10.0.0.1 1 2\r\n",
    "PROXY TCP4 203.0.113.7 10.0.0.1 1 2 \r\n", "PROXY TCP4 203.0.113.7 10.0.0.1 1 65536\r\n",
    "PROXY TCP4 203.0.113.7 10.0.0.1 01 2\r\n", "PROXY TCP4 203.0.113.7 10.0.0.1 -1 2\r\n",
    "PROXY TCP4 203.0.113.7 10.0.0.1 1 2\rX", "PROXY TCP4 2001:db8::7 2001:db8::1 1 2\r\n",
    "PROXY TCP6 203.0.113.7 10.0.0.1 1 2\r\n", "PROXY TCP4 203.0.113.777 10.0.0.1 1 2\r\n",
    "PROXY TCP4 010.0.0.1 10.0.0.1 1 2\r\n", "PROXY tcp4 203.0.113.7 10.0.0.1 1 2\r\n",
    "PROXY TCP6 fe80::1%eth0 fe80::2 1 2\r\n", "PROXY UNKNOWNX\r\n", "PROXY \r\n",
    "PROXY TCP4 203.0.113.7\0 10.0.0.1 1 2\r\n",
    "PROXY UNKNOWN " + String(repeating: "a", count: 92) + "\r\n",
    "PROXY UNKNOWN " + String(repeating: "a", count: 91) + "\r\n",
  ])
  func malformedLinesAreRefused(_ line: String) {
    let isLongest = line.utf8.count == 107
    #expect(Self.isMalformed(Self.look(line)) != isLongest, "\(line)")
  }

  @Test func binaryHeadersAreReadWithTheirLastByte() {
    let header = Self.binary(Self.ipv4Body + [0x04, 0, 1, 0])
    for count in 0..<header.count {
      #expect(Self.look(header[..<count]) == .incomplete, "\(count)")
    }
    let client = NumericAddress("203.0.113.7")
    #expect(Self.look(header + [22, 3, 1]) == .complete(bytes: 32, client: client))
    let mapped = [UInt8](repeating: 0, count: 10) + [255, 255, 203, 0, 113, 7]
    let six = Self.binary(family: 0x21, mapped + [UInt8](repeating: 1, count: 16) + [0, 1, 0, 2])
    #expect(Self.look(six) == .complete(bytes: 52, client: client), "a mapped IPv4 address")
    let local = Self.binary(command: 0x20, family: 0, [])
    #expect(Self.look(local) == .complete(bytes: 16, client: nil))
    for family in [0x00, 0x12, 0x22, 0x31, 0x77] as [UInt8] {
      let other = Self.binary(family: family, [1, 2, 3])
      #expect(Self.look(other) == .complete(bytes: 19, client: nil), "\(family)")
    }
  }

  @Test func malformedBinaryHeadersAreRefused() {
    #expect(Self.isMalformed(Self.look(Self.binary(command: 0x11, Self.ipv4Body))))
    #expect(Self.isMalformed(Self.look(Self.binary(command: 0x22, Self.ipv4Body))))
    #expect(Self.isMalformed(Self.look(Self.binary(Array(Self.ipv4Body.dropLast())))))
    #expect(Self.isMalformed(Self.look(Self.binary(family: 0x21, Self.ipv4Body))))
    #expect(Self.isMalformed(Self.look(Self.binary([], length: 4097))))
    #expect(Self.look(Self.binary(Self.ipv4Body, length: 4096)) == .incomplete)
  }

  @Test func everythingElseIsNoHeader() {
    for text in ["GET / HTTP/1.1\r\n", "PROXX", "P ", "\r\nGET", "\u{16}\u{3}\u{1}"] {
      #expect(Self.look(text) == .none, "\(text)")
    }
    #expect(Self.look([13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 11]) == .none)
  }

  @Test func rangesHoldTheirAddresses() throws {
    func holds(_ range: String, _ address: String) throws -> Bool {
      let range = try #require(AddressRange(range), "\(range)")
      return range.contains(try #require(NumericAddress(address)))
    }
    #expect(try holds("10.0.0.0/8", "10.255.0.1") && !holds("10.0.0.0/8", "11.0.0.1"))
    #expect(try holds("10.1.2.3", "::ffff:10.1.2.3") && !holds("10.1.2.3", "10.1.2.4"))
    #expect(try holds("::ffff:10.0.0.0/104", "10.9.9.9"))
    #expect(try holds("0.0.0.0/0", "203.0.113.7") && !holds("0.0.0.0/0", "2001:db8::1"))
    #expect(try holds("::/0", "2001:db8::1") && !holds("::/0", "203.0.113.7"))
    #expect(try holds("2001:db8::/32", "2001:db8:1::9") && !holds("2001:db8::/32", "2001:db9::"))
    #expect(try holds("fd00::1", "fd00::1") && !holds("fd00::1", "fd00::2"))
    let wrong = [
      "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0/8", "::/129",
      "10.0.0.0/8/8", "proxy.example", "10.0.0.1 ", "[::1]", "::ffff:10.0.0.0/24", "*",
    ]
    for text in wrong { #expect(AddressRange(text) == nil, "\(text)") }
  }

  @Test(arguments: [
    ("203.0.113.7", "203.0.113.7"), ("198.51.100.1, 203.0.113.7", "203.0.113.7"),
    ("198.51.100.1, 203.0.113.7, 10.0.0.2", "203.0.113.7"), ("10.0.0.9, 10.0.0.2", "10.0.0.9"),
    ("203.0.113.7:4711", "203.0.113.7"), ("[2001:db8::7]:443", "2001:db8::7"),
    ("[2001:db8::7]", "2001:db8::7"), ("2001:db8::7", "2001:db8::7"),
    ("::ffff:203.0.113.7", "203.0.113.7"), ("203.0.113.7, ::ffff:10.0.0.2", "203.0.113.7"),
    ("  203.0.113.7\t,, ", "203.0.113.7"), ("", "10.0.0.1"), (" , ,", "10.0.0.1"),
    ("203.0.113.7, unknown", "10.0.0.1"), ("203.0.113.7, nonsense, 10.0.0.2", "10.0.0.2"),
    ("203.0.113.7:", "10.0.0.1"), ("203.0.113.7:x", "10.0.0.1"), ("[203.0.113.7]", "10.0.0.1"),
    ("[2001:db8::7", "10.0.0.1"), ("[2001:db8::7]x", "10.0.0.1"), ("010.0.0.1", "10.0.0.1"),
    ("203.0.113.7 203.0.113.8", "10.0.0.1"), ("\"203.0.113.7\"", "10.0.0.1"),
    ("fe80::1%eth0", "10.0.0.1"),
  ])
  func theClientIsTheLastWhoIsNoProxy(_ list: String, _ client: String) throws {
    let trusted = TrustedProxies(["10.0.0.0/8"])
    let peer = try #require(NumericAddress("10.0.0.1"))
    #expect(trusted.client(in: list, through: peer).text == client)
  }
}

extension String {
  fileprivate func padding(to count: Int) -> String {
    self + String(repeating: " ", count: count - self.utf8.count)
  }
}
