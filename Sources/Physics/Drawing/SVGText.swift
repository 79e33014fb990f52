/// Builds an SVG drawing byte by byte, with the same digits on every machine.
package struct SVGText: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func add(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// A number to the hundredth, without trailing zeros. What is no number, or beyond ±10⁹, is 0.
  package mutating func add(_ number: Float) {
    guard number >= -1e9, number <= 1e9 else { return add("0") }
    let scaled = Double(number) * 100
    let hundredths = Int64(scaled + (scaled < 0 ? -0.5 : 0.5))
    if hundredths < 0 { add("-") }
    let size = hundredths < 0 ? -hundredths : hundredths
    add(whole: size / 100)
    let rest = size % 100
    guard rest != 0 else { return }
    add(".")
    bytes.append(48 + UInt8(rest / 10))
    if rest % 10 != 0 { bytes.append(48 + UInt8(rest % 10)) }
  }

  package mutating func add(whole number: Int64) {
    var digits: [UInt8] = []
    var left = number < 0 ? -number : number
    repeat {
      digits.append(48 + UInt8(left % 10))
      left /= 10
    } while left > 0
    if number < 0 { digits.append(45) }
    assert(digits.count <= 20)
    bytes.append(contentsOf: digits.reversed())
  }

  /// `x,y`.
  package mutating func add(_ point: Vector2) {
    add(point.x)
    add(",")
    add(point.y)
  }

  package mutating func line(_ kind: StaticString, from a: Vector2, to b: Vector2) {
    add("<path class=\"")
    add(kind)
    add("\" d=\"M")
    add(a)
    add("L")
    add(b)
    add("\"/>\n")
  }

  package mutating func polygon(_ kind: StaticString, _ points: [Vector2], closed: Bool) {
    add("<path class=\"")
    add(kind)
    add("\" d=\"")
    for (i, point) in points.enumerated() {
      add(i == 0 ? "M" : "L")
      add(point)
    }
    add(closed ? "Z\"/>\n" : "\"/>\n")
  }

  package mutating func circle(_ kind: StaticString, at center: Vector2, radius: Float) {
    add("<circle class=\"")
    add(kind)
    add("\" cx=\"")
    add(center.x)
    add("\" cy=\"")
    add(center.y)
    add("\" r=\"")
    add(radius)
    add("\"/>\n")
  }

  /// Opens a tag of the kind and leaves it open for attributes.
  package mutating func open(_ tag: StaticString, _ kind: StaticString) {
    add("<")
    add(tag)
    add(" class=\"")
    add(kind)
    add("\"")
  }

  package mutating func attribute(_ name: StaticString, _ number: Float) {
    add(" ")
    add(name)
    add("=\"")
    add(number)
    add("\"")
  }
}
