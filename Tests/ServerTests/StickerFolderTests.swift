import Foundation
import Simulation
import Testing

@testable import Server

/// Folders with sets of stickers: what is wrong is told with its file, its key and its range.
@Suite struct StickerFolderTests {
  /// A folder for one test.
  private final class Folder {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("stickers-\(UUID().uuidString)").path

    init(_ manifest: String? = nil, _ files: [String: Data] = [:]) throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      if let manifest { try put("stickers.json", Data(manifest.utf8)) }
      for (name, bytes) in files { try put(name, bytes) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func put(_ name: String, _ bytes: Data) throws {
      try bytes.write(to: URL(fileURLWithPath: path + "/" + name))
    }

    func load() throws(StickerSetError) -> StickerFolder { try StickerFolder(path: path) }

    /// What is wrong with it, without its path.
    func problem() -> String? {
      do throws(StickerSetError) {
        _ = try StickerFolder(path: path)
        return nil
      } catch {
        return error.description.replacingOccurrences(of: path + "/", with: "")
      }
    }
  }

  private static let svg = Data(#"<svg viewBox="0 0 9 9" width="64" height="64"></svg>"#.utf8)

  /// A manifest of one sticker, of which some keys are others.
  private static func manifest(_ changes: [String: String] = [:]) -> String {
    var keys = [
      "name": #""dot""#, "picture": #""dot.svg""#, "shape": #"{"disc": 100}"#,
    ]
    for (key, value) in changes { keys[key] = value }
    let pairs = keys.filter { !$0.value.isEmpty }.map { "\"\($0.key)\": \($0.value)" }
    return #"{"name": "dots", "stickers": [{"# + pairs.joined(separator: ", ") + "}]}"
  }

  private static func problem(_ changes: [String: String]) throws -> String? {
    try Folder(manifest(changes), ["dot.svg": svg]).problem()
  }

  @Test func whatIsLeftOutIsAsOurOwn() throws {
    let folder = try Folder(Self.manifest(), ["dot.svg": Self.svg]).load()
    #expect(folder.set.kinds == [StickerKind(.disc(diameter: 1000))])
    #expect(folder.name.name.text == "dots")
  }

  @Test func everyNumberIsRead() throws {
    let changes = [
      "shape": #"{"box": [90.5, 50], "rounding": 12.3}"#, "size": "150", "density": "2.5",
      "friction": "0.05", "elasticity": "0.9", "sound": #""soft""#,
      "names": #"{"zh": "点"}"#,
    ]
    let folder = try Folder(Self.manifest(changes), ["dot.svg": Self.svg]).load()
    #expect(
      folder.set.kinds == [
        StickerKind(
          .box(width: 905, height: 500, corner: 123), sizePercent: 150, density: 250, friction: 5,
          elasticity: 90)
      ])
  }

  @Test func cornersAreToldFromTheTopLeft() throws {
    let shape = #"{"outline": [[50, 5], [95, 90.4], [5, 90.4]], "rounding": 4}"#
    let folder = try Folder(Self.manifest(["shape": shape]), ["dot.svg": Self.svg]).load()
    let corners: [StickerShape.Corner] = [
      .init(x: 0, y: -450), .init(x: 450, y: 404), .init(x: -450, y: 404),
    ]
    #expect(folder.set.kinds == [StickerKind(.outline(corners, growth: 40))])
  }

