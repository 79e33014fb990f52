/// For how long each body has stayed where it is. Only an encoder needs it: it decides how far off
/// a body may be, and decoders take what comes.
struct Stillness {
  private let anchors: UnsafeMutablePointer<SIMD4<Double>>
  private let stillTicks: UnsafeMutablePointer<Int32>
  private let slots: Int

  init(slots: Int) {
    self.slots = slots
    anchors = .allocate(capacity: slots)
    stillTicks = .allocate(capacity: slots)
    anchors.initialize(repeating: SIMD4(repeating: 0), count: slots)
    stillTicks.initialize(repeating: 0, count: slots)
  }

  func deallocate() {
    anchors.deallocate()
    stillTicks.deallocate()
  }

  func clear() {
    stillTicks.update(repeating: 0, count: slots)
  }

  /// Takes in where the body is after `ticks` more, and returns for how many ticks it has stayed
  /// within `CodecProfile.stillness` of one place.
  func note(_ slot: Int, at place: SIMD4<Double>, ticks: Int32) -> Int32 {
    assert(slot >= 0 && slot < slots && ticks > 0)
    let off = place - anchors[slot]
    let limit = CodecProfile.stillness
    if abs(off[0]) < limit && abs(off[1]) < limit && abs(off[2]) < limit {
      // More than is ever asked for, and far from overflow.
      if stillTicks[slot] < 1000 { stillTicks[slot] &+= ticks }
    } else {
      stillTicks[slot] = 0
      anchors[slot] = place
    }
    return stillTicks[slot]
  }
}
