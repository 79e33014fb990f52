import Foundation
import Testing

@testable import Transport

/// A handshake costs a millisecond; one that resumes a session costs a fraction of it.
@Suite struct ResumptionTests {
  /// What openssl's client says of a connection that asks for the health page.
  static func connect(port: UInt16, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/openssl")
    process.arguments =
      ["s_client", "-connect", "127.0.0.1:\(port)", "-ign_eof", "-alpn", "http/1.1"] + arguments
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let request = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    input.fileHandleForWriting.write(Data(request.utf8))
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  /// Those of TLS 1.3: older ones get no tickets (`test_tls_sessions.py`).
  @Test func sessionsAreResumed() throws {
    let files = try Certificate.make()
    defer { files.remove() }
    let session = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: session) }
    let listener = try LiveServer().listen {
      $0.tls = .init(certificate: files.certificate, key: files.key)
    }
    let first = try Self.connect(port: listener.port, ["-tls1_3", "-sess_out", session])
    #expect(first.contains("{\"ok\":true}") && first.contains("New, "))
    let second = try Self.connect(port: listener.port, ["-tls1_3", "-sess_in", session])
    #expect(second.contains("{\"ok\":true}") && second.contains("Reused, "))
    listener.stop()
  }
}
