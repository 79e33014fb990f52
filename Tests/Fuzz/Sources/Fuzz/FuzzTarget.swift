import Foundation

/// What can be fuzzed. The raw value names it on the command line and its folder in Corpus.
enum FuzzTarget: String, CaseIterable {
  case clientMessages = "client-messages"
  case serverMessages = "server-messages"
  case streamStrict = "stream-strict"
  case streamVisual = "stream-visual"
  case streamJoins = "stream-joins"
  case streamRoundTrip = "stream-round-trip"
  case play
  case physicsRestore = "physics-restore"
  case dynamicsRestore = "dynamics-restore"
  case pitRestore = "pit-restore"
  case packing
  case records

  /// The target of this process; set once, before libFuzzer starts.
  nonisolated(unsafe) static var current = FuzzTarget.clientMessages

  /// Takes one input. A trap is a finding.
  func run(_ bytes: UnsafeRawBufferPointer) {
    switch self {
    case .clientMessages: MessageFuzzing.decodeClient(bytes)
    case .serverMessages: MessageFuzzing.decodeServer(bytes)
    case .streamStrict: StreamFuzzing.follow(bytes, profile: .strict)
    case .streamVisual: StreamFuzzing.follow(bytes, profile: .visual)
    case .streamJoins: StreamFuzzing.join(bytes)
    case .streamRoundTrip: RoundTripFuzzing.run(bytes)
    case .play: PlayFuzzing.run(bytes)
    case .physicsRestore: SnapshotFuzzing.restoreWorld(bytes)
    case .dynamicsRestore: SnapshotFuzzing.restoreAnimator(bytes)
    case .pitRestore: PitFuzzing.run(bytes)
    case .packing: PackingFuzzing.run(bytes)
    case .records: RecordFuzzing.run(bytes)
    }
  }

  /// Well-formed inputs, from which mutations reach far.
  private func seeds() throws -> [[UInt8]] {
    switch self {
    case .clientMessages: try MessageFuzzing.clientSeeds()
    case .serverMessages: try MessageFuzzing.serverSeeds()
    case .streamStrict: try StreamFuzzing.seeds(.strict)
    case .streamVisual: try StreamFuzzing.seeds(.visual)
    case .streamJoins: try StreamFuzzing.joinSeeds()
    case .streamRoundTrip: RoundTripFuzzing.seeds()
    case .play: PlayFuzzing.seeds()
    case .physicsRestore: try SnapshotFuzzing.worldSeeds()
    case .dynamicsRestore: try SnapshotFuzzing.animatorSeeds()
    case .pitRestore: try PitFuzzing.seeds()
    case .packing: try PackingFuzzing.seeds()
    case .records: try RecordFuzzing.seeds()
    }
  }

  func writeSeeds(below folder: String) throws {
    let place = URL(fileURLWithPath: folder).appendingPathComponent(rawValue)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    for (index, seed) in try seeds().enumerated() {
      let name = "seed-\(index < 10 ? "0" : "")\(index)"
      try Data(seed).write(to: place.appendingPathComponent(name))
    }
  }
}
