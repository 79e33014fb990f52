import Foundation
import Glibc
import Testing
import Transport

@testable import stickerpit

/// What an event shows its visitors.
@Suite struct VenueTests {
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

  @Test func theMachinesNamesCountForCertificates() {
    let subjects = MachineNames.subjects
    #expect(subjects.names.contains("localhost") && subjects.addresses.contains("127.0.0.1"))
    #expect(Set(subjects.names).count == subjects.names.count)
    #expect(!subjects.addresses.contains { $0.hasPrefix("fe80") })
  }

  /// A public address is a name by which the server may be called, and a page's origin.
  @Test func aPublicAddressIsLetIn() throws {
    let given = try Given.resolved(
      flags: try Given.flags(["public-url": "HTTPS://Pit.Example:443"]))
    #expect(given.values.publicURL == "https://pit.example")
    let server = try given.values.server(keywords: .standard)
    #expect(server.allowedHosts == ["pit.example"])
    #expect(server.allowedOrigins == ["https://pit.example"])
  }
}
