import Testing

@testable import stickerpit

/// What is an origin, and how browsers write it: that is what their header is compared with.
@Suite struct PageOriginTests {
  @Test(arguments: [
    ("https://pit.example", "https://pit.example"),
    ("http://10.0.0.7:8080", "http://10.0.0.7:8080"),
    ("HTTPS://Pit.Example", "https://pit.example"),
    ("https://pit.example:443", "https://pit.example"),
    ("http://pit.example:80", "http://pit.example"),
    ("http://pit.example:443", "http://pit.example:443"),
    ("https://pit.example:08443", "https://pit.example:8443"),
    ("https://[::1]:9000", "https://[::1]:9000"), ("https://[0:0::1]", "https://[::1]"),
    ("http://localhost", "http://localhost"), ("http://my_host-2", "http://my_host-2"),
    ("capacitor://localhost", "capacitor://localhost"),
    ("chrome-extension://abc", "chrome-extension://abc"),
  ])
  func anOriginIsReadAsBrowsersWriteIt(_ given: String, _ text: String) {
    #expect(PageOrigin(given)?.text == text)
    #expect(PageOrigin(text)?.text == text, "it is read again as the same")
  }

  @Test(arguments: [
    "", "*", "null", "example.org", "example.org:443", "//example.org", "://example.org",
    "wss://example.org", "ws://example.org", "http://127.1", "http://0x7f000001", "https://.",
    "http://010.0.0.7", "http://[::ffff:1.2.3.4]", "http://[::ffff:102:304]",
    "https:", "https://", "https:/example.org", "https://*", "https://*.example.org",
    "https://example.org/", "https://example.org/a", "https://example.org?a", "https://a.b#c",
    "https://a@example.org", "https://example.org:", "https://example.org:0",
    "https://example.org:65536", "https://example.org:+1", "https://example.org:1:2",
    "https://example.org:x", "https://exa mple.org", " https://example.org",
    "https://example.org, https://b", "https://\u{212A}.example", "https://müller.example",
    "1https://example.org", "ht tp://example.org", "https://https://example.org",
    "https://::1", "https://[::1", "https://[::1]x", "https://[]", "https://[1.2.3.4]",
    "https://[::1/64]", "https://[fe80::1%25lo]", "https://a]", "https://[::1\0]",
  ])
  func whatIsNoneIsRefused(_ given: String) {
    #expect(PageOrigin(given) == nil, "\(given) became \(PageOrigin(given)?.text ?? "")")
  }

  /// A list is checked as a whole, and kept as browsers write it.
  @Test func theSettingKeepsWhatBrowsersWrite() throws {
    var flags = GivenFlags()
    try flags.add("origin", ["https://A.example:443", "http://b.example:81"])
    let resolved = try Given.resolved(flags: flags)
    #expect(resolved.values.origins == ["https://a.example", "http://b.example:81"])
  }

  @Test func aFlagThatIsNoneIsBadUsage() throws {
    var flags = GivenFlags()
    try flags.add("origin", ["https://a.example", "b.example"])
    let error = try #require(Given.error { _ = try Given.resolved(flags: flags) })
    #expect(
      error.description == "--origin must be a list of origins such as https://example.org or "
        + "http://10.0.0.7:8080, without a path, not 'b.example'")
    #expect(error.isBadUsage)
  }
}
