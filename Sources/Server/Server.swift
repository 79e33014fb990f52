/// The authoritative side of the pit: one tick thread steps the world on absolute deadlines, one
/// network thread fans its frames out to the sessions.
///
/// From the top down: `PitService` starts everything and stops it again. `TickLoop` calls
/// `WorldRunner.runTick` sixty times a second; the runner drains the inputs from `Exchange`, steps
/// `Pit`, encodes once a rate and publishes. `SessionHub` is woken, takes the publications from
/// `Exchange` and writes the same bytes to every session in step.
