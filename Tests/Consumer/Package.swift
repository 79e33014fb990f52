// swift-tools-version: 6.1
import PackageDescription

// Somebody else's package: it proves that Dynamics, Physics and StickerPitClient can be depended on
// from outside, and that nothing is fetched for them.
let package = Package(
  name: "Consumer",
  dependencies: [.package(name: "stickerpit", path: "../..", traits: [])],
  targets: [
    // Types with the names of SwiftUI and more of Apple's: OurNames.swift imports them beside ours.
    .target(name: "AppleNames"),
    .executableTarget(
      name: "Consumer",
      dependencies: [
        "AppleNames",
        .product(name: "Dynamics", package: "stickerpit"),
        .product(name: "Physics", package: "stickerpit"),
        .product(name: "StickerPitClient", package: "stickerpit"),
      ]),
  ]
)
