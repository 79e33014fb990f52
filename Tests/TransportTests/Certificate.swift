import Foundation

/// Files for TLS, made by the openssl command in a folder of their own.
struct Certificate {
  private let folder: URL

  var certificate: String { folder.appending(path: "cert.pem").path }
  var key: String { folder.appending(path: "key.pem").path }
  var otherKey: String { folder.appending(path: "other.pem").path }
  var encryptedKey: String { folder.appending(path: "encrypted.pem").path }
  var damagedCertificate: String { folder.appending(path: "damaged-cert.pem").path }
  var damagedKey: String { folder.appending(path: "damaged-key.pem").path }

  static func make() throws -> Certificate {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let files = Certificate(folder: folder)
    try run([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
      "-keyout", files.key, "-out", files.certificate, "-subj", "/CN=localhost", "-days", "2",
      "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
    ])
    let curve = "ec_paramgen_curve:prime256v1"
    try run(["genpkey", "-algorithm", "EC", "-pkeyopt", curve, "-out", files.otherKey])
    try run([
      "pkcs8", "-topk8", "-in", files.key, "-out", files.encryptedKey, "-passout", "pass:abcd",
    ])
    try damage(files.certificate, into: files.damagedCertificate)
    try damage(files.key, into: files.damagedKey)
    return files
  }

  func remove() {
    try? FileManager.default.removeItem(at: folder)
  }

  /// Keeps the lines around the content but not the content.
  private static func damage(_ path: String, into other: String) throws {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let text = "\(lines.first!)\nAAAAAAAAAAAAAAAA\n\(lines.last!)\n"
    try text.write(toFile: other, atomically: true, encoding: .utf8)
  }

  private static func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/openssl")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
