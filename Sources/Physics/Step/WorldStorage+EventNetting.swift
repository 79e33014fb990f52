/// Scratch: the events of one step by body, in their order. Those that began come first.
struct EventChains: ~Copyable {
  /// By slot, the first event of the body, −1 for none.
  var heads = Buffer(capacity: 64, blank: Int32(-1))
  /// By event, the next one of the same body.
  var nexts = Buffer(capacity: 64, blank: Int32(-1))
  /// By event, whether it is left out.
  var isOut = Buffer(capacity: 64, blank: false)
}

// A tick of several parts may find that two things met and parted several times. What a step
// reports is the difference that it made: whether they touched before it, and after it. Besides, a
// touch within the step of two that were apart before and after is reported, in both lists.

extension WorldStorage {
  /// Leaves of each pair's events in this step at most one beginning and one end.
  func netEvents() {
    let (began, ended) = (events.began.count, events.ended.count)
    guard began > 0, ended > 0 else { return }
    chainEvents(count: began + ended)
    for k in began..<(began + ended) where !eventChains.isOut[k] { net(event(k)) }
    for k in 0..<(began + ended) { eventChains.heads[Int(event(k).body.slot)] = -1 }
    leaveOut(of: &events.began, from: 0)
    leaveOut(of: &events.ended, from: began)
  }

  /// The events of both lists, one after the other.
  private func event(_ k: Int) -> ContactEvent {
    let began = events.began.count
    return k < began ? events.began[k] : events.ended[k - began]
  }

  private func chainEvents(count: Int) {
    eventChains.heads.reserve(slots.count)
    eventChains.nexts.reserve(count)
    eventChains.isOut.reserve(count)
    var k = count - 1
    while k >= 0 {
      let slot = Int(event(k).body.slot)
      assert(slot < slots.count)
      eventChains.nexts[k] = eventChains.heads[slot]
      eventChains.heads[slot] = Int32(k)
      eventChains.isOut[k] = false
      k -= 1
    }
  }

  /// Nets the events of one pair: beginnings and ends alternate, so their numbers and whether the
  /// two touch now tell whether they touched before.
  private func net(_ pair: ContactEvent) {
    var (beginnings, ends) = (0, 0)
    var (firstBeginning, lastEnd) = (-1, -1)
    forEachEvent(of: pair) { k, isEnd in
      if isEnd {
        ends += 1
        lastEnd = k
      } else {
        if beginnings == 0 { firstBeginning = k }
        beginnings += 1
      }
    }
    guard beginnings > 0 else { return }
    assert(ends > 0, "only what ended is netted")
    assert(state.isRestored || (beginnings - ends).magnitude < 2, "ends and beginnings alternate")
    let touches = isTouching(pair)
    let touched = touches ? ends >= beginnings : ends > beginnings
    forEachEvent(of: pair) { k, isEnd in
      let stays = isEnd ? !touches && k == lastEnd : !touched && k == firstBeginning
      eventChains.isOut[k] = !stays
    }
  }

  private func forEachEvent(of pair: ContactEvent, _ action: (Int, _ isEnd: Bool) -> Void) {
    let began = events.began.count
    var k = Int(eventChains.heads[Int(pair.body.slot)])
    while k >= 0 {
      let other = event(k)
      if other.body == pair.body && other.other == pair.other { action(k, k >= began) }
      k = Int(eventChains.nexts[k])
    }
  }

  /// Whether the two of an event touch at the end of the step.
  func isTouching(_ event: ContactEvent) -> Bool {
    guard let row = row(of: event.body) else { return false }
    switch event.other {
    case .boundary(let id):
      return hasOther(than: -1, row: row) {
        edgePairs[$0].touch & 1 != 0 && edges[Int(edgePairs[$0].edge)].id == id
      }
    case .body(let other):
      guard let otherRow = self.row(of: other) else { return false }
      if state.furtherShapes > 0 { return someShapesTouch(row, otherRow) }
      let (lower, upper) = row < otherRow ? (row, otherRow) : (otherRow, row)
      assert(lower < upper && upper < neighbours.rows)
      for k in Int(neighbours.starts[lower])..<Int(neighbours.starts[lower + 1])
      where Int(neighbours.upper[k]) == upper {
        return neighbours.touches[k] & 1 != 0
      }
      return false
    }
  }

  private func row(of id: BodyID) -> Int? {
    let slot = slots[Int(id.slot)]
    return slot.exists && slot.generation == id.generation ? Int(slot.row) : nil
  }

  private func leaveOut(of list: inout [ContactEvent], from first: Int) {
    let count = list.count
    var kept = 0
    for k in 0..<count where !eventChains.isOut[first + k] {
      if kept != k { list[kept] = list[k] }
      kept += 1
    }
    list.removeLast(count - kept)
  }
}
