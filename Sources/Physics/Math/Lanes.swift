import Builtin

/// Four numbers side by side: one of each of four bodies, pairs or contacts.
typealias Lanes = SIMD4<Float>
typealias IntLanes = SIMD4<Int32>
typealias LaneMask = SIMDMask<SIMD4<Int32>>

// Small forms whose compiled shape was checked on x86, arm64 and WebAssembly: one instruction or a
// few, and no loop.
// `pointwiseMin`, `clamped` and friends compile to calls or to loops over the lanes.

@_transparent
func least(_ a: Lanes, _ b: Lanes) -> Lanes { select(a .< b, a, b) }

@_transparent
func most(_ a: Lanes, _ b: Lanes) -> Lanes { select(a .> b, a, b) }

/// Lane by lane, `yes` where the mask is set and `no` elsewhere. `replacing(with:where:)` is a loop
/// over the lanes, which in long functions stays one: with this the contacts of boxes take half.
@_transparent
func select(_ mask: LaneMask, _ yes: Lanes, _ no: Lanes) -> Lanes {
  Lanes(
    Builtin.select_Vec4xInt1_Vec4xFPIEEE32(isSet(mask), yes._storage._value, no._storage._value))
}

@_transparent
private func isSet(_ mask: LaneMask) -> Builtin.Vec4xInt1 {
  Builtin.cmp_slt_Vec4xInt32(mask._storage._storage._value, IntLanes.zero._storage._value)
}

@inline(__always)
func bits(_ a: Lanes) -> SIMD4<UInt32> { unsafeBitCast(a, to: SIMD4<UInt32>.self) }

@inline(__always)
func lanes(_ a: SIMD4<UInt32>) -> Lanes { unsafeBitCast(a, to: Lanes.self) }

@inline(__always)
func magnitude(_ a: Lanes) -> Lanes { lanes(bits(a) & SIMD4(repeating: 0x7FFF_FFFF)) }

/// ±1 with the sign of `a`.
@inline(__always)
func unit(withSignOf a: Lanes) -> Lanes {
  lanes((bits(a) & SIMD4(repeating: 0x8000_0000)) | SIMD4(repeating: 0x3F80_0000))
}

/// `a`, negated where `sign` is negative.
@inline(__always)
func flip(_ a: Lanes, bySignOf sign: Lanes) -> Lanes {
  lanes(bits(a) ^ (bits(sign) & SIMD4(repeating: 0x8000_0000)))
}

/// One bit a lane, the first lane lowest.
@_transparent
func moveMask(_ mask: LaneMask) -> Int32 {
  Int32(Builtin.zext_Int4_Int32(Builtin.bitcast_Vec4xInt1_Int4(isSet(mask))))
}

/// Whether any lane is set. The library's goes through the lanes one by one: in WebAssembly the
/// contacts of boxes took twice as long with it.
@_transparent
func any(_ mask: LaneMask) -> Bool { moveMask(mask) != 0 }

@inline(__always)
private func halves(_ a: Lanes) -> SIMD2<UInt64> { unsafeBitCast(a, to: SIMD2<UInt64>.self) }

@inline(__always)
private func joined(_ a: UInt64, _ b: UInt64) -> Lanes {
  unsafeBitCast(SIMD2<UInt64>(a, b), to: Lanes.self)
}

/// Four rows become four columns. Going through 64-bit halves keeps the optimiser from taking the
/// neighbouring arithmetic apart into single numbers, which cost a third of a solver pass.
@_transparent
func transpose(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) -> (Lanes, Lanes, Lanes, Lanes) {
  let (a2, b2, c2, d2) = (halves(a), halves(b), halves(c), halves(d))
  let p = joined(a2.x, b2.x)
  let q = joined(c2.x, d2.x)
  let r = joined(a2.y, b2.y)
  let s = joined(c2.y, d2.y)
  return (
    Lanes(p.x, p.z, q.x, q.z), Lanes(p.y, p.w, q.y, q.w), Lanes(r.x, r.z, s.x, s.z),
    Lanes(r.y, r.w, s.y, s.w)
  )
}

/// The number without its sign; NaN stays NaN.
@inline(__always)
func magnitude(_ a: Float) -> Float { a < 0 ? -a : a }
