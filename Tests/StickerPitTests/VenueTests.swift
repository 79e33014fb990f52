import Foundation
import Glibc
import Testing
import Transport

@testable import stickerpit

/// What an event shows its visitors.
@Suite struct VenueTests {
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
