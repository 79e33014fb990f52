import ArgumentParser

/// Measurements of the parts, each on its own.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measure a part of the server.",
    subcommands: [
      BenchPhysics.self, BenchSnapshots.self, BenchCodec.self, BenchReplica.self, BenchTrace.self,
      BenchJournal.self, BenchList.self,
    ])
}
