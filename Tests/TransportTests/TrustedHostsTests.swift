import Testing

@testable import Transport

/// What a `Host` header may be written like, and what only looks like it.
@Suite struct TrustedHostsTests {
  private let hosts = TrustedHosts(allowed: ["Pit.example"])

  @Test(arguments: [
    ("pit.example", "pit.example"), ("PIT.Example:8443", "pit.example"),
    ("pit.example.", "pit.example"), ("pit.example.:80", "pit.example"), ("[::1]", "::1"),
    ("[::1]:80", "::1"), ("[2001:DB8::7]:443", "2001:db8::7"), ("127.0.0.1:8080", "127.0.0.1"),
  ])
  func aNameIsFoundWhateverStandsAroundIt(host: String, name: String) {
    #expect(TrustedHosts.name(in: host) == name)
    #expect(hosts.trusts(host))
  }

  /// An address in brackets with something behind it is a name that a foreign page could bring.
  @Test(arguments: [
    "[::1]rest", "[::1].evil.example", "[::1]evil.example:80", "[127.0.0.1]x", "[::1", "[]",
    "[]:80", "[evil.example]", "[evil.example]:80", "[::1]]", "[[::1]]", "::1", ":80", ".",
    "pit.example..", ".pit.example", "127.0.0.1..", "127.1", "0x7f000001",
    "2130706433", "pit.example.evil", "evil.example:pit.example", "[fe80::1%eth0]",
  ])
  func whatOnlyLooksTrustedIsNot(host: String) {
    #expect(!hosts.trusts(host))
  }
}
