// swift-tools-version: 6.1
import PackageDescription

// The deterministic core compiles twice: natively, and as Embedded Swift for the browser's module.
// The trait switches the second on; the flags that only a browser build needs stand in
// scripts/build-module, because a manifest with unsafe flags could not be used as a dependency.
let embeddable: [SwiftSetting] = [
  .enableExperimentalFeature("Embedded", .when(traits: ["Embedded"]))
]

// What only the server, the bots and their tests use from elsewhere. The trait Server is on by
// default; who depends on this package with `traits: []` gets the libraries, which need nothing,
// and SwiftPM then fetches none of these.
func serverProduct(_ name: String, _ package: String) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: ["Server"]))
}

let package = Package(
  name: "stickerpit",
  products: [
    .library(name: "Physics", targets: ["Physics"]),
    .library(name: "Dynamics", targets: ["Dynamics"]),
    .library(name: "Wire", targets: ["Wire"]),
    .library(name: "Play", targets: ["Play"]),
    .library(name: "StickerPitClient", targets: ["StickerPitClient"]),
    .library(name: "StickerPitSocket", targets: ["StickerPitSocket"]),
    .executable(name: "stickerpit", targets: ["stickerpit"]),
    .executable(name: "PageModule", targets: ["PageModule"]),
    .executable(name: "BenchModule", targets: ["BenchModule"]),
  ],
  traits: [
    .trait(name: "Server", description: "The server, the bots, and the packages they depend on"),
    .trait(name: "Embedded", description: "Embedded Swift, for the page's WebAssembly module"),
    .default(enabledTraits: ["Server"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.1.0"),
    // Without its traits: the configuration file has a reader of its own, and so nothing of YAML or
    // of reloading is built.
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
  ],
  targets: [
    // Debian's libraries; their module maps say what is linked. Without pkg-config's names, because
    // for these SwiftPM warns everybody who depends on this package and doesn't have them.
    .systemLibrary(name: "CLibWebSockets"),
    .systemLibrary(name: "CLibEV"),
    .systemLibrary(name: "CSystemd"),
    .systemLibrary(name: "CQREncode"),
    .systemLibrary(name: "CNATS"),
    .target(name: "CWASMRuntime"),
    .target(name: "Determinism", swiftSettings: embeddable),
    .target(
      name: "Physics", dependencies: ["Determinism"],
      swiftSettings: embeddable + [.enableExperimentalFeature("BuiltinModule")],
      // Debug builds call sqrtf for squareRoot(), and nothing else here would bring libm.
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(name: "PhysicsScenes", dependencies: ["Physics"], swiftSettings: embeddable),
    .target(name: "Dynamics", dependencies: ["Physics"], swiftSettings: embeddable),
    .target(name: "DynamicsScenes", dependencies: ["Dynamics"], swiftSettings: embeddable),
    .target(
      name: "Wire", dependencies: ["Determinism"],
      swiftSettings: embeddable + [.enableExperimentalFeature("BuiltinModule")]),
    .target(
      name: "Simulation", dependencies: ["Determinism", "Physics", "Dynamics", "Wire"],
      swiftSettings: embeddable),
    .executableTarget(
      name: "PageModule", dependencies: ["Physics", "Wire", "Simulation", "CWASMRuntime"],
      swiftSettings: embeddable),
    .executableTarget(
      name: "BenchModule",
      dependencies: [
        "Determinism", "Physics", "Wire", "Simulation", "PhysicsScenes", "DynamicsScenes",
        "CWASMRuntime",
      ],
      swiftSettings: embeddable),
    .target(
      name: "Transport",
      dependencies: [
        "Determinism", "CLibWebSockets", "CLibEV",
        serverProduct("DequeModule", "swift-collections"),
      ]),
    .target(
      name: "TickLog",
      dependencies: ["Determinism", "Simulation", "Wire", serverProduct("GRDB", "GRDB.swift")]),
    .target(name: "NATSLink", dependencies: ["TickLog", "CNATS"]),
    .target(
      name: "Telemetry",
      dependencies: [
        serverProduct("CoreMetrics", "swift-metrics"),
        serverProduct("Histogram", "hdrhistogram-swift"),
      ]),
    .target(
      name: "Server",
      dependencies: [
        "Wire", "Simulation", "TickLog", "Transport", "Telemetry", "CQREncode",
        serverProduct("CoreMetrics", "swift-metrics"),
        serverProduct("Logging", "swift-log"),
        serverProduct("DequeModule", "swift-collections"),
        serverProduct("Histogram", "hdrhistogram-swift"),
        serverProduct("ServiceLifecycle", "swift-service-lifecycle"),
      ]),
    .target(
      name: "Bots",
      dependencies: [
        "Physics", "Wire", "Simulation", "Transport",
        serverProduct("Histogram", "hdrhistogram-swift"),
      ]),
    // For apps. Its socket on Linux needs the trait Server, and so is a target of its own.
    .target(name: "StickerPitClient", dependencies: ["Physics", "Wire", "Simulation"]),
    .target(name: "StickerPitSocket", dependencies: ["Wire", "StickerPitClient", "Transport"]),
    .executableTarget(
      name: "stickerpit",
      dependencies: [
        "Physics", "PhysicsScenes", "Dynamics", "Wire", "Simulation", "TickLog", "NATSLink",
        "Transport", "Server", "Bots", "CSystemd",
        serverProduct("ArgumentParser", "swift-argument-parser"),
        serverProduct("Configuration", "swift-configuration"),
        serverProduct("Logging", "swift-log"),
        serverProduct("ServiceLifecycle", "swift-service-lifecycle"),
      ]),
    // Counts allocations of one thread by standing in front of the allocator.
    .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
    .testTarget(name: "DeterminismTests", dependencies: ["Determinism"]),
    .testTarget(
      name: "PhysicsTests", dependencies: ["Physics", "PhysicsScenes", "CAllocationCount"],
      exclude: ["Golden"]),
    .testTarget(
      name: "DynamicsTests", dependencies: ["Dynamics", "DynamicsScenes", "CAllocationCount"],
      exclude: ["Golden"]),
    .target(name: "SeededChance", path: "Tests/SeededChance"),
    .testTarget(name: "WireTests", dependencies: ["Wire", "SeededChance"], exclude: ["Golden"]),
    // People who do anything that clients may, for tests and fuzzers.
    .target(name: "Play", dependencies: ["Physics", "Wire", "Simulation"], path: "Tests/Play"),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "Determinism", "Physics", "Dynamics", "Wire", "Simulation", "Play", "CAllocationCount",
      ],
      exclude: ["Golden"]),
    .testTarget(
      name: "TickLogTests",
      dependencies: ["Wire", "Simulation", "TickLog", serverProduct("GRDB", "GRDB.swift")]),
    .testTarget(name: "NATSLinkTests", dependencies: ["NATSLink", "TickLog"]),
    .testTarget(
      name: "TransportTests", dependencies: ["Transport", "CLibWebSockets", "SeededChance"]),
    // The page's own code, natively, against the server: `Golden` is what node repeats with it.
    .testTarget(
      name: "ServerTests",
      dependencies: [
        "Determinism", "Physics", "Wire", "Simulation", "TickLog", "Transport", "Server",
        "PageModule", "Play", "CAllocationCount", serverProduct("Logging", "swift-log"),
      ],
      exclude: ["Golden"]),
    .testTarget(
      name: "BotsTests", dependencies: ["Wire", "Simulation", "Transport", "Bots", "Server"]),
    .testTarget(
      name: "StickerPitClientTests",
      dependencies: ["Wire", "Simulation", "Transport", "StickerPitClient", "Server"]),
    .testTarget(
      name: "StickerPitSocketTests",
      dependencies: [
        "Wire", "Simulation", "Transport", "StickerPitClient", "StickerPitSocket", "Server",
        serverProduct("Logging", "swift-log"),
      ]),
    .testTarget(
      name: "TelemetryTests",
      dependencies: ["Telemetry", serverProduct("CoreMetrics", "swift-metrics")]),
    .testTarget(
      name: "StickerPitTests",
      dependencies: [
        "Server", "Transport", "stickerpit", "SeededChance",
        serverProduct("ArgumentParser", "swift-argument-parser"),
        serverProduct("Configuration", "swift-configuration"),
        serverProduct("Logging", "swift-log"),
      ]),
    .testTarget(name: "HouseTests"),
  ]
)

// The golden hashes are of these alone, and `make test-debug` computes them unoptimised too. The rest, and the
// packages that it needs, took more than half of that build's time. The list of packages stays, for without
// it their versions would go from Package.resolved.
if Context.environment["CORE_ONLY"] != nil {
  let core = [
    "CWASMRuntime", "Determinism", "Physics", "PhysicsScenes", "Dynamics", "DynamicsScenes", "Wire",
    "Simulation", "Play", "SeededChance", "CAllocationCount", "DeterminismTests", "PhysicsTests",
    "DynamicsTests", "WireTests", "SimulationTests",
  ]
  package.products = []
  package.targets.removeAll { !core.contains($0.name) }
}
