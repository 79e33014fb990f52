// The library's operators on `SIMD4` are loops over the lanes, which the optimiser has to unroll and
// join again. In long functions it gives up: the relax pass took 50 times as long in WebAssembly.
// These are one instruction each in every build, debug included.
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

  @_transparent
  init(_ vector: Builtin.Vec4xFPIEEE32) {
    self.init()
    _storage._value = vector
  }
}
