/// Memory at an address that JavaScript knows. It only grows, up to its limit; the address changes
/// when it does.
final class SharedBuffer {
  /// Most bytes it may hold.
  let limit: Int
  private(set) var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  init(limit: Int) {
    self.limit = limit
  }

  deinit {
    bytes.deallocate()
  }

  /// Makes room for `count` bytes. Returns false beyond the limit. What was in there is lost if it
  /// grows; new bytes are 0. It grows to twice the need, so that a growing world rarely moves it.
  func reserve(_ count: Int) -> Bool {
    guard count >= 0, count <= limit else { return false }
    if count <= bytes.count { return true }
    let size = count * 2 < limit ? count * 2 : limit
    bytes.deallocate()
    bytes = .allocate(byteCount: size, alignment: 16)
    for index in 0..<size { bytes[index] = 0 }
    return true
  }

  /// Copies `source` to an offset; what doesn't fit is left out.
  func copy(_ source: UnsafeRawBufferPointer, at offset: Int) {
    guard offset >= 0, offset < bytes.count else { return }
    let room = bytes.count - offset
    let count = source.count < room ? source.count : room
    UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<count]))
  }

  /// The address of a byte.
  func address(of offset: Int = 0) -> UnsafeMutableRawPointer? {
    bytes.baseAddress.map { $0 + offset }
  }
}
