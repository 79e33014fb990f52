// What all modules of the deterministic core stand on, and what gives the same bits on every
// machine: functions made of + − × ÷ alone, a seeded generator, a hash, and the writing and the
// reading of the words that a snapshot consists of.
//
// `Physics` exports it, so whoever imports that or `Dynamics` has `DeterministicMath` and
// `RandomGenerator` too; what is `package` here is for this package's own modules.
