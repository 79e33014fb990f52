import Testing

@testable import Server

/// The address that screens show to visitors, and the QR code that says it.
@Suite struct JoinAddressTests {
  /// ISO/IEC 18004: three finder patterns of seven modules stand in the corners.
  @Test func codesHaveTheirFinderPatterns() throws {
    let code = try #require(QRCode("https://192.0.2.2:8443/"))
    #expect(code.side == 25, "version 2 holds 32 bytes at the lowest level")
    for (row, column) in [(0, 0), (0, code.side - 7), (code.side - 7, 0)] {
      for step in 0..<7 {
        #expect(code.isDark(row: row, column: column + step))
        #expect(code.isDark(row: row + step, column: column))
      }
      #expect(!code.isDark(row: row + 1, column: column + 1))
      #expect(code.isDark(row: row + 3, column: column + 3))
    }
    #expect(!code.isDark(row: -1, column: 0) && !code.isDark(row: 0, column: code.side))
    #expect(code.terminalLines.count == (code.side + 2 * QRCode.margin + 1) / 2)
    #expect(QRCode(String(repeating: "x", count: 4000)) == nil)
  }

  /// Each dark module is inside exactly one run of the picture's path.
  @Test func thePictureHasTheModules() throws {
    let code = try #require(QRCode("http://192.0.2.2:8080/"))
    let path = try #require(code.svg.split(separator: "d=\"").last?.split(separator: "\"").first)
    var drawn: [[Int]] = []
    for run in path.split(separator: "z") {
      let numbers = run.split(whereSeparator: { "Mhv -".contains($0) }).compactMap { Int($0) }
      let (x, y, width) = (numbers[0], numbers[1], numbers[2])
      for column in x..<x + width { drawn.append([y - QRCode.margin, column - QRCode.margin]) }
    }
    let dark = (0..<code.side).flatMap { row in
      (0..<code.side).filter { code.isDark(row: row, column: $0) }.map { [row, $0] }
    }
    #expect(drawn == dark)
    #expect(code.svg.contains("viewBox=\"0 0 \(code.side + 8) \(code.side + 8)\""))
  }

  /// What a request names, and what a screen shows then.
  private static let hosts: [(String, String?)] = [
    ("192.0.2.2:8080", "http://192.0.2.2:8080"), ("pit.example", "http://pit.example"),
    // What this machine calls itself means the phone to a phone.
    ("localhost:8080", "http://198.51.100.4:8080"), ("[::1]:80", "http://198.51.100.4:80"),
    ("127.0.0.1", "http://198.51.100.4"), ("localhost.example", "http://localhost.example"),
    ("", nil), (String(repeating: "x", count: 300), nil),
  ]

  @Test(arguments: hosts)
  func phonesAreToldWhereTheyFindThePage(host: String, address: String?) {
    #expect(venue().address(host: host) == address)
  }

  @Test func thePublicAddressGoesBeforeAllOthers() {
    let known = venue(public: "https://pit.example")
    #expect(known.address(host: "localhost") == "https://pit.example")
    let alone = venue(isSecure: true, network: nil)
    #expect(alone.address(host: "localhost:8443") == "https://localhost:8443")
  }

  private func venue(
    public url: String? = nil, isSecure: Bool = false, network: String? = "198.51.100.4"
  ) -> Venue {
    Venue(
      publicURL: url, code: JoinCode(TokenKey()), isSecure: isSecure, networkAddress: { network })
  }
}
