// The solver: rigid bodies in a plane, deterministic to the bit natively and in WebAssembly.
//
// `PhysicsWorld` is a value: a copy is a snapshot, and either continues with the same bits. Its
// `step` advances one tick of 1/60 s; what happens in it is named, stage by stage, in
// `WorldStorage+Step.swift`. Points, seconds and radians; y points down, angles turn clockwise on
// screen.
@_exported import Determinism
