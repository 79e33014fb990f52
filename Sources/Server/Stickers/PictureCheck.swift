import Foundation

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

  /// An SVG tells its size, the same for both: browsers draw one without into no texture.
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
