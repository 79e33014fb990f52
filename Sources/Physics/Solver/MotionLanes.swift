/// Reads and writes of four bodies' motions by byte offset (32 bytes a row: velocity, then motion
/// since the contacts were found).
@inline(__always)
func load(_ motions: UnsafeMutableRawPointer, _ offset: Int32) -> Lanes {
  motions.load(fromByteOffset: Int(offset), as: Lanes.self)
}

@inline(__always)
func store(_ value: Lanes, _ motions: UnsafeMutableRawPointer, _ offset: Int32) {
  motions.storeBytes(of: value, toByteOffset: Int(offset), as: Lanes.self)
}

@_transparent
func loadVelocities(
  _ motions: UnsafeMutableRawPointer, _ at: IntLanes
) -> (Lanes, Lanes, Lanes, Lanes) {
  transpose(
    load(motions, at.x), load(motions, at.y), load(motions, at.z), load(motions, at.w))
}

@_transparent
func loadMoves(
  _ motions: UnsafeMutableRawPointer, _ at: IntLanes
) -> (Lanes, Lanes, Lanes, Lanes) {
  transpose(
    load(motions, at.x + 16), load(motions, at.y + 16), load(motions, at.z + 16),
    load(motions, at.w + 16))
}

@_transparent
func storeVelocities(
  _ motions: UnsafeMutableRawPointer, _ at: IntLanes, _ x: Lanes, _ y: Lanes, _ spin: Lanes,
  _ inverseMass: Lanes
) {
  let (p, q, r, s) = transpose(x, y, spin, inverseMass)
  store(p, motions, at.x)
  store(q, motions, at.y)
  store(r, motions, at.z)
  store(s, motions, at.w)
}

@inline(__always)
func loadInertias(_ motions: UnsafeMutableRawPointer, _ at: IntLanes) -> Lanes {
  Lanes(
    load(motions, at.x + 16).w, load(motions, at.y + 16).w, load(motions, at.z + 16).w,
    load(motions, at.w + 16).w)
}
