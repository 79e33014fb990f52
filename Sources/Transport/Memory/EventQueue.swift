/// Actions in the order of their virtual time, then of their insertion: a binary heap.
struct EventQueue {
  struct Event {
    let time: UInt64
    let sequence: UInt64
    let action: () -> Void

    func isBefore(_ other: Event) -> Bool {
      time == other.time ? sequence < other.sequence : time < other.time
    }
  }

  private var heap: [Event] = []
  private var inserted: UInt64 = 0

  /// Time of the next action.
  var nextTime: UInt64? { heap.first?.time }

  mutating func insert(at time: UInt64, _ action: @escaping () -> Void) {
    heap.append(Event(time: time, sequence: inserted, action: action))
    inserted += 1
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].isBefore(heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() -> Event {
    let first = heap[0]
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].isBefore(heap[least]) {
        least = child
      }
      guard least != parent else { return first }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
