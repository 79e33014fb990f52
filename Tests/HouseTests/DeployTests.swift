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

  /// Everything that is named like a metric of ours.
  private static func metrics(in text: String) -> Set<String> {
    let words = text.split { !($0.isLetter && $0.isASCII) && $0 != "_" }
    return Set(words.map(String.init).filter { $0.hasPrefix("stickerpit_") })
  }
}
