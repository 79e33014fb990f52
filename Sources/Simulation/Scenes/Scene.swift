import Physics

/// The scenes by the number that a welcome names.
public enum Scene: UInt8, CaseIterable, Sendable {
  /// Stickers in a box that everybody tilts.
  case pit = 0
  /// Keywords bring a rain of stickers over ledges that vanish and return.
  case rain = 1
  /// Squares that fall, swing and are pushed.
  case gallery = 2
  /// Squares that hang on rods and follow the finger.
  case drag = 3
  /// Cards to toss off the screen.
  case toss = 4

  #if !hasFeature(Embedded)
    /// The scene of the given name, as on the command line.
    public init?(name: String) {
      guard let scene = Scene.allCases.first(where: { $0.name == name }) else { return nil }
      self = scene
    }

    /// The name, as on the command line.
    public var name: String {
      switch self {
      case .pit: "pit"
      case .rain: "rain"
      case .gallery: "gallery"
      case .drag: "drag"
      case .toss: "toss"
      }
    }

    /// All names, for a message that lists the choice.
    public static var names: String { allCases.map { $0.name }.joined(separator: ", ") }
  #endif

  /// Bodies at the start when nobody says how many.
  public var defaultBodies: Int {
    switch self {
    case .pit: 30
    case .rain: 0
    case .gallery: 4
    case .drag: 4
    case .toss: 3
    }
  }

  /// Most bodies at the start; nil when the world grows for them.
  public var mostBodies: Int? {
    switch self {
    case .pit: nil
    case .rain: 0
    case .gallery: GalleryScene.places.count
    case .drag: DragScene.mostSquares
    case .toss: TossScene.mostCards
    }
  }

  /// Size of the world in points; nil when it grows with the bodies.
  var worldSize: Vector2? {
    switch self {
    case .pit: nil
    case .rain: RainScene.size
    case .gallery: GalleryScene.size
    case .drag: DragScene.size
    case .toss: TossScene.size
    }
  }

  /// Whether people's tilt turns the scene's gravity. Where squares hang and cards lie it does not:
  /// what a finger holds there should do what this finger does.
  public var tilts: Bool {
    switch self {
    case .pit, .rain, .gallery: true
    case .drag, .toss: false
    }
  }

  /// Magnitude of the scene's gravity, as UIKit Dynamics counts it: 1 is 1000 pt/s².
  var gravityMagnitude: Float {
    switch self {
    case .pit, .drag: 1
    case .rain: 3
    case .gallery: 0.5
    case .toss: 0
    }
  }
}
