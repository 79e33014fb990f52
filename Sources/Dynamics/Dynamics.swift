// UIKit Dynamics' words as Swift values: an animator, items and behaviours on a deterministic
// solver.
//
// Read `Animator` first. Vectors, rectangles and the solver's own types come from Physics.
@_exported import Physics
