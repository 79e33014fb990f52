/// A run of plain values outside the reach of bounds checks and reference counts. Its owner frees
/// it; growing keeps what was there. The fastest container that the solver's loops were tried with:
/// arrays held in a class cost four times as much a batch.
struct Buffer<Element: BitwiseCopyable> {
  private(set) var base: UnsafeMutablePointer<Element>
  private(set) var capacity: Int
  private let blank: Element

  init(capacity: Int, blank: Element) {
    let room = capacity > 1 ? capacity : 1
    base = UnsafeMutablePointer<Element>.allocate(capacity: room)
    base.initialize(repeating: blank, count: room)
    self.capacity = room
    self.blank = blank
  }

  /// Makes room for `count` values, at least doubling, keeping the old ones.
  mutating func reserve(_ count: Int) {
    guard count > capacity else { return }
    let room = count > capacity * 2 ? count : capacity * 2
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: room)
    larger.update(from: base, count: capacity)
    (larger + capacity).initialize(repeating: blank, count: room - capacity)
    base.deallocate()
    base = larger
    capacity = room
  }

  func copy() -> Buffer {
    let other = Buffer(capacity: capacity, blank: blank)
    other.base.update(from: base, count: capacity)
    return other
  }

  func free() { base.deallocate() }

  @inline(__always)
  subscript(_ i: Int) -> Element {
    get { base[i] }
    nonmutating set { base[i] = newValue }
  }
}
