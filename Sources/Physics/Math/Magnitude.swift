/// The number without its sign; NaN stays NaN.
@inline(__always)
func magnitude(_ a: Float) -> Float { a < 0 ? -a : a }
