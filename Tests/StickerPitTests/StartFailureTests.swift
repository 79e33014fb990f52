import Foundation
import Server
import Testing
import Transport

@testable import stickerpit

/// A start that fails says where to change what it is about: not only by the flag, which nobody may
/// have given.
@Suite struct StartFailureTests {
  private static let taken = StartError.network(.portInUse(host: "::", port: 80))

  @Test func whereAValueComesFromIsSaid() throws {
    let words = Self.taken.description
    #expect(words.contains("--port"))
    let sources: [(ResolvedConfiguration, String)] = try [
      (Given.resolved(), ""), (Given.resolved(flags: Given.flags(["port": "80"])), ""),
      (Given.resolved(file: #"{"port": 80}"#), " (port is from config.json)"),
      (
        Given.resolved(environment: ["STICKERPIT_PORT": "80"], file: #"{"port": 81}"#),
        " (port is from STICKERPIT_PORT)"
      ),
    ]
    for (resolved, place) in sources {
      #expect(resolved.failure(Self.taken).description == words + place)
    }
  }

  @Test func eachOfSeveralKeysIsSaid() throws {
    let resolved = try Given.resolved(
      environment: ["STICKERPIT_TLS_CERT": "a"], file: #"{"tls-key": "b", "data": "c"}"#)
    let mismatch = StartError.network(.keyMismatch(certificate: "a", key: "b"))
    let ending = " (tls-cert is from STICKERPIT_TLS_CERT, tls-key is from config.json)"
    #expect(resolved.failure(mismatch).description == mismatch.description + ending)
    let inUse = StartError.journal(.inUse("c", process: nil))
    #expect(resolved.failure(inUse).description.hasSuffix(" (data is from config.json)"))
  }

  /// Every key that an error is about is one that can be given.
  @Test func errorsAreAboutKeysThatThereAre() {
    let errors: [StartError] = [
      Self.taken, .network(.portNotPermitted(host: "a", port: 1)),
      .network(.addressUnavailable(host: "a", reason: "b")),
      .network(.webFolderUnreadable(path: "a", reason: "b")),
      .network(.certificateUnreadable(path: "a", reason: "b")),
      .network(.privateKeyUnreadable(path: "a", reason: "b")),
      .network(.certificateUnwritable(path: "a", reason: "b")),
      .network(.keyMismatch(certificate: "a", key: "b")),
      .admin(.portInUse(host: "a", port: 1)), .journal(.full("a")),
      .tokenKey(.tooLong("a")), .otherStickers, .webFolderMissing("a"),
      .webFolderUnreadable("a"), .webFileMissing(folder: "a", file: "b"),
    ]
    for error in errors {
      #expect(!error.keys.isEmpty && error.keys.allSatisfy { Setting.named($0) != nil }, "\(error)")
    }
  }

  /// With the line in the file, whatever else was given.
  @Test(
    arguments: [
      ("--keyword-file", ["keyword": "brr=snow"]), ("config.json: keyword-file", [:]),
      ("STICKERPIT_KEYWORD_FILE", [:]),
    ] as [(String, [String: String])])
  func aBadLineOfTheKeywordFileIsFound(_ source: String, _ others: [String: String]) throws {
    let path = NSTemporaryDirectory() + "keywords-\(UUID().uuidString)"
    try "# some words\n\nfire = dragon\n".write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    var flags = GivenFlags()
    for (key, text) in others { try flags.add(key, [text]) }
    var (environment, file): ([String: String], String?) = ([:], nil)
    switch source {
    case "--keyword-file": try flags.add("keyword-file", path)
    case "STICKERPIT_KEYWORD_FILE": environment["STICKERPIT_KEYWORD_FILE"] = path
    default: file = #"{"keyword-file": "\#(path)"}"#
    }
    let resolved = try Given.resolved(flags: flags, environment: environment, file: file)
    let failure = #expect(throws: Failure.self) {
      try ServerRun.namedFiles(resolved.values, resolved)
    }
    let words = "\(path) (\(source)): keyword 3: there is no sticker 'dragon'"
    #expect(failure?.description.hasPrefix(words) == true, "\(String(describing: failure))")
  }
}
