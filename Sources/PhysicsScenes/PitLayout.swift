/// Where the pit's bodies start: the scene that the other engines' programs build too
/// (`Benchmarks/physics/pit.h`), from the same generator.
struct PitLayout {
  struct Body {
    var isBox: Bool
    /// 1 is a radius of 20, or 40×40.
    var scale: Float = 1
    var x = 0.0
    var y = 0.0
    var velocityX = 0.0
    var velocityY = 0.0
  }

  private(set) var bodies: [Body] = []
  let side: Double

  private var state: UInt32 = 12345

  init(bodies count: Int, shapes: PhysicsScene.Shapes) {
    for i in 0..<count {
      bodies.append(Body(isBox: shapes == .boxes || (shapes != .circles && i & 1 == 1)))
    }
    var shuffle = UInt32(12345)
    if shapes == .mix || shapes == .sizes {
      var i = count - 1
      while i > 0 {
        bodies.swapAt(i, Int(Self.next(&shuffle) * Double(i + 1)))
        i -= 1
      }
    }
    var area = 0.0
    for body in bodies { area += body.isBox ? 1600 : 3.14159265358979323846 * 400 }
    side = (area / 0.6).squareRoot()
    state = shuffle
    place()
    if shapes == .sizes { varySizes() }
  }

  private mutating func place() {
    var columns = 0
    while columns * columns < bodies.count { columns += 1 }
    let cell = side / Double(columns)
    let jitter = (cell - 40) * 0.8
    for i in 0..<bodies.count {
      bodies[i].x = (Double(i % columns) + 0.5) * cell + (Self.next(&state) - 0.5) * jitter
      bodies[i].y = (Double(i / columns) + 0.5) * cell + (Self.next(&state) - 0.5) * jitter
      bodies[i].velocityX = (Self.next(&state) - 0.5) * 200
      bodies[i].velocityY = (Self.next(&state) - 0.5) * 200
    }
  }

  /// Scales from 0.32 to 3.2, one large body to a hundred small areas' worth; the cells stay as
  /// they are, so that some start in each other and come apart.
  private mutating func varySizes() {
    var total = 0.0
    for i in 0..<bodies.count {
      let u = Float(Self.next(&state))
      let scale = u < 0.9 ? 0.32 + 0.9 * u : 1.2 + 20 * (u - 0.9)
      bodies[i].scale = scale
      total += Double(scale * scale)
    }
    let shrink = Float((Double(bodies.count) / total).squareRoot())
    for i in 0..<bodies.count { bodies[i].scale *= shrink }
  }

  /// xorshift32, 0..<1.
  private static func next(_ x: inout UInt32) -> Double {
    x ^= x << 13
    x ^= x >> 17
    x ^= x << 5
    return Double(x) / 4_294_967_296
  }
}
