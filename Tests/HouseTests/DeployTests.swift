import Foundation
import Testing

/// What an operator watches must be there: alerts and dashboards name metrics that METRICS.md
/// lists, and another test compares that list with a server's.
@Suite struct DeployTests {
  @Test func watchedMetricsExist() throws {
    let known = Self.metrics(in: try SourceTree().text(of: "METRICS.md"))
    #expect(known.count > 30)
    var watched: Set<String> = []
    for file in try SourceTree().files(below: "deploy", extensions: ["yml", "json"]) {
      for line in file.lines { watched.formUnion(Self.metrics(in: String(line))) }
    }
    #expect(watched.count > 15, "the walk found only \(watched.count)")
    #expect(watched.subtracting(known) == [])
  }

  /// Whoever is woken by an alert, or wants to change when it goes off, reads below its name why.
  @Test func everyAlertSaysWhy() throws {
    var alerts = 0
    for file in try SourceTree().files(below: "deploy", extensions: ["yml", "yaml"]) {
      let lines = file.lines.map { $0.trimmingCharacters(in: .whitespaces) }
      for (index, line) in lines.enumerated() where line.hasPrefix("- alert:") {
        alerts += 1
        let reason = lines[(index + 1)...].prefix { $0.hasPrefix("#") }
        let words = reason.joined(separator: " ").split(separator: " ").filter { $0 != "#" }
        #expect(words.count > 4, "\(file.path):\(index + 1): no reason below \(line)")
      }
    }
    #expect(alerts > 10, "the walk found only \(alerts)")
  }

  /// `make -n` prints the commands without running them: by hand it is too late to find, in a hall
  /// full of phones, that the server got no certificate.
  @Test(arguments: [("TLS=1", true), ("TLS=", false), ("TLS=0", false), ("TLS=no", false)])
  func makeRunHandsOnThatItShallSpeakTLS(_ flag: String, _ speaksTLS: Bool) throws {
    let make = Process()
    make.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    make.arguments = ["make", "-n", "run", flag]
    make.currentDirectoryURL = SourceTree().root
    // A make around this test hands its own flags on, `TLS=1` among them.
    make.environment = ProcessInfo.processInfo.environment.filter {
      !["MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "TLS"].contains($0.key)
    }
    let pipe = Pipe()
    make.standardOutput = pipe
    try make.run()
    let printed = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    make.waitUntilExit()
    #expect(make.terminationStatus == 0)
    let serving = printed.split(separator: "\n").filter { $0.contains("stickerpit serve ") }
    #expect(serving.count == 1, "\(printed)")
    let flags = serving.flatMap { $0.split(separator: " ") }
    #expect(flags.contains("--tls-self-signed") == speaksTLS, "\(serving)")
  }

  /// Everything that is named like a metric of ours.
  private static func metrics(in text: String) -> Set<String> {
    let words = text.split { !($0.isLetter && $0.isASCII) && $0 != "_" }
    return Set(words.map(String.init).filter { $0.hasPrefix("stickerpit_") })
  }
}
