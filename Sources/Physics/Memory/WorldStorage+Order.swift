// What must hold of a world between the stages of a step. Only the assertions of debug builds ask:
// each of these goes through a whole list, once a stage.

extension WorldStorage {
  /// Whether every body's slot and row name each other, and as many bodies exist as were counted.
  var rowsMatchSlots: Bool {
    var found = 0
    for slot in 0..<slots.count where slots[slot].exists {
      let row = Int(slots[slot].row)
      guard row < bodies.rowCount, Int(bodies.slots[row]) == slot else { return false }
      found += 1
    }
    return found == slots.bodyCount
  }

  /// Whether as many bodies sleep as were counted, and each within a group of sleepers.
  var sleepersAreCounted: Bool {
    var found = 0
    for slot in 0..<slots.count where slots[slot].exists && slots[slot].isAsleep {
      let next = Int(slots[slot].islandNext)
      guard next < slots.count, slots[next].exists, slots[next].isAsleep else { return false }
      found += 1
    }
    return found == state.sleeperCount
  }

  /// Whether the neighbours are listed by their lower rows, and each list ends where the next one
  /// begins.
  var neighboursAreInOrder: Bool {
    guard neighbours.rows > 0 else { return neighbours.count == 0 }
    guard neighbours.rows <= bodies.rowCount else { return false }
    var k = 0
    for row in 0..<neighbours.rows {
      guard Int(neighbours.starts[row]) == k else { return false }
      let end = Int(neighbours.starts[row + 1])
      while k < end {
        let (lower, upper) = (Int(neighbours.lower[k]), Int(neighbours.upper[k]))
        guard lower == row, upper > row, upper < neighbours.rows else { return false }
        k += 1
      }
    }
    return k == neighbours.count
  }

  /// Whether each body near a boundary has a row, a piece that exists, and a side of it.
  var edgePairsAreSound: Bool {
    for k in 0..<edgePairs.count {
      let pair = edgePairs[k]
      guard pair.row >= 0, pair.row < bodies.rowCount, pair.edge >= 0, pair.edge < edges.count,
        edges[Int(pair.edge)].exists, pair.side == 1 || pair.side == -1
      else { return false }
    }
    return true
  }

  /// Whether every pair knows of its touching only whether it touched at the end of the solve.
  var touchesAreSettled: Bool {
    for k in 0..<neighbours.count where neighbours.touches[k] > 1 { return false }
    for k in 0..<edgePairs.count where edgePairs[k].touch > 1 { return false }
    return true
  }

  /// Whether all velocities are numbers.
  var velocitiesAreFinite: Bool {
    for row in 0..<bodies.rowCount {
      let v = bodies.motions[2 * row]
      guard v.x.isFinite, v.y.isFinite, v.z.isFinite else { return false }
    }
    return true
  }

  /// Whether every body could be saved and restored: its place a number, its direction of length 1,
  /// its speeds within their limits.
  var rowsAreTame: Bool {
    let limit = SnapshotLimit.speed * SnapshotLimit.speed
    for row in 0..<bodies.rowCount {
      let (pose, v) = (bodies.poses[row], bodies.motions[2 * row])
      guard pose.x.isFinite, pose.y.isFinite,
        magnitude(pose.z * pose.z + pose.w * pose.w - 1) <= SnapshotLimit.skew,
        v.x * v.x + v.y * v.y <= limit, magnitude(v.z) <= PhysicsWorld.spinLimit, v.w >= 0
      else { return false }
    }
    return true
  }

  /// Whether no body that moves occurs twice in a batch, whose lanes are written back together.
  func areApart<Record>(
    _ list: borrowing ContactList<Record>, _ lanes: UnsafeMutablePointer<Int32>, batches: Int
  ) -> Bool {
    for batch in 0..<batches {
      var rows: [Int32] = []
      for lane in 0..<4 {
        let contact = list.rows[Int(lanes[4 * batch + lane])]
        for row in [contact.a, contact.b]
        where row < bodies.rowCount && bodies.motions[2 * Int(row)].w > 0 {
          if rows.contains(row) { return false }
          rows.append(row)
        }
      }
    }
    return true
  }
}
