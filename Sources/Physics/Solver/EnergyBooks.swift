/// What a part of a tick has done to the energy of motion, where that is watched.
struct EnergyLedger: BitwiseCopyable {
  /// Whether energy is tracked in this part.
  var isOpen = false
  /// What the contacts have taken in this part, in the unit ½·mass·speed².
  var taken: Float = 0
  /// What joints, and the contacts of a zone that has a ledger of its own, have given in this
  /// sub-step.
  var givenByOthers: Float = 0
}
