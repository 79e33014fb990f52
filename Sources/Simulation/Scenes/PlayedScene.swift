import Dynamics
import Physics
import Wire

/// The scene that a pit plays: one of the five.
enum PlayedScene: Sendable {
  case pit(PitScene)
  case rain(RainScene)
  case gallery(GalleryScene)
  case drag(DragScene)
  case toss(TossScene)
  /// Between two words: a scene at work is taken out, so that it changes in place.
  case away

  /// Sets a scene up on an empty ground.
  init(_ configuration: PitConfiguration, _ ground: inout Playground) throws(DynamicsError) {
    let bodies = configuration.bodies
    switch configuration.scene {
    case .pit: self = .pit(try PitScene(bodies: bodies, configuration.stickerSizes, &ground))
    case .rain: self = .rain(try RainScene(&ground))
    case .gallery: self = .gallery(try GalleryScene(bodies: bodies, &ground))
    case .drag: self = .drag(try DragScene(bodies: bodies, &ground))
    case .toss: self = .toss(try TossScene(bodies: bodies, &ground))
    }
  }

  var hasWalls: Bool {
    if case .toss(let scene) = self { return scene.hasWalls }
    return true
  }

  /// Lets the scene have a turn; whether it did something.
  @discardableResult
  mutating func take(
    _ turn: SceneTurn, _ ground: inout Playground
  ) throws(DynamicsError) -> Bool {
    let played = self
    self = .away
    switch consume played {
    case .pit(var scene):
      defer { self = .pit(scene) }
      return try scene.take(turn, &ground)
    case .rain(var scene):
      defer { self = .rain(scene) }
      return try scene.take(turn, &ground)
    case .gallery(var scene):
      defer { self = .gallery(scene) }
      return try scene.take(turn, &ground)
    case .drag(var scene):
      defer { self = .drag(scene) }
      return try scene.take(turn, &ground)
    case .toss(var scene):
      defer { self = .toss(scene) }
      return try scene.take(turn, &ground)
    case .away: return false
    }
  }

  /// Ties an item to a finger.
  mutating func tie(
    _ id: ItemID, to point: Vector2, _ ground: inout Playground
  ) throws(DynamicsError) -> BehaviorHandle<AttachmentBehavior>? {
    switch self {
    case .pit(var scene): return try scene.tie(id, to: point, &ground)
    case .rain(var scene): return try scene.tie(id, to: point, &ground)
    case .gallery(var scene): return try scene.tie(id, to: point, &ground)
    case .drag(var scene):
      defer { self = .drag(scene) }
      return try scene.tie(id, to: point, &ground)
    case .toss(var scene): return try scene.tie(id, to: point, &ground)
    case .away: return nil
    }
  }

  /// What is drawn besides the items.
  func draw(into scenery: inout Scenery, _ ground: Playground) throws(DynamicsError) {
    switch self {
    case .pit(let scene): scene.draw(into: &scenery, ground)
    case .rain(let scene): scene.draw(into: &scenery, ground)
    case .gallery(let scene): try scene.draw(into: &scenery, ground)
    case .drag(let scene): try scene.draw(into: &scenery, ground)
    case .toss(let scene): scene.draw(into: &scenery, ground)
    case .away: break
    }
  }

  /// Becomes what another scene is. Where both are the same scene, in the memory that is there.
  mutating func assign(_ other: PlayedScene) {
    let played = self
    self = .away
    switch consume played {
    case .rain(var scene):
      guard case .rain(let other) = other else { break }
      scene.assign(other)
      self = .rain(scene)
      return
    case .drag(var scene):
      guard case .drag(let other) = other else { break }
      scene.assign(other)
      self = .drag(scene)
      return
    case .toss(var scene):
      guard case .toss(let other) = other else { break }
      scene.assign(other)
      self = .toss(scene)
      return
    case .pit, .gallery, .away: break
    }
    // Nothing in the others changes in place.
    self = other
  }

  /// All that the scene keeps.
  func write<Sink: WordSink>(_ sink: inout Sink) {
    switch self {
    case .pit(let scene): scene.write(&sink)
    case .rain(let scene): scene.write(&sink)
    case .gallery(let scene): scene.write(&sink)
    case .drag(let scene): scene.write(&sink)
    case .toss(let scene): scene.write(&sink)
    case .away: break
    }
  }

  /// The scene as `write` described it.
  init(
    _ scene: Scene, from reader: inout PitReader, _ animator: Animator
  ) throws(PitError) {
    switch scene {
    case .pit: self = .pit(try PitScene(from: &reader, animator))
    case .rain: self = .rain(try RainScene(from: &reader, animator))
    case .gallery: self = .gallery(try GalleryScene(from: &reader, animator))
    case .drag: self = .drag(try DragScene(from: &reader, animator))
    case .toss: self = .toss(try TossScene(from: &reader, animator))
    }
  }
}

/// An occasion for a scene's rules.
enum SceneTurn {
  case tilt(Vector2)
  case beforeStep
  case afterStep
  case drop(kind: UInt8, Vector2)
  case flick(Vector2, velocity: Vector2)
  case hear(keyword: UInt8, person: UInt16)
  case giveUp(ItemID)
  case takeOff(ItemID)
  case letGo(ItemID, velocity: Vector2?)
  case landed(ItemID)
  case clear
}

extension SceneRules {
  /// Takes a turn; whether it did something.
  mutating func take(
    _ turn: SceneTurn, _ ground: inout Playground
  ) throws(DynamicsError) -> Bool {
    switch turn {
    case .tilt(let direction): try tilt(direction, &ground)
    case .beforeStep: try beforeStep(&ground)
    case .afterStep: try afterStep(&ground)
    case .drop(let kind, let point): return try drop(kind: kind, at: point, &ground)
    case .flick(let point, let velocity):
      return try flick(at: point, velocity: velocity, &ground)
    case .hear(let keyword, let person):
      return try hear(keyword: keyword, from: person, &ground)
    case .giveUp(let id): try giveUp(id, &ground)
    case .takeOff(let id): try takeOff(id, &ground)
    case .letGo(let id, let velocity): try letGo(id, velocity: velocity, &ground)
    case .landed(let id): try landed(id, &ground)
    case .clear: try clear(&ground)
    }
    return true
  }
}
