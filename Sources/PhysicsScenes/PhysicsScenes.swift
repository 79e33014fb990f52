// The scenes that physics tests, benchmarks and the browser build share: `PhysicsScene` builds a
// world and drives it. Not part of the server.
