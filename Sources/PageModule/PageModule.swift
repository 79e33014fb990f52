import Simulation
@_expose(wasm, "page_probe") @c(page_probe) public func pageProbe(_ x: Float) -> Float { x.squareRoot() }
@main struct PageModule { static func main() {} }
