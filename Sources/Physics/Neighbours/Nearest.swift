/// The nearest so many of those that are offered; of equally near ones the first. A heap whose top
/// is the farthest that is kept.
struct Nearest: ~Copyable {
  private let gaps: UnsafeMutablePointer<Float>
  private let places: UnsafeMutablePointer<Int32>
  private let most: Int
  private(set) var count = 0

  init(_ most: Int) {
    assert(most > 1)
    self.most = most
    gaps = .allocate(capacity: most)
    places = .allocate(capacity: most)
  }

  deinit {
    gaps.deallocate()
    places.deallocate()
  }

  /// How far away the farthest is that is kept, once there are enough: what is not nearer is not
  /// kept.
  var farthest: Float { count < most ? .infinity : gaps[0] }

  /// Offers what is at a place; places must ascend.
  @inline(__always)
  mutating func offer(_ place: Int, gap: Float) {
    if count < most {
      append(place, gap)
    } else if gap < gaps[0] {
      sink(place, gap, from: 0)
    }
  }

  /// Calls `body` with the places that were kept, in ascending order. Nothing can be offered
  /// afterwards.
  mutating func withSorted(_ body: (UnsafeBufferPointer<Int32>) -> Void) {
    var kept = UnsafeMutableBufferPointer(start: places, count: count)
    kept.sort()
    body(UnsafeBufferPointer(kept))
  }

  private mutating func append(_ place: Int, _ gap: Float) {
    var at = count
    count += 1
    while at > 0, case let parent = (at - 1) >> 1, isFarther(gap, place, than: parent) {
      move(parent, to: at)
      at = parent
    }
    set(at, gap, place)
  }

  private func sink(_ place: Int, _ gap: Float, from first: Int) {
    var at = first
    while case var child = 2 * at + 1, child < count {
      if child + 1 < count && isFarther(gaps[child + 1], Int(places[child + 1]), than: child) {
        child += 1
      }
      if isFarther(gap, place, than: child) { break }
      move(child, to: at)
      at = child
    }
    set(at, gap, place)
  }

  @inline(__always)
  private func isFarther(_ gap: Float, _ place: Int, than other: Int) -> Bool {
    gap > gaps[other] || (gap == gaps[other] && place > Int(places[other]))
  }

  @inline(__always)
  private func move(_ from: Int, to: Int) { (gaps[to], places[to]) = (gaps[from], places[from]) }

  @inline(__always)
  private func set(_ at: Int, _ gap: Float, _ place: Int) {
    (gaps[at], places[at]) = (gap, Int32(truncatingIfNeeded: place))
  }
}
