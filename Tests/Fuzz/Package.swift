// swift-tools-version: 6.1
import PackageDescription

// The fuzzers are a package of their own: libFuzzer instruments everything that is built with it.
// `make fuzz` passes the sanitizers' flags, so that the modules under test are instrumented too.
let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "stickerpit", path: "../..", traits: [])],
  targets: [
    .systemLibrary(name: "CLibFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CLibFuzzer",
        .product(name: "Wire", package: "stickerpit"),
        .product(name: "Play", package: "stickerpit"),
        .product(name: "Physics", package: "stickerpit"),
        .product(name: "Dynamics", package: "stickerpit"),
      ],
      // gold stumbles over the sanitizers' debug information.
      linkerSettings: [.unsafeFlags(["-use-ld=lld"])]),
  ]
)
