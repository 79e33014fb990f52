extension StreamState {
  /// Codes a body's three residuals and remembers their sizes.
  ///
  /// One bit says whether any is not 0. Then each is coded in the context of the size to expect:
  /// how far the blend was off lately, how surprising the neighbours are on this axis, the speed,
  /// the other axes' last residuals; and of those of this frame that are known already.
  @inline(__always)
  func codeResiduals<Coder: BinaryCoder>(
    _ residual: SIMD4<Int32>, fraction: SIMD4<Double>, perStep: SIMD4<Double>,
    axis: UnsafePointer<AxisPredictor>, recent: UnsafeMutablePointer<RecentResiduals>,
    neighbours: Neighbours, with coder: inout Coder
  ) -> SIMD4<Int32> {
    assert(recent.pointee.calmFrames >= 0 && recent.pointee.total >= 0)
    let noise = SIMD4(axis[0].noise, axis[1].noise, axis[2].noise, 0) * perStep
    let moved = models.moved(
      noise: halfOctaves((noise[0] + noise[1] + noise[2]) * 8, top: 15),
      neighbours: neighbours.surprise, calm: recent.pointee.calm,
      edge: StreamState.edge(fraction))
    let isStill = residual[0] | residual[1] | residual[2] == 0 ? 1 : 0
    if coder.code(isStill, with: moved) != 0 {
      recent.pointee.last = SIMD4(repeating: 0)
      recent.pointee.calmFrames &+= 1
      return SIMD4(repeating: 0)
    }

    let speed =
      SIMD4(
        abs(axis[0].velocity), abs(axis[1].velocity), abs(axis[2].velocity), 0) * perStep
    let expected =
      noise * 0.4 + SIMD4(whole: neighbours.sizes) * (neighbours.share * 2) + speed * 0.0625
      + SIMD4(repeating: Double(recent.pointee.total) * 0.3 + 2.4)
    let result = codeEach(residual, expected: expected, fraction: fraction, with: &coder)
    recent.pointee.last = magnitude(result)
    recent.pointee.calmFrames = 0
    return result
  }

  @inline(__always)
  private func codeEach<Coder: BinaryCoder>(
    _ residual: SIMD4<Int32>, expected: SIMD4<Double>, fraction: SIMD4<Double>,
    with coder: inout Coder
  ) -> SIMD4<Int32> {
    let x = code(
      residual[0], axis: 0, expected: expected[0], fraction: fraction[0], known: 0,
      isZeroPossible: true, with: &coder)
    let y = code(
      residual[1], axis: 1, expected: expected[1], fraction: fraction[1], known: magnitude(x),
      isZeroPossible: true, with: &coder)
    let angle = code(
      residual[2], axis: 2, expected: expected[2], fraction: fraction[2],
      known: magnitude(x) &+ magnitude(y), isZeroPossible: x | y != 0, with: &coder)
    return SIMD4(x, y, angle, 0)
  }

  /// Codes one residual: zero or not, sign, doublings, the bits below the highest.
  ///
  /// `known` is the size of this frame's residuals of the body that were coded before. Where
  /// everything else was 0, this one is not.
  @inline(__always)
  private func code<Coder: BinaryCoder>(
    _ value: Int32, axis: Int, expected: Double, fraction: Double, known: Int32,
    isZeroPossible: Bool, with coder: inout Coder
  ) -> Int32 {
    let size = halfOctaves(expected, top: 19)
    let detail = axis == 0 ? signBit(0.25 - abs(fraction)) : bitLevel(known &* 2, top: 6)
    let nodes = models.magnitude(
      axis: axis, context: axis == 0 ? size &* 2 &+ detail : size &* 7 &+ detail)
    if isZeroPossible, coder.code(value == 0 ? 1 : 0, with: nodes) != 0 { return 0 }

    let side = Int(floorInt(fraction * 8 + 4))
    let sign = models.sign(
      axis: axis, size: size > 11 ? 3 : size &>> 2, fraction: side > 7 ? 7 : side < 0 ? 0 : side)
    let isNegative = coder.code(signBit(value), with: sign)
    let source = Int(magnitude(value))
    assert(Coder.isDecoder || source > 0, "0 has been coded before")
    let doublings = codeDoublings(of: source, axis: axis, nodes: nodes, with: &coder)
    let result = codeMantissa(of: source, axis: axis, doublings: doublings, with: &coder)
    return negated(result, isNegative)
  }

  @inline(__always)
  private func codeDoublings<Coder: BinaryCoder>(
    of source: Int, axis: Int, nodes: UnsafeMutablePointer<Probability>, with coder: inout Coder
  ) -> Int {
    let wanted = Coder.isDecoder ? 0 : Int.bitWidth &- 1 &- source.leadingZeroBitCount
    if wanted > StreamState.mostDoublings { wentBeyondFormat = true }
    var doublings = 0
    while doublings < StreamState.mostDoublings {
      let node =
        doublings < CodecModels.doublings
        ? nodes + (1 &+ doublings) : models.tail(axis: axis, doubling: doublings)
      if coder.code(doublings < wanted ? 1 : 0, with: node) == 0 { break }
      doublings &+= 1
    }
    return doublings
  }

  @inline(__always)
  private func codeMantissa<Coder: BinaryCoder>(
    of source: Int, axis: Int, doublings: Int, with coder: inout Coder
  ) -> Int32 {
    assert(doublings >= 0 && doublings <= StreamState.mostDoublings)
    var result = 1
    var shift = doublings &- 1
    while shift >= 0 {
      let bit = (source &>> shift) & 1
      let depth = doublings &- 1 &- shift
      let coded =
        depth < 2
        ? coder.code(bit, with: models.mantissa(axis: axis, bit: depth, doublings: doublings))
        : coder.code(bit, probability: 32_768)
      result = result &<< 1 | coded
      shift &-= 1
    }
    assert(result &>> doublings == 1, "the leading bit and those behind it")
    return Int32(truncatingIfNeeded: result)
  }

  /// A residual is below 2²³, whatever the bytes say: further than any way across the lattice.
  private static let mostDoublings = 22

  /// How near the blend is to the edge of its step, 0…7, on the axis where it is nearest.
  @inline(__always)
  private static func edge(_ fraction: SIMD4<Double>) -> Int {
    let x = abs(fraction[0])
    let y = abs(fraction[1])
    let angle = abs(fraction[2])
    let both = x > y ? x : y
    let level = Int(floorInt((both > angle ? both : angle) * 16))
    return level > 7 ? 7 : level
  }
}
