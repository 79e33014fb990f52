import ArgumentParser
import Foundation
import Physics
import PhysicsScenes

/// Times the physics on the scene that the other engines' programs run too.
struct BenchPhysics: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "physics", abstract: "Time steps of the physics, and dump them for quality checks."
  )

  enum Scene: String, ExpressibleByArgument, CaseIterable {
    case pit, settled, elastic, crowd, grid, bridge, ragdolls, cradle

    /// Whether it is made of joints, whose error is measured as well.
    var isMechanism: Bool { [.grid, .bridge, .ragdolls, .cradle].contains(self) }

    var kind: PhysicsScene.Kind {
      switch self {
      case .pit: .pit
      case .settled: .settled
      case .elastic: .elastic
      case .crowd: .crowd
      case .grid: .grid
      case .bridge: .bridge
      case .ragdolls: .ragdolls
      case .cradle: .cradle
      }
    }

    /// Steps before measuring, unless the command says otherwise.
    var warmup: Int { self == .settled ? 600 : self == .crowd ? 0 : 120 }
  }

  enum Shapes: String, ExpressibleByArgument, CaseIterable {
    case mix, circles, boxes, sizes
  }

  @Option(
    help: """
      pit (gravity turns), settled (gravity stays), elastic (the pit with one elastic body), crowd \
      (all in one place), or a mechanism, whose largest anchor error is measured as well: grid \
      (hinged discs), bridge (planks), ragdolls (chains of ten) or cradle.
      """)
  var scene = Scene.pit

  @Option(help: "mix, circles, boxes, or sizes (1:10).")
  var shapes = Shapes.mix

  @Option(help: "Bodies, 1 to 16384.")
  var bodies = 1000

  @Option(help: "Steps before measuring; 600 settled, none crowded, otherwise 120.")
  var warmup: Int?

  @Option(help: "Steps to measure.")
  var steps = 600

  @Flag(help: "Let bodies at rest sleep.")
  var sleep = false

  @Flag(help: "A chain instead of half-planes around the pit.")
  var chain = false

  @Option(help: "Drop the contacts' caches after every so many steps.")
  var dropEvery: Int?

  @Flag(help: "Time the stages of a step as well.")
  var stages = false

  @Flag(help: "Time saving and restoring the world as well.")
  var snapshots = false

  @Option(help: "Write every tenth step's bodies to this file, as Benchmarks/physics/pit.h does.")
  var dump: String?

  @Flag(help: "Print one JSON object on standard output.")
  var json = false

  func validate() throws {
    guard (1...16_384).contains(bodies) else {
      throw ValidationError("--bodies must be 1 to 16384, not \(bodies)")
    }
    guard (warmup ?? 0) >= 0, steps >= 1, steps <= 1_000_000 else {
      throw ValidationError("--warmup must be at least 0 and --steps at least 1")
    }
    guard (dropEvery ?? 1) >= 1 else { throw ValidationError("--drop-every must be at least 1") }
  }

  func run() throws {
    var run = try PhysicsRun(self)
    let warmup = warmup ?? scene.warmup
    for _ in 0..<warmup { run.scene.step() }
    for step in 0..<steps {
      run.measure(stages: stages)
      run.noteAnchors()
      if step % 10 == 9 { run.dumpBodies() }
      if let dropEvery, step % dropEvery == dropEvery - 1 { run.scene.world.dropCaches() }
    }
    if snapshots {
      var times = SnapshotTimes(run.scene.world)
      run.snapshots = try times.values()
    }
    Output.result(json ? run.json : run.text)
    try run.writeDump()
  }
}

/// A benchmark on its way.
private struct PhysicsRun {
  var scene: PhysicsScene
  var snapshots: [(name: String, value: String)] = []
  private let options: BenchPhysics
  private var milliseconds: [Double] = []
  /// Steps and microseconds of their stages by the number of parts (0 to 6) that they were solved
  /// in.
  private var byParts = [(steps: Int, stages: [Double])](
    repeating: (0, [Double](repeating: 0, count: StepStage.allCases.count)), count: 7)
  private var dump: [Double] = []
  /// The most memory that the process had before the first step, in MB.
  private let peakBefore: Double
  /// The largest anchor error of any step, and the sum of each step's largest, in points.
  private var anchors = (largest: 0.0, sum: 0.0)

