// What the zone's contacts may do to the energy of motion: what all contacts may where energy is
// tracked (`WorldStorage+Energy`), but counted for themselves. What a pile about a few elastic
// bodies does with the energy of gravity is its own business.

extension WorldStorage {
  /// Start tracking the zone's energy for a part of a tick, once its contacts are found.
  func trackFastEnergy() {
    zone.ledger = EnergyLedger(isOpen: state.ledger.isOpen || zone.hasElastic)
    zone.gain = 0
    guard zone.ledger.isOpen else { return }
    for k in 0..<zone.rows.count { noteMass(ofRow: zone.rows[k]) }
  }

  /// Does with the zone's contacts what is done with all others, and tracks what that gives to the
  /// bodies.
  @inline(__always)
  func trackFastContacts(_ action: () -> Void) {
    guard zone.ledger.isOpen else { return withFastContacts(action) }
    noteVelocitiesOfZone()
    withFastContacts(action)
    let gain = gainOfZone
    zone.gain += gain
    state.ledger.givenByOthers += gain
  }

  /// Energy that the zone's rows have gained since their velocities were noted.
  private var gainOfZone: Float {
    var sum = Lanes.zero
    for k in 0..<zone.rows.count {
      let row = zone.rows[k]
      let (v, old) = (bodies.motions[2 * row], zone.velocities[k])
      sum += integration.masses[row] * (v - old) * (v + old)
    }
    return energy(sum)
  }

  private var energyOfZone: Float {
    var sum = Lanes.zero
    for k in 0..<zone.rows.count {
      let (row, v) = (zone.rows[k], bodies.motions[2 * zone.rows[k]])
      sum += integration.masses[row] * v * v
    }
    return energy(sum)
  }

  /// Relaxes the zone's contacts of a sub-step until they have taken energy, and tracks how much.
  func settleFastContacts(_ soft: Softness, _ edgeSoft: Softness) {
    guard zone.ledger.isOpen else { return }
    if zone.gain > 0 {
      let none = Self.noGain * energyOfZone
      var sweeps: Float = 0
      withFastContacts { sweeps = Self.moreSweeps * shareOfUsual(rows: zone.rows.count) }
      while zone.gain > none && sweeps > 0 {
        trackFastContacts { passRelaxed(soft, edgeSoft) }
        sweeps -= 1
      }
    }
    zone.ledger.taken -= zone.gain
    zone.gain = 0
  }

  /// Gives the zone's contacts their bounce at the end of a sub-step, but no more energy with it
  /// than they have taken in it.
  func bounceFastContacts() {
    assert(zone.isOn)
    guard zone.ledger.isOpen else { return withFastContacts { bounceContacts() } }
    let taken = zone.ledger.taken > 0 ? zone.ledger.taken : 0
    zone.ledger.taken = 0
    noteVelocitiesOfZone()
    withFastContacts { bounceContacts() }
    let gain = gainOfZone
    if gain > taken { shortenBounce(gain: gain, within: taken) }
  }

  /// The impulses of the batches stay those of the whole bounce. What is to be taken out of the
  /// next warm start as theirs (`takeOutOfWarmStart`) is only the share that the bodies got.
  private func shortenBounce(gain: Float, within allowed: Float) {
    var square = Lanes.zero
    for k in 0..<zone.rows.count {
      let row = zone.rows[k]
      let change = bodies.motions[2 * row] - zone.velocities[k]
      square += integration.masses[row] * change * change
    }
    let share = bounceShare(gain: gain, square: energy(square), within: allowed)
    assert(share <= 1)
    for k in 0..<zone.rows.count {
      let row = zone.rows[k]
      let whole = bodies.motions[2 * row] - zone.velocities[k]
      let change = whole * Lanes(share, share, share, 1)
      bodies.motions[2 * row] = zone.velocities[k] + change
      integration.bases[row] -= whole - change
    }
  }
}
