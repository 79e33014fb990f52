// The library's operators on vectors of doubles are loops over the lanes, which the optimiser has
// to unroll and join again. In a long function it leaves some alone and joins others that don't
// belong together: an axis' eight weights took eight divisions. These stay in vector registers.
import Builtin

extension SIMD8<Double> {
  @_transparent
  static func + (a: Self, b: Self) -> Self {
    Self(Builtin.fadd_Vec8xFPIEEE64(a._storage._value, b._storage._value))
  }

  @_transparent
  static func - (a: Self, b: Self) -> Self {
    Self(Builtin.fsub_Vec8xFPIEEE64(a._storage._value, b._storage._value))
  }

  @_transparent
  static func * (a: Self, b: Self) -> Self {
    Self(Builtin.fmul_Vec8xFPIEEE64(a._storage._value, b._storage._value))
  }

  @_transparent
  static func / (a: Self, b: Self) -> Self {
    Self(Builtin.fdiv_Vec8xFPIEEE64(a._storage._value, b._storage._value))
  }

  @_transparent
  static func + (a: Self, b: Double) -> Self { a + Self(repeating: b) }

  @_transparent
  static func - (a: Double, b: Self) -> Self { Self(repeating: a) - b }

  @_transparent
  static func - (a: Self, b: Double) -> Self { a - Self(repeating: b) }

  @_transparent
  static func * (a: Self, b: Double) -> Self { a * Self(repeating: b) }

  @_transparent
  static func / (a: Double, b: Self) -> Self { Self(repeating: a) / b }

  @_transparent
  init(_ vector: Builtin.Vec8xFPIEEE64) {
    self.init()
    _storage._value = vector
  }
}

extension SIMD4<Double> {
  @_transparent
  static func + (a: Self, b: Self) -> Self {
    Self(Builtin.fadd_Vec4xFPIEEE64(a._storage._value, b._storage._value))
  }

  @_transparent
  static func - (a: Self, b: Self) -> Self {
    Self(Builtin.fsub_Vec4xFPIEEE64(a._storage._value, b._storage._value))
  }

  @_transparent
  static func * (a: Self, b: Self) -> Self {
    Self(Builtin.fmul_Vec4xFPIEEE64(a._storage._value, b._storage._value))
  }

  @_transparent
  static func / (a: Self, b: Self) -> Self {
    Self(Builtin.fdiv_Vec4xFPIEEE64(a._storage._value, b._storage._value))
  }

  @_transparent
  static func + (a: Self, b: Double) -> Self { a + Self(repeating: b) }

  @_transparent
  static func - (a: Double, b: Self) -> Self { Self(repeating: a) - b }

  @_transparent
  static func - (a: Self, b: Double) -> Self { a - Self(repeating: b) }

  @_transparent
  static func * (a: Self, b: Double) -> Self { a * Self(repeating: b) }

  @_transparent
  static func * (a: Double, b: Self) -> Self { Self(repeating: a) * b }

  @_transparent
  static func / (a: Double, b: Self) -> Self { Self(repeating: a) / b }

  @_transparent
  static func / (a: Self, b: Double) -> Self { a / Self(repeating: b) }

  @_transparent
  static func += (a: inout Self, b: Self) { a = a + b }

  /// Whole numbers as doubles.
  @_transparent
  init(whole: SIMD4<Int32>) {
    self.init(Builtin.sitofp_Vec4xInt32_Vec4xFPIEEE64(whole._storage._value))
  }

  @_transparent
  init(_ vector: Builtin.Vec4xFPIEEE64) {
    self.init()
    _storage._value = vector
  }
}
