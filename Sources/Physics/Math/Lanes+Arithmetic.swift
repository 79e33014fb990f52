// The library's operators on `SIMD4` are loops over the lanes, which the optimiser has to unroll
// and join again. In long functions it gives up: the relax pass took 50 times as long in
// WebAssembly. These are one instruction each in every build, debug included.
import Builtin

extension SIMD4<Float> {
  @_transparent
  static func + (a: Self, b: Self) -> Self {
    Self(Builtin.fadd_Vec4xFPIEEE32(a._storage._value, b._storage._value))
  }

  @_transparent
  static func - (a: Self, b: Self) -> Self {
    Self(Builtin.fsub_Vec4xFPIEEE32(a._storage._value, b._storage._value))
  }

  @_transparent
  static func * (a: Self, b: Self) -> Self {
    Self(Builtin.fmul_Vec4xFPIEEE32(a._storage._value, b._storage._value))
  }

  @_transparent
  static func / (a: Self, b: Self) -> Self {
    Self(Builtin.fdiv_Vec4xFPIEEE32(a._storage._value, b._storage._value))
  }

  @_transparent
  static prefix func - (a: Self) -> Self {
    Self(Builtin.fneg_Vec4xFPIEEE32(a._storage._value))
  }

  @_transparent
  static func += (a: inout Self, b: Self) { a = a + b }

  @_transparent
  static func -= (a: inout Self, b: Self) { a = a - b }

  /// Whole numbers as floats.
  @_transparent
  init(_ whole: IntLanes) {
    self.init(Builtin.sitofp_Vec4xInt32_Vec4xFPIEEE32(whole._storage._value))
  }

  @_transparent
  init(_ vector: Builtin.Vec4xFPIEEE32) {
    self.init()
    _storage._value = vector
  }
}

/// Cut to whole numbers towards zero; within ±2³¹.
@_transparent
func whole(_ a: Lanes) -> IntLanes {
  var result = IntLanes()
  result._storage._value = Builtin.fptosi_Vec4xFPIEEE32_Vec4xInt32(a._storage._value)
  return result
}
