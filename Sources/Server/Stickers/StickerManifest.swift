import Foundation
import Simulation

/// What the manifest of a set says: `stickers.json` in its folder. docs/STICKER-SETS.md has the
/// format.
struct StickerManifest: Equatable {
  /// For people.
  let name: String
  let set: StickerSet
  /// The files of the pictures, by kind.
  let pictures: [String]

  /// The file's name in the folder.
  static let fileName = "stickers.json"
  /// A set of sixteen with all names in ten languages has a tenth of it.
  static let mostBytes = 65_536
  /// What the welcome has room for.
  static let mostNameBytes = 32
  /// The sounds that pages make of blows.
  static let sounds = ["disc", "tile", "card", "block", "soft"]

  /// Thousandths of the edge in a percent: how fine a form is told.
  private static let perPercent = 10.0

  /// Reads a manifest. `file` is its path, for errors.
  init(_ bytes: Data, file: String) throws(StickerSetError) {
    let value: ManifestValue
    do { value = try JSONDecoder().decode(ManifestValue.self, from: bytes) } catch {
      throw StickerSetError(file, "", "is no JSON: \(Self.reason(error))")
    }
    let manifest = try ManifestObject(value, file: file, keys: ["name", "stickers"])
    name = try manifest.text("name", most: Self.mostNameBytes)
    var kinds: [StickerKind] = []
    var pictures: [String] = []
    let listed = try manifest.list("stickers", 1...StickerSet.mostKinds, of: "stickers")
    for (place, value) in listed.enumerated() {
      let sticker = try ManifestObject(
        value, file: file, place: "stickers[\(place)]",
        keys: [
          "name", "names", "picture", "shape", "size", "density", "friction", "elasticity",
          "sound",
        ])
      kinds.append(try Self.kind(sticker))
      pictures.append(try Self.picture(sticker))
      try Self.checkWords(sticker)
    }
    self.pictures = pictures
    do { set = try StickerSet(kinds) } catch {
      throw StickerSetError(file, "stickers", "can't be: \(error.explanation)")
    }
  }

  private static func reason(_ error: any Error) -> String {
    guard case DecodingError.dataCorrupted(let context) = error else { return "\(error)" }
    return (context.underlyingError.map { "\($0)" } ?? context.debugDescription)
      .replacingOccurrences(of: "\n", with: " ")
  }

  private static func kind(_ sticker: ManifestObject) throws(StickerSetError) -> StickerKind {
    StickerKind(
      try shape(sticker),
      sizePercent: try sticker.number("size", StickerKind.sizes, per: 1, usual: 100),
      density: try sticker.number("density", StickerKind.densities, per: 100, usual: 100),
      friction: try sticker.number("friction", StickerKind.frictions, per: 100, usual: 20),
      elasticity: try sticker.number("elasticity", StickerKind.elasticities, per: 100, usual: 60))
  }

  private static func picture(_ sticker: ManifestObject) throws(StickerSetError) -> String {
    let name = try sticker.text("picture", most: 64)
    let isPlain = name.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
    }
    guard isPlain, !name.hasPrefix("."), name.hasSuffix(".svg") || name.hasSuffix(".png") else {
      throw sticker.refusal(
        "picture",
        "must be the name of a .svg or .png file in the folder, of letters, digits, '-', '_' and "
          + "'.', not '\(name.prefix(40))'")
    }
    return name
  }

  /// What only pages read.
  private static func checkWords(_ sticker: ManifestObject) throws(StickerSetError) {
    _ = try sticker.text("name", most: 48)
    if sticker.has("sound") {
      let sound = try sticker.text("sound", most: 48)
      guard sounds.contains(sound) else {
        throw sticker.refusal(
          "sound", "must be one of \(sounds.joined(separator: ", ")), not '\(sound)'")
      }
    }
    guard sticker.has("names") else { return }
    guard case .object(let names) = try sticker.value("names"), names.count <= 32 else {
      throw sticker.refusal("names", "must be an object of up to 32 languages, as {\"zh\": …}")
    }
    let languages = names.keys.sorted()
    let object = try ManifestObject(
      .object(names), file: sticker.file, place: sticker.path("names"), keys: languages)
    for language in languages { _ = try object.text(language, most: 48) }
  }

  // MARK: Shapes

  private static func shape(_ sticker: ManifestObject) throws(StickerSetError) -> StickerShape {
    let object = try ManifestObject(
      try sticker.value("shape"), file: sticker.file, place: sticker.path("shape"),
      keys: ["disc", "box", "outline", "rounding"])
    let named = ["disc", "box", "outline"].filter { object.has($0) }
    guard named.count == 1 else {
      throw sticker.refusal("shape", "must have one of disc, box and outline")
    }
    let sides = StickerShape.sides
    let shape: StickerShape
    switch named[0] {
    case "disc":
      if object.has("rounding") { throw object.refusal("rounding", "is not for a disc") }
      shape = .disc(diameter: try object.number("disc", sides, per: perPercent))
    case "box":
      let pair = try object.list("box", 2...2, of: "sides, width and height")
      let width = try side(pair[0], object, "box[0]")
      let height = try side(pair[1], object, "box[1]")
      let most = min(width, height) / 2
      shape = .box(
        width: width, height: height,
        corner: try object.number("rounding", 0...most, per: perPercent, usual: 0))
    default:
      shape = try outline(object)
    }
    if let flaw = shape.flaw { throw refusal(flaw, object, named[0]) }
    return shape
  }

  private static func side(
    _ value: ManifestValue, _ object: ManifestObject, _ key: String
  ) throws(StickerSetError) -> UInt16 {
    try ManifestObject.number(value, StickerShape.sides, per: perPercent) {
      object.refusal(key, $0)
    }
  }

  /// Corners are told from the picture's top left corner, in percent of its edge.
  private static func outline(_ object: ManifestObject) throws(StickerSetError) -> StickerShape {
    let listed = try object.list("outline", StickerShape.cornerCounts, of: "corners")
    var corners: [StickerShape.Corner] = []
    let middle = Int16(StickerShape.edge / 2)
    for (place, value) in listed.enumerated() {
      let key = "outline[\(place)]"
      guard case .list(let pair) = value, pair.count == 2 else {
        throw object.refusal(key, "must be a corner, such as [50, 12.5], not \(value.kind)")
      }
      var numbers: [Int16] = []
      for number in pair {
        let whole = try ManifestObject.number(number, 0...StickerShape.edge, per: perPercent) {
          object.refusal(key, $0)
        }
        numbers.append(Int16(whole) - middle)
      }
      corners.append(StickerShape.Corner(x: numbers[0], y: numbers[1]))
    }
    let growth = try object.number(
      "rounding", 0...(StickerShape.edge / 2), per: perPercent, usual: 0)
    return .outline(corners, growth: growth)
  }

  private static func refusal(
    _ flaw: StickerShape.Flaw, _ object: ManifestObject, _ key: String
  ) -> StickerSetError {
    switch flaw {
    case .outside(let place):
      object.refusal(
        "outline[\(place)]", "with the rounding around it must be within the picture, 0 to 100")
    case .notConvex(let place):
      object.refusal(
        "outline[\(place)]",
        "must turn to the right: corners go clockwise around a convex outline "
          + "(scripts/outline makes one)")
    case .thin:
      object.refusal("outline", "must hold at least 8.71 percent of the picture")
    case .side, .corner, .cornerCount:
      object.refusal(key, "is out of its range")
    }
  }
}
