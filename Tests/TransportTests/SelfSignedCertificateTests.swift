import Foundation
import Testing

@testable import Transport

/// A certificate that the server makes for itself; what browsers think of one stands in the tests
/// from outside.
@Suite struct SelfSignedCertificateTests {
  private typealias Subjects = SelfSignedCertificate.Subjects
  private let folder = NSTemporaryDirectory() + "certificate-\(UUID().uuidString)/a/b"

  @Test func itIsKeptAsLongAsItIsForAllOfThem() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let few = Subjects(names: ["localhost"], addresses: ["127.0.0.1", "::1"])
    #expect(try SelfSignedCertificate(keptIn: folder, for: few).isNew)
    #expect(try !SelfSignedCertificate(keptIn: folder, for: few).isNew)
    let less = Subjects(names: ["localhost"], addresses: [])
    #expect(try !SelfSignedCertificate(keptIn: folder, for: less).isNew)
    let more = Subjects(names: ["localhost", "pit.local"], addresses: ["127.0.0.1"])
    let made = try SelfSignedCertificate(keptIn: folder, for: more)
    #expect(made.isNew)
    _ = try ServerCertificate(made.files)
    #expect(try SelfSignedCertificate(keptIn: folder, for: few).isNew, "::1 is missing")
  }

  @Test func whatNoCertificateCanSayIsAnError() {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let wrong = Subjects(names: ["localhost"], addresses: ["no address"])
    #expect(throws: TransportError.self) {
      try SelfSignedCertificate(keptIn: folder, for: wrong)
    }
    #expect(throws: TransportError.self) {
      try SelfSignedCertificate(
        keptIn: "/proc/none", for: Subjects(names: ["localhost"], addresses: []))
    }
  }
}