  init(_ options: BenchPhysics) throws {
    self.options = options
    let shapes: PhysicsScene.Shapes =
      switch options.shapes {
      case .mix: .mix
      case .circles: .circles
      case .boxes: .boxes
      case .sizes: .sizes
      }
    scene = try PhysicsScene(
      options.scene.kind, shapes: shapes, bodies: options.bodies,
      sleeps: options.sleep, insideChain: options.chain)
    peakBefore = Self.peakMegabytes
    dump = [Double(options.bodies), scene.side] + scene.isBox.map { $0 ? 1 : 0 }
  }

  mutating func measure(stages: Bool) {
    scene.beforeStep()
    let clock = ContinuousClock()
    let start = clock.now
    if stages {
      var last = start
      var times = [Double](repeating: 0, count: StepStage.allCases.count)
      scene.world.step { stage in
        let now = clock.now
        times[stage.rawValue] += (now - last) / .microseconds(1)
        last = now
      }
      let parts = scene.world.partsSolved
      byParts[parts].steps += 1
      for k in times.indices { byParts[parts].stages[k] += times[k] }
    } else {
      scene.world.step()
    }
    milliseconds.append((clock.now - start) / .milliseconds(1))
  }

  mutating func noteAnchors() {
    let error = scene.anchorError
    anchors = (max(anchors.largest, error), anchors.sum + error)
  }

  mutating func dumpBodies() {
    guard options.dump != nil else { return }
    for id in scene.bodies {
      let s = scene.world.body(id)!
      for value in [
        s.position.x, s.position.y, s.rotation.cosine, s.rotation.sine, s.velocity.x, s.velocity.y,
        s.angularVelocity,
      ] { dump.append(Double(value)) }
    }
  }

  func writeDump() throws {
    guard let path = options.dump else { return }
    let data = dump.withUnsafeBytes { Data($0) }
    do {
      try data.write(to: URL(fileURLWithPath: path))
    } catch {
      throw Failure("can't write \(path): \(error.localizedDescription)")
    }
  }

  /// The most memory that the process has had, in MB of 2²⁰ bytes; 0 where Linux does not tell.
  private static var peakMegabytes: Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let number = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
    return (number.flatMap { Double($0) } ?? 0) / 1024
  }

  private var values: [(name: String, value: String)] {
    let sorted = milliseconds.sorted()
    let mean = milliseconds.reduce(0, +) / Double(milliseconds.count)
    func number(_ x: Double) -> String { String(format: "%.4f", x) }
    func megabytes(_ x: Double) -> String { String(format: "%.1f", x) }
    var list = [
      ("engine", "\"stickerpit\""), ("scene", "\"\(options.scene.rawValue)\""),
      ("shapes", "\"\(options.shapes.rawValue)\""), ("bodies", "\(options.bodies)"),
      ("steps", "\(milliseconds.count)"), ("mean_ms", number(mean)),
      ("p50_ms", number(sorted[sorted.count / 2])),
      ("p99_ms", number(sorted[Int(Double(sorted.count) * 0.99)])),
      ("max_ms", number(sorted.last!)),
      ("peak_mb", megabytes(Self.peakMegabytes)),
      ("grown_mb", megabytes(Self.peakMegabytes - peakBefore)),
      ("hash", "\"\(String(scene.world.motionHash(), radix: 16))\""),
    ]
    if options.stages {
      for stage in StepStage.allCases {
        let total = byParts.reduce(0) { $0 + $1.stages[stage.rawValue] }
        let mean = total / Double(milliseconds.count)
        list.append(("\(stage)_us", String(format: "%.1f", mean)))
      }
    }
    if options.stages {
      for (parts, sum) in byParts.enumerated() where sum.steps > 0 {
        list.append(("steps_in_\(parts)_parts", "\(sum.steps)"))
        for stage in StepStage.allCases {
          let mean = sum.stages[stage.rawValue] / Double(sum.steps)
          list.append(("\(stage)_in_\(parts)_parts_us", String(format: "%.1f", mean)))
        }
      }
    }
    if options.scene.isMechanism {
      list.append(("anchor_error_pt", number(anchors.largest)))
      list.append(("mean_anchor_error_pt", number(anchors.sum / Double(milliseconds.count))))
    }
    return list + snapshots
  }

  var json: String {
    "{" + values.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
  }

  var text: String { values.map { "\($0.name) \($0.value)" }.joined(separator: "\n") }
}