  @Test(arguments: [
    ("name", "", "stickers.json: stickers[0].name is missing"),
    ("name", "7", "stickers.json: stickers[0].name must be a text of 1 to 48 bytes, not 7"),
    ("shape", "", "stickers.json: stickers[0].shape is missing"),
    ("shape", "[]", "stickers.json: stickers[0].shape must be an object, not a list"),
    ("shape", "{}", "stickers.json: stickers[0].shape must have one of disc, box and outline"),
    (
      "shape", #"{"disc": 32}"#,
      "stickers.json: stickers[0].shape.disc must be a number of 33.3 to 100, not 32"
    ),
    (
      "shape", #"{"disc": 90, "rounding": 2}"#,
      "stickers.json: stickers[0].shape.rounding is not for a disc"
    ),
    (
      "shape", #"{"box": [90]}"#,
      "stickers.json: stickers[0].shape.box must be a list of 2 to 2 sides, width and height, "
        + "not of 1"
    ),
    (
      "shape", #"{"box": [90, "x"]}"#,
      "stickers.json: stickers[0].shape.box[1] must be a number of 33.3 to 100, not 'x'"
    ),
    (
      "shape", #"{"box": [90, 40], "rounding": 21}"#,
      "stickers.json: stickers[0].shape.rounding must be a number of 0 to 20, not 21"
    ),
    (
      "shape", #"{"outline": [[0, 0], [9, 9]]}"#,
      "stickers.json: stickers[0].shape.outline must be a list of 3 to 8 corners, not of 2"
    ),
    (
      "shape", #"{"outline": [[0, 0], [100], [0, 100]]}"#,
      "stickers.json: stickers[0].shape.outline[1] must be a corner, such as [50, 12.5], "
        + "not a list"
    ),
    (
      "shape", #"{"outline": [[0, 0], [101, 0], [0, 100]]}"#,
      "stickers.json: stickers[0].shape.outline[1] must be a number of 0 to 100, not 101"
    ),
    (
      "shape", #"{"outline": [[0, 0], [0, 100], [100, 0]]}"#,
      "stickers.json: stickers[0].shape.outline[0] must turn to the right: corners go clockwise "
        + "around a convex outline (scripts/outline makes one)"
    ),
    (
      "shape", #"{"outline": [[0, 50], [100, 50], [50, 60]]}"#,
      "stickers.json: stickers[0].shape.outline must hold at least 8.71 percent of the picture"
    ),
    (
      "shape", #"{"outline": [[0, 0], [100, 0], [50, 100]], "rounding": 1}"#,
      "stickers.json: stickers[0].shape.outline[0] with the rounding around it must be within the "
        + "picture, 0 to 100"
    ),
    ("size", "49", "stickers.json: stickers[0].size must be a number of 50 to 200, not 49"),
    (
      "size", "true",
      "stickers.json: stickers[0].size must be a number of 50 to 200, not true, "
        + "false or null"
    ),
    ("density", "5", "stickers.json: stickers[0].density must be a number of 0.25 to 4, not 5"),
    ("friction", "-1", "stickers.json: stickers[0].friction must be a number of 0 to 2, not -1"),
    (
      "elasticity", "1", "stickers.json: stickers[0].elasticity must be a number of 0 to 0.9, not 1"
    ),
    (
      "sound", #""bell""#,
      "stickers.json: stickers[0].sound must be one of disc, tile, card, block, soft, not 'bell'"
    ),
    (
      "names", "[]",
      #"stickers.json: stickers[0].names must be an object of up to 32 languages, as {"zh": …}"#
    ),
    (
      "names", #"{"zh": 1}"#,
      "stickers.json: stickers[0].names.zh must be a text of 1 to 48 bytes, "
        + "not 1"
    ),
    (
      "colour", "1",
      "stickers.json: stickers[0].colour is not known here: there are name, names, picture, "
        + "shape, size, density, friction, elasticity, sound"
    ),
    (
      "picture", #""../dot.svg""#,
      "stickers.json: stickers[0].picture must be the name of a .svg or .png file in the folder, "
        + "of letters, digits, '-', '_' and '.', not '../dot.svg'"
    ),
    (
      "picture", #""dot.gif""#,
      "stickers.json: stickers[0].picture must be the name of a .svg or .png file in the folder, "
        + "of letters, digits, '-', '_' and '.', not 'dot.gif'"
    ),
  ])
  func aWrongValueIsTold(_ key: String, _ value: String, _ problem: String) throws {
    #expect(try Self.problem([key: value]) == problem)
  }

