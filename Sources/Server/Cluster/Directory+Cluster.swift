import Wire

/// People at the other servers of the world, and the numbers that are given here.
extension Directory {
  /// Takes how many people the others have, and the newest of them.
  func setOthers(count: Int, listed: [Person]) {
    state.withLock { state in
      guard state.others.count != count || state.others.listed != listed else { return }
      state.others = (count, listed)
      state.version += 1
    }
  }

  /// How many people are here, and the newest of them, the newest first: without the others.
  func ownList() -> (count: Int, newest: [Person]) {
    state.withLock { state in
      (state.count, state.newest(WireLimits.listedPeople).map(\.person))
    }
  }

  /// Changes whenever people come or go here.
  var ownVersion: UInt64 { state.withLock { $0.hellos &+ UInt64($0.present.count) } }

  /// Whether there are few numbers left for newcomers.
  var needsNumbers: Bool { state.withLock { $0.people.needsNumbers } }

  /// From now on newcomers get a block's numbers.
  func add(_ block: NumberBlock) { state.withLock { $0.people.add(block) } }

  /// From now on nobody new gets a block's numbers.
  func remove(_ block: NumberBlock) { state.withLock { $0.people.remove(block) } }

  /// Another server has a block's numbers: whoever has one here is somebody new at the next hello.
  /// - Returns: those who are here. Their threads are to end their connections.
  func lose(_ block: NumberBlock) -> [Touched] {
    state.withLock { state in
      state.people.lose(block)
      let theirs = state.present.keys.filter { block.numbers.contains($0) }
      return theirs.sorted().compactMap { state.remove($0, because: .numberLost) }
    }
  }
}
