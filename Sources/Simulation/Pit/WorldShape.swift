/// What shape a pit is. Whoever shows it shows all of it: a phone a wide one between two bars.
public enum WorldShape: UInt8, CaseIterable, Sendable {
  /// 3:4, for phones.
  case upright = 0
  /// 16:9, for a projector.
  case wide = 1
  /// 1:1.
  case square = 2

  /// Width and height in the smallest whole numbers: pits are whole multiples of so many points.
  var sides: (width: Int, height: Int) {
    switch self {
    case .upright: (3, 4)
    case .wide: (16, 9)
    case .square: (1, 1)
    }
  }

  /// The shape of a world of that many points; nil for one that no pit has.
  public init?(width: Int, height: Int) {
    guard width > 0, height > 0,
      let shape = WorldShape.allCases.first(where: {
        width * $0.sides.height == height * $0.sides.width
      })
    else { return nil }
    self = shape
  }

  #if !hasFeature(Embedded)
    /// The name, as on the command line.
    public var name: String { "\(sides.width):\(sides.height)" }

    /// The shape of the given name, as on the command line.
    public init?(name: String) {
      guard let shape = WorldShape.allCases.first(where: { $0.name == name }) else { return nil }
      self = shape
    }

    /// All names, for a message that lists the choice.
    public static var names: String { allCases.map { $0.name }.joined(separator: ", ") }
  #endif
}
