import Foundation
import Testing

@testable import Transport

@Suite struct StartTests {
  /// What `start` throws with this configuration.
  static func failure(_ change: (inout ListenerConfiguration) -> Void) -> TransportError? {
    do {
      let listener = try LiveServer().listen(change)
      listener.stop()
      return nil
    } catch { return error as? TransportError }
  }

  @Test func portInUseIsTyped() throws {
    let first = try LiveServer().listen()
    let error = Self.failure { $0.port = first.port }
    #expect(error == .portInUse(host: "127.0.0.1", port: first.port))
    #expect(error?.description.contains("--port") == true)
    let everywhere = Self.failure {
      $0.port = first.port
      $0.host = "0.0.0.0"
    }
    #expect(everywhere == .portInUse(host: "0.0.0.0", port: first.port))
    #expect(Self.failure { ($0.port, $0.portSharing) = (first.port, .first) } != nil)
    first.stop()
  }

  @Test func badHostFolderAndValuesAreTyped() {
    let host = Self.failure { $0.host = "203.0.113.7" }
    guard case .addressUnavailable("203.0.113.7", _) = host else {
      Issue.record("\(String(describing: host))")
      return
    }
    let folder = Self.failure { $0.webFolder = "/no/such/folder" }
    #expect(
      folder
        == .webFolderUnreadable(path: "/no/such/folder", reason: "No such file or directory"))
    for change: (inout ListenerConfiguration) -> Void in [
      { $0.maximumConnections = 0 }, { $0.maximumMessageBytes = 0 }, { $0.silenceSeconds = 5 },
      { $0.socketPath = "ws" }, { $0.subprotocol = "a b" }, { $0.maximumConnectionsPerAddress = 0 },
      { $0.maximumConnectionsPerAddress = 70_000 }, { $0.maximumConnections = 70_000 },
      { $0.maximumConnectionsPerAddress = $0.maximumConnections + 1 },
      { $0.allowedHosts = ["https://pit.example"] }, { $0.allowedHosts = ["pit.example:80"] },
      { $0.traffic.visitors = 0 }, { $0.traffic.framesPerSecond = 0 },
      { $0.traffic.handshakesBurst = -1 }, { $0.traffic.bytesPerSecond = .max },
    ] {
      guard case .badConfiguration = Self.failure(change) else {
        Issue.record("a bad value was taken")
        continue
      }
    }
  }

  @Test func secondStartIsRefused() throws {
    let listener = try LiveServer().listen()
    #expect(throws: TransportError.alreadyStarted) { try listener.start() }
    listener.stop()
  }

  @Test func unusableCertificatesAreTyped() throws {
    let files = try Certificate.make()
    defer { files.remove() }
    func failure(_ certificate: String, _ key: String) -> TransportError? {
      Self.failure { $0.tls = .init(certificate: certificate, key: key) }
    }
    #expect(
      failure("/no/cert.pem", files.key)
        == .certificateUnreadable(path: "/no/cert.pem", reason: "No such file or directory"))
    #expect(
      failure(files.certificate, "/no/key.pem")
        == .privateKeyUnreadable(path: "/no/key.pem", reason: "No such file or directory"))
    #expect(
      failure(files.key, files.key)
        == .certificateUnreadable(path: files.key, reason: "it holds no PEM certificate"))
    #expect(
      failure(files.certificate, files.certificate)
        == .privateKeyUnreadable(path: files.certificate, reason: "it holds no PEM private key"))
    #expect(
      failure(files.certificate, files.encryptedKey)
        == .privateKeyUnreadable(path: files.encryptedKey, reason: "it is encrypted"))
    #expect(
      failure(files.certificate, files.otherKey)
        == .keyMismatch(certificate: files.certificate, key: files.otherKey))
    #expect(
      failure(files.damagedCertificate, files.key)
        == .certificateUnreadable(path: files.damagedCertificate, reason: "it is damaged"))
    #expect(
      failure(files.certificate, files.damagedKey)
        == .privateKeyUnreadable(path: files.damagedKey, reason: "it is damaged"))
  }
}