  @Test func wrongManifestsAreTold() throws {
    func problem(_ manifest: String) throws -> String? { try Folder(manifest).problem() }
    #expect(
      try Folder().problem()
        == "stickers.json can't be read: name a folder with stickers.json (--stickers)")
    #expect(try problem("{").map { $0.hasPrefix("stickers.json is no JSON: ") } == true)
    #expect(try problem("[]") == "stickers.json must be an object, not a list")
    #expect(try problem("{}") == "stickers.json: name is missing")
    #expect(try problem(#"{"name": "a"}"#) == "stickers.json: stickers is missing")
    let none = #"{"name": "a", "stickers": []}"#
    #expect(
      try problem(none) == "stickers.json: stickers must be a list of 1 to 16 stickers, not of 0")
    let many =
      #"{"name": "a", "stickers": ["#
      + Array(repeating: "{}", count: 17)
      .joined(separator: ",") + "]}"
    #expect(
      try problem(many) == "stickers.json: stickers must be a list of 1 to 16 stickers, not of 17")
    let long = #"{"name": ""# + String(repeating: "ä", count: 17) + #"", "stickers": []}"#
    #expect(try problem(long)?.hasPrefix("stickers.json: name must be a text of 1 to 32") == true)
    let huge = String(repeating: " ", count: 65_537)
    #expect(
      try problem(huge) == "stickers.json has 65537 bytes: at most 65536 are allowed")
  }

  @Test func wrongPicturesAreTold() throws {
    func problem(_ name: String, _ bytes: Data?) throws -> String? {
      let files = bytes.map { [name: $0] } ?? [:]
      return try Folder(Self.manifest(["picture": "\"\(name)\""]), files).problem()
    }
    #expect(
      try problem("a.svg", nil)
        == "a.svg can't be read: stickers.json names it (stickers[0].picture)")
    #expect(
      try problem("a.svg", Data(count: 262_145))
        == "a.svg has 262145 bytes: at most 262144 are allowed")
    #expect(try problem("a.svg", Data("hello".utf8)) == "a.svg is no SVG picture in UTF-8")
    let size =
      "a.svg must say width and height in its svg element, the same number for both, as "
      + #"in width="256" height="256""#
    #expect(try problem("a.svg", Data("<svg viewBox='0 0 9 9'></svg>".utf8)) == size)
    #expect(try problem("a.svg", Data(#"<svg width="9" height="8"></svg>"#.utf8)) == size)
    #expect(try problem("a.png", Self.svg) == "a.png is no PNG picture")
    #expect(
      try problem("a.png", Self.png(64, 65))
        == "a.png must be a square of 64 to 1024 pixels, not 64×65")
    #expect(
      try problem("a.png", Self.png(63, 63))
        == "a.png must be a square of 64 to 1024 pixels, not 63×63")
    #expect(try problem("a.png", Self.png(64, 64)) == nil)
  }

  /// As much of a PNG as is looked at.
  private static func png(_ width: UInt8, _ height: UInt8) -> Data {
    Data(
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        + [0, 0, 0, width, 0, 0, 0, height])
  }

  @Test func filesAreServedUnderTheirSum() throws {
    let folder = try Folder(Self.manifest(), ["dot.svg": Self.svg])
    let one = try StickerFolder(path: folder.path)
    let answer = try #require(one.answer(to: one.webPath + "dot.svg"))
    #expect(answer.body == Array(Self.svg) && answer.contentType == "image/svg+xml")
    #expect(answer.cacheControl == "public, max-age=31536000, immutable")
    #expect(one.answer(to: one.webPath + "stickers.json")?.contentType == "application/json")
    #expect(one.answer(to: one.webPath + "other.svg") == nil)
    #expect(one.answer(to: "/sets/0000000000000000/dot.svg") == nil)
    #expect(try StickerFolder(path: folder.path).name == one.name)
    try folder.put("dot.svg", Self.svg + Data("\n".utf8))
    let other = try StickerFolder(path: folder.path)
    #expect(other.name.digest != one.name.digest && other.set == one.set)
    #expect(other.answer(to: one.webPath + "dot.svg") == nil)
  }

  /// The sets of this repository.
  @Test(arguments: ["fruit", "space", "animals"]) func ourSetsAreWhole(_ name: String) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = try StickerFolder(path: root.appendingPathComponent("sets/\(name)").path)
    #expect(folder.set.kinds.count == 8 && folder.name.name.text == name)
    var pit = try Pit(PitConfiguration(bodies: 120, seed: 3, stickers: folder.set))
    // Those that found no room at the start rain in.
    for _ in 0..<900 { pit.tick(TickInputs()) }
    #expect(pit.bodyCount == 120)
  }
}
