import Foundation
import Simulation
import Transport
import Wire

/// A set of stickers in memory: what the world knows of it, and the files that pages fetch.
///
/// All of it is read at the start, so that what is served is what was checked, and what the welcome
/// names. It is 4 MB at most.
public struct StickerFolder: Sendable {
  /// What the world makes bodies of.
  public let set: StickerSet
  /// What the welcome tells.
  let name: StickerSetName
  /// By name in the folder.
  private let files: [String: File]

  private struct File: Sendable {
    let contentType: String
    let bytes: [UInt8]
  }

  /// Sixteen of them are 4 MB, which a phone on a slow line still gets within half a minute.
  static let mostPictureBytes = 262_144
  /// Edges of a PNG: less is blurred on a phone, more nobody sees.
  static let pictureEdges = 64...1024

  /// Reads and checks the folder. Throws `StickerSetError`: the first thing that is wrong.
  public init(path: String) throws(StickerSetError) {
    let manifestPath = path + "/" + StickerManifest.fileName
    let bytes = try Self.read(
      manifestPath, most: StickerManifest.mostBytes,
      missing: "can't be read: name a folder with \(StickerManifest.fileName) (--stickers)")
    let manifest = try StickerManifest(bytes, file: manifestPath)
    set = manifest.set
    var files = [
      StickerManifest.fileName: File(contentType: "application/json", bytes: Array(bytes))
    ]
    for (place, name) in manifest.pictures.enumerated() where files[name] == nil {
      let file = path + "/" + name
      let picture = try Self.read(
        file, most: Self.mostPictureBytes,
        missing: "can't be read: \(manifestPath) names it (stickers[\(place)].picture)")
      let isPNG = name.hasSuffix(".png")
      if isPNG { try PictureCheck.png(picture, file) } else { try PictureCheck.svg(picture, file) }
      files[name] = File(
        contentType: isPNG ? "image/png" : "image/svg+xml", bytes: Array(picture))
    }
    self.files = files
    do throws(WireError) {
      name = StickerSetName(digest: Self.digest(files), name: try Name(manifest.name))
    } catch {
      throw StickerSetError(manifestPath, "name", "must be a text of 1 to 32 bytes")
    }
  }

  private static func read(
    _ path: String, most: Int, missing: String
  ) throws(StickerSetError) -> Data {
    // Sized first: a file of many gigabytes is not to be read to find out.
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    if let size = attributes?[.size] as? Int, size > most {
      throw StickerSetError(path, "", "has \(size) bytes: at most \(most) are allowed")
    }
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw StickerSetError(path, "", missing)
    }
    return bytes
  }

  /// A sum of all files: browsers keep what they fetched under it for ever. Never 0, which stands
  /// for no set.
  private static func digest(_ files: [String: File]) -> UInt64 {
    var all: [UInt8] = []
    for (name, file) in files.sorted(by: { $0.key < $1.key }) {
      all += Array("\(name) \(file.bytes.count)\n".utf8) + file.bytes
    }
    let sum = KeyedHash(key: Array("a set of stickers".utf8)).sum(all)
    let digest = sum.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return digest == 0 ? 1 : digest
  }

  // MARK: Serving

  /// The folder of the set on the page's port; its name changes with the content.
  var webPath: String { "/sets/\(digits)/" }

  /// The sum in 16 hexadecimal digits.
  var digits: String {
    let digits = String(name.digest, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// A file of the set; nil for all other paths.
  func answer(to path: String) -> HTTPResponse? {
    guard path.hasPrefix(webPath), let file = files[String(path.dropFirst(webPath.count))] else {
      return nil
    }
    var response = HTTPResponse(contentType: file.contentType, body: file.bytes)
    response.cacheControl = "public, max-age=31536000, immutable"
    return response
  }
}

/// Checks of pictures that browsers would make only when somebody looks.
enum PictureCheck {
  /// A PNG begins with its signature and its size.
  static func png(_ bytes: Data, _ file: String) throws(StickerSetError) {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let head = Array(bytes.prefix(24))
    guard head.count == 24, head.starts(with: signature) else {
      throw StickerSetError(file, "", "is no PNG picture")
    }
    func number(_ offset: Int) -> Int {
      head[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    let (width, height) = (number(16), number(20))
    let edges = StickerFolder.pictureEdges
    guard width == height, edges.contains(width) else {
      throw StickerSetError(
        file, "",
        "must be a square of \(edges.lowerBound) to \(edges.upperBound) pixels, "
          + "not \(width)×\(height)")
    }
  }

  /// An SVG must say its width and height, which are equal: browsers don't make a texture of one
  /// without them.
  static func svg(_ bytes: Data, _ file: String) throws(StickerSetError) {
    guard let text = String(data: bytes, encoding: .utf8), let start = text.range(of: "<svg"),
      let end = text[start.upperBound...].firstIndex(of: ">")
    else { throw StickerSetError(file, "", "is no SVG picture in UTF-8") }
    let root = text[start.upperBound..<end]
    guard let width = attribute("width", of: root), width == attribute("height", of: root),
      let edge = Double(width), edge >= 1
    else {
      throw StickerSetError(
        file, "",
        "must say width and height in its svg element, the same number for both, as in "
          + "width=\"256\" height=\"256\"")
    }
  }

  private static func attribute(_ name: String, of root: Substring) -> String? {
    guard let start = root.range(of: " \(name)=\"") ?? root.range(of: "\n\(name)=\"") else {
      return nil
    }
    return root[start.upperBound...].firstIndex(of: "\"").map {
      String(root[start.upperBound..<$0])
    }
  }
}
