import Testing

/// The dependency arrows of ARCHITECTURE.md: a module may import those below it and nothing else.
@Suite struct LayeringTests {
  /// What each module may import; outside libraries are named only where its field needs one.
  static let allowed: [String: Set<String>] = [
    "Determinism": [],
    "Physics": ["Determinism", "Builtin"],
    "PhysicsScenes": ["Physics"],
    "Dynamics": ["Physics"],
    "DynamicsScenes": ["Dynamics"],
    "Wire": ["Determinism", "Builtin"],
    "Simulation": ["Determinism", "Physics", "Dynamics", "Wire"],
    "PageModule": ["Physics", "Dynamics", "Wire", "Simulation", "CWASMRuntime"],
    "BenchModule": [
      "Determinism", "Physics", "PhysicsScenes", "Dynamics", "DynamicsScenes", "Wire",
      "Simulation", "CWASMRuntime",
    ],
    "Transport": [
      "Determinism", "CLibWebSockets", "CLibEV", "DequeModule", "Foundation", "Glibc",
      "Synchronization",
    ],
    "TickLog": [
      "Determinism", "Simulation", "Wire", "GRDB", "Foundation", "Glibc", "Synchronization",
      "Dispatch",
    ],
    "NATSLink": [
      "Simulation", "Wire", "TickLog", "CNATS", "Foundation", "Glibc", "Synchronization",
    ],
    "Telemetry": ["CoreMetrics", "Histogram", "Glibc", "Synchronization"],
    "Server": [
      "Physics", "Dynamics", "Wire", "Simulation", "TickLog", "Transport", "Telemetry",
      "Foundation", "Glibc", "Synchronization", "Logging", "CoreMetrics", "DequeModule",
      "Histogram", "ServiceLifecycle", "CQREncode",
    ],
    "Bots": [
      "Physics", "Dynamics", "Wire", "Simulation", "Transport", "Foundation", "Glibc",
      "Synchronization", "Histogram",
    ],
    "StickerPitClient": [
      "Physics", "Wire", "Simulation", "Foundation", "SwiftUI", "CoreMotion",
    ],
    "StickerPitSocket": [
      "Wire", "StickerPitClient", "Transport", "Dispatch", "Synchronization",
    ],
    "stickerpit": [
      "Physics", "PhysicsScenes", "Dynamics", "Wire", "Simulation", "TickLog", "NATSLink",
      "Transport", "Server", "Bots", "Foundation", "Glibc", "Synchronization", "ArgumentParser",
      "Configuration", "Logging", "ServiceLifecycle", "CSystemd",
    ],
  ]

  static let systemLibraries: Set<String> = [
    "CLibWebSockets", "CLibEV", "CSystemd", "CQREncode", "CNATS", "CWASMRuntime",
  ]

  @Test func everyModuleIsKnownAndPresent() throws {
    let files = try SourceTree().files(below: "Sources", extensions: ["swift"])
    let present = Set(files.map(Self.module))
    #expect(present == Set(Self.allowed.keys))
  }

  @Test func noModuleImportsUpward() throws {
    for file in try SourceTree().files(below: "Sources", extensions: ["swift"]) {
      let allowed = try #require(
        Self.allowed[Self.module(of: file)], "unknown module: \(file.path)")
      for imported in SourceTree.imports(of: file) {
        #expect(allowed.contains(imported), "\(file.path) must not import \(imported)")
      }
    }
  }

  @Test func noTypeBearsItsModulesName() throws {
    for file in try SourceTree().files(below: "Sources", extensions: ["swift"]) {
      let module = Self.module(of: file)
      guard module != "PageModule", module != "BenchModule" else { continue }
      for line in file.code {
        let words = line.split(whereSeparator: { " :<{(".contains($0) })
        for (keyword, name) in zip(words, words.dropFirst())
        where ["struct", "class", "enum", "actor", "protocol"].contains(keyword) {
          #expect(name != module, "\(file.path) declares a type named like its module")
        }
      }
    }
  }

  /// Only Transport may see a C type of its libraries: nothing else imports them (checked above),
  /// and nothing in its public surface spells one.
  @Test func noCTypeLeavesTransport() throws {
    for file in try SourceTree().files(below: "Sources/Transport", extensions: ["swift"]) {
      for line in file.code where line.contains("public ") {
        for word in ["lws", "ev_loop", "OpaquePointer", "UnsafeMutablePointer<"] {
          #expect(!line.contains(word), "\(file.path): \(line)")
        }
      }
    }
  }

  @Test func everyModuleHasATestFolderAndADocComment() throws {
    let tree = SourceTree()
    let sources = try tree.files(below: "Sources", extensions: ["swift"])
    let tests = try tree.files(below: "Tests", extensions: ["swift"])
    for module in Self.allowed.keys
    where !["PageModule", "BenchModule", "PhysicsScenes", "DynamicsScenes", "stickerpit"].contains(
      module)
    {
      #expect(
        tests.contains { $0.path.hasPrefix("Tests/\(module)Tests/") }, "no tests of \(module)")
    }
    for module in Self.allowed.keys {
      let path = "Sources/\(module)/\(module).swift".lowercased()
      let page = sources.first { $0.path.lowercased() == path }
      let first = page?.lines.first ?? ""
      #expect(
        first.hasPrefix("//") && first.count > 30,
        "Sources/\(module)/\(module).swift must open with a comment that says what the module is")
    }
  }

  private static func module(of file: SourceTree.File) -> String {
    String(file.path.split(separator: "/")[1])
  }
}
