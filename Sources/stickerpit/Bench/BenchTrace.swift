import ArgumentParser

/// Records a run of our own solver for `bench codec` and its rivals.
struct BenchTrace: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: "Record a run of the solver as a trace for `bench codec`.",
    discussion: """
      Writes OUT.npy (ticks × bodies × 7 float32: x, y, angle, velocity, spin, asleep; x is NaN
      while a body is not there), OUT.grav.npy (pt/s²), OUT.kind.npy, OUT.size.npy (pt) and
      OUT.meta.json.
      Equal options give equal files.
      """)

  @Option(help: "storm, party, rain, settled, calm or churn (bodies go, others take their slots).")
  var scene = TraceScene.Kind.storm

  @Option(help: "Bodies, 1 to 4096.")
  var bodies = 1000

  @Option(help: "Ticks of 1/60 s, 2 to 100000.")
  var ticks = 3600

  @Option(help: "Seed of everything that is left to chance.")
  var seed: UInt64 = 1

  @Option(help: "Path of the files, without their endings.")
  var out: String

  func validate() throws {
    guard (1...4096).contains(bodies) else {
      throw ValidationError("--bodies must be 1 to 4096, not \(bodies)")
    }
    guard (2...100_000).contains(ticks) else {
      throw ValidationError("--ticks must be 2 to 100000, not \(ticks)")
    }
  }

  func run() throws {
    var scene = try TraceScene(scene, bodies: bodies, ticks: ticks, seed: seed)
    var recorder = TraceRecorder(bodies: bodies, ticks: ticks)
    for _ in 0..<ticks {
      try scene.advance()
      recorder.record(scene)
    }
    try recorder.write(to: out, scene: scene)
  }
}
