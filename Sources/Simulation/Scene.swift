/// The scenes by the number that a welcome names.
public enum Scene: UInt8, CaseIterable, Sendable {
  /// Stickers in a box that everybody tilts.
  case pit = 0

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
      }
    }

    /// All names, for a message that lists the choice.
    public static var names: String { allCases.map { $0.name }.joined(separator: ", ") }
  #endif

  /// Magnitude of the scene's gravity, as UIKit Dynamics counts it: 1 is 1000 pt/s².
  var gravityMagnitude: Float { 1 }
}
