extension WorldStorage {
  func wake(slot: Int) {}
  func wakeAll() {}
}
