// swift-tools-version: 6.1
import PackageDescription

// The deterministic core compiles twice: natively, and as Embedded Swift for the browser's module.
// The trait switches the second on; the flags that only a browser build needs stand in
// scripts/build-module, because a manifest with unsafe flags could not be used as a dependency.
let embeddable: [SwiftSetting] = [
  .enableExperimentalFeature("Embedded", .when(traits: ["Embedded"]))
]

let package = Package(
  name: "stickerpit",
  products: [
    .library(name: "Physics", targets: ["Physics"]),
    .library(name: "Dynamics", targets: ["Dynamics"]),
    .library(name: "Wire", targets: ["Wire"]),
    .library(name: "Play", targets: ["Play"]),
    .executable(name: "stickerpit", targets: ["stickerpit"]),
    .executable(name: "PageModule", targets: ["PageModule"]),
    .executable(name: "BenchModule", targets: ["BenchModule"]),
  ],
  traits: [
    .trait(name: "Embedded", description: "Embedded Swift, for the page's WebAssembly module")
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
    .systemLibrary(
      name: "CLibWebSockets", pkgConfig: "libwebsockets",
      providers: [.apt(["libwebsockets-dev", "libwebsockets-evlib-ev", "libssl-dev"])]),
    .systemLibrary(name: "CLibEV", providers: [.apt(["libev-dev"])]),
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(
      name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .target(name: "CWASMRuntime"),
    .target(
      name: "Physics",
      swiftSettings: embeddable + [.enableExperimentalFeature("BuiltinModule")],
      // Debug builds call sqrtf for squareRoot(), and nothing else here would bring libm.
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(name: "PhysicsScenes", dependencies: ["Physics"], swiftSettings: embeddable),
    .target(name: "Dynamics", dependencies: ["Physics"], swiftSettings: embeddable),
    .target(name: "DynamicsScenes", dependencies: ["Dynamics"], swiftSettings: embeddable),
    .target(
      name: "Wire", swiftSettings: embeddable + [.enableExperimentalFeature("BuiltinModule")]),
    .target(name: "Simulation", dependencies: ["Dynamics", "Wire"], swiftSettings: embeddable),
    .executableTarget(
      name: "PageModule", dependencies: ["Simulation", "CWASMRuntime"], swiftSettings: embeddable),
    .executableTarget(
      name: "BenchModule",
      dependencies: ["Simulation", "PhysicsScenes", "DynamicsScenes", "CWASMRuntime"],
      swiftSettings: embeddable),
    .target(
      name: "Transport",
      dependencies: [
        "CLibWebSockets", "CLibEV", .product(name: "DequeModule", package: "swift-collections"),
      ]),
    .target(
      name: "TickLog",
      dependencies: ["Simulation", "Wire", .product(name: "GRDB", package: "GRDB.swift")]),
    .target(
      name: "Telemetry",
      dependencies: [
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Histogram", package: "hdrhistogram-swift"),
      ]),
    .target(
      name: "Server",
      dependencies: [
        "Simulation", "TickLog", "Transport", "Telemetry",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "Histogram", package: "hdrhistogram-swift"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    .target(
      name: "Bots",
      dependencies: [
        "Simulation", "Transport",
        .product(name: "Histogram", package: "hdrhistogram-swift"),
      ]),
    .executableTarget(
      name: "stickerpit",
      dependencies: [
        "Server", "Bots", "Dynamics", "PhysicsScenes", "TickLog", "Transport", "CSystemd",
        "CQREncode",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    // Counts allocations of one thread by standing in front of the allocator.
    .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
    .testTarget(
      name: "PhysicsTests", dependencies: ["Physics", "PhysicsScenes", "CAllocationCount"],
      exclude: ["Golden"]),
    .testTarget(
      name: "DynamicsTests", dependencies: ["Dynamics", "DynamicsScenes", "CAllocationCount"],
      exclude: ["Golden"]),
    .testTarget(name: "WireTests", dependencies: ["Wire"], exclude: ["Golden"]),
    // People who do anything that clients may, for tests and fuzzers.
    .target(name: "Play", dependencies: ["Simulation"], path: "Tests/Play"),
    .testTarget(
      name: "SimulationTests", dependencies: ["Simulation", "Play", "CAllocationCount"],
      exclude: ["Golden"]),
    .testTarget(
      name: "TickLogTests",
      dependencies: ["TickLog", .product(name: "GRDB", package: "GRDB.swift")]),
    .testTarget(name: "TransportTests", dependencies: ["Transport"]),
    // The page's own code, natively, against the server: `Golden` is what node repeats with it.
    .testTarget(
      name: "ServerTests", dependencies: ["Server", "PageModule", "Play", "CAllocationCount"],
      exclude: ["Golden"]),
    .testTarget(name: "BotsTests", dependencies: ["Bots", "Server"]),
    .testTarget(name: "TelemetryTests", dependencies: ["Telemetry"]),
    .testTarget(name: "StickerPitTests", dependencies: ["Server", "Transport", "stickerpit"]),
    .testTarget(name: "HouseTests"),
  ]
)
