import Foundation
import Simulation

/// What wrote a stretch of the log: told at every start.
public struct LogOrigin: Equatable, Sendable {
  /// How the stretch begins.
  public enum Beginning: Int, Sendable {
    /// With a new world.
    case world = 0
    /// Where the one before ended.
    case continued = 1
    /// With a snapshot; ticks before it are missing, or were made by another core.
    case snapshot = 2
  }

  /// The position after which it begins.
  public var position: UInt64
  public var beginning: Beginning
  /// When it began, in milliseconds since 1970.
  public var time: UInt64
  /// The program's version.
  public var version: String
  /// `CoreVersion.goldens` of the program: with another core the same records make another world.
  public var core: UInt64
  /// What the world was made with.
  public var world: WorldSettings

  public init(
    position: UInt64, beginning: Beginning, time: UInt64, version: String,
    core: UInt64 = CoreVersion.goldens, world: WorldSettings
  ) {
    self.position = position
    self.beginning = beginning
    self.time = time
    self.version = version
    self.core = core
    self.world = world
  }
}

/// What a world was made with, as the log tells it.
public struct WorldSettings: Equatable, Codable, Sendable {
  /// The scene's name.
  public var scene: String
  /// Stickers at the start.
  public var bodies: Int
  /// Most stickers at a time.
  public var maxBodies: Int
  /// The shape of a pit that is not 3:4.
  public var shape: String?
  /// The seed of everything that is left to chance.
  public var seed: UInt64

  public init(_ configuration: PitConfiguration) {
    scene = configuration.scene.name
    bodies = configuration.bodies
    maxBodies = configuration.maxBodies
    shape = configuration.shape == .upright ? nil : configuration.shape.name
    seed = configuration.seed
  }

  /// The configuration again; nil if there is none such.
  public var configuration: PitConfiguration? {
    guard let scene = Scene(name: scene), let shape = WorldShape(name: shape ?? "3:4") else {
      return nil
    }
    return try? PitConfiguration(
      scene: scene, bodies: bodies, maxBodies: maxBodies, shape: shape, seed: seed)
  }

  /// As it stands in the journal: JSON with sorted keys.
  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  init?(text: String) {
    guard let value = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
      return nil
    }
    self = value
  }
}
