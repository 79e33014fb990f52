// Worlds in UIKit Dynamics' words that tests run natively and in WebAssembly: equal bits here and
// there. Never shipped.
@_exported import Dynamics
