/// The pit: one shared world of stickers, its rules, and what a client needs to show it.
///
/// Start reading at `Pit.tick(_:)`: inputs of one tick in, one step of 1/60 s, a `TickRecord` out.
/// A pit is a value and deterministic: the same configuration and the same inputs give the same
/// bits natively and in WebAssembly. `TiltBlend` makes one gravity of everybody's tilt before the
/// tick; `Pit.bodies(into:)` hands the world to the encoders after it; `Playback` is the other
/// end.
