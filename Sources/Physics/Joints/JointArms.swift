/// Where four joints of one sort hold their bodies, no body that moves twice among them. A lane is
/// a joint; one that stands for none is of the idle row, which nothing happens to.
struct JointArms: BitwiseCopyable {
  /// Byte offsets of the two bodies' motions; the world's is that of the idle row.
  var a = IntLanes.zero
  var b = IntLanes.zero
  var inertiaA = Lanes.zero
  var inertiaB = Lanes.zero

  // MARK: At the start of the part of a tick
  /// From each centre to its anchor.
  var startAX = Lanes.zero
  var startAY = Lanes.zero
  var startBX = Lanes.zero
  var startBY = Lanes.zero
  /// From the first centre to the second, or to where the world's anchor is now.
  var startX = Lanes.zero
  var startY = Lanes.zero
  /// How fast the world's anchor travels.
  var driftX = Lanes.zero
  var driftY = Lanes.zero

  // MARK: As the bodies stand now
  /// From each centre to its anchor.
  var ax = Lanes.zero
  var ay = Lanes.zero
  var bx = Lanes.zero
  var by = Lanes.zero
  /// From the first anchor to the second.
  var reachX = Lanes.zero
  var reachY = Lanes.zero
}

extension JointArms {
  /// What the move will add to the reach.
  @inline(__always)
  func way(_ motion: JointMotion, _ h: Lanes) -> (x: Lanes, y: Lanes) {
    let (cA, sA) = smallTurn(motion.aSpin * h)
    let (cB, sB) = smallTurn(motion.bSpin * h)
    return (
      (motion.bx - motion.ax + driftX) * h + (bx * cB - by * sB) - (ax * cA - ay * sA),
      (motion.by - motion.ay + driftY) * h + (bx * sB + by * cB) - (ax * sA + ay * cA)
    )
  }

  /// Works out how the joints stand after the bodies have moved for `h` seconds; 0 before the first
  /// move.
  @inline(__always)
  mutating func settle(_ motions: UnsafeMutableRawPointer, _ h: Lanes) {
    let (mAX, mAY, turnA, _) = loadMoves(motions, a)
    let (mBX, mBY, turnB, _) = loadMoves(motions, b)
    let (cA, sA) = smallTurn(turnA)
    let (cB, sB) = smallTurn(turnB)
    ax = startAX + (startAX * cA - startAY * sA)
    ay = startAY + (startAX * sA + startAY * cA)
    bx = startBX + (startBX * cB - startBY * sB)
    by = startBY + (startBX * sB + startBY * cB)
    startX += driftX * h
    startY += driftY * h
    reachX = startX + (mBX - mAX) + (bx - ax)
    reachY = startY + (mBY - mAY) + (by - ay)
  }
}

/// The turn's cosine less 1, and its sine: by series up to half a radian, beyond one by one.
@inline(__always)
private func smallTurn(_ x: Lanes) -> (cosineLessOne: Lanes, sine: Lanes) {
  let square = x * x
  var sine =
    x
    * (Lanes(repeating: 1) - square
      * (Lanes(repeating: 0.166_666_67) - square
        * (Lanes(repeating: 0.008_333_334) - square * Lanes(repeating: 0.000_198_412_7))))
  var cosine =
    -square
    * (Lanes(repeating: 0.5) - square
      * (Lanes(repeating: 0.041_666_668) - square * Lanes(repeating: 0.001_388_888_9)))
  if moveMask(square .> Lanes(repeating: 0.25)) != 0 {
    for lane in 0..<4 where square[lane] > 0.25 {
      let exact = Rotation(angle: x[lane])
      cosine[lane] = exact.cosine - 1
      sine[lane] = exact.sine
    }
  }
  return (cosine, sine)
}
