import Synchronization

/// One network thread's end of the exchange.
final class Lane: Sendable {
  private struct State {
    var arrivals: [Arrival] = []
    /// Counts the times that the tick thread took the inputs.
    var batch: UInt64 = 1
    var droppedInputs = 0
    /// By `StreamKey.index`.
    var demand = StreamKey.all.map { _ in StreamDemand() }
    /// The last tick that was sent when that was needed.
    var demandTick: UInt32 = 0
    var wantsSnapshot = false
    var isFollowed = false
    var publications: [Publication] = []
    /// Publications that were given up because too many waited.
    var lostPublications = 0
    var report = ThreadReport()
  }

  private let state = Mutex(State())
  private let order: ArrivalOrder
  private let pool: PublicationPool
  private let queuedInputs: Int
  private let queuedPublications: Int

  /// - Parameters:
  ///   - order: numbers what is posted in all lanes.
  ///   - pool: takes publications back.
  ///   - queuedInputs: the most that wait for the tick thread.
  ///   - queuedPublications: the most that wait for the network thread.
  init(order: ArrivalOrder, pool: PublicationPool, queuedInputs: Int, queuedPublications: Int) {
    self.order = order
    self.pool = pool
    self.queuedInputs = queuedInputs
    self.queuedPublications = queuedPublications
  }

  // MARK: The network thread's side

  /// Posts an input for the tick that it is meant for. A tilt or a move takes the place of an
  /// earlier one that means the same finger or phone and the same tick, and still waits: only the
  /// last one counts.
  /// - Parameter posted: where the session's inputs stand.
  /// - Returns: whether there was room for it.
  @discardableResult
  func post(_ input: Exchange.Input, _ posted: inout PostedInputs) -> Bool {
    state.withLock {
      if let place = posted.place(of: input, batch: $0.batch) {
        $0.arrivals[place].input = input
        return true
      }
      guard $0.arrivals.count < queuedInputs || input.mustArrive else {
        $0.droppedInputs.count()
        return false
      }
      posted.note(input, at: $0.arrivals.count)
      $0.arrivals.append(Arrival(order: order.next(), input: input))
      return true
    }
  }

  /// - Parameters:
  ///   - demand: what to encode from now on, by `StreamKey.index`; nil for the same as before.
  ///   - tick: the last tick that was sent.
  func demand(_ demand: [StreamDemand]?, after tick: UInt32) {
    state.withLock {
      if let demand { $0.demand = demand }
      $0.demandTick = tick
    }
  }

  /// Somebody who follows the log has no world yet.
  func wantSnapshot() {
    state.withLock { $0.wantsSnapshot = true }
  }

  /// - Parameters:
  ///   - wantsSnapshot: whether somebody who follows the log has no world yet.
  ///   - isFollowed: whether somebody has it, and follows.
  func tell(wantsSnapshot: Bool, isFollowed: Bool) {
    state.withLock {
      $0.wantsSnapshot = wantsSnapshot
      $0.isFollowed = isFollowed
    }
  }

  /// Gives back what is in `publications`, all sent, and fills it with what was published since the
  /// last call, oldest first.
  func exchange(_ publications: inout [Publication]) {
    for publication in publications { pool.giveBack(publication) }
    publications.removeAll(keepingCapacity: true)
    state.withLock { swap(&publications, &$0.publications) }
  }

  /// Tells the other threads how this one fares.
  func tell(_ report: ThreadReport) {
    state.withLock { $0.report = report }
  }

  // MARK: The other threads' side

  /// How this thread fares, as it last told. What waits for it, and was given up meanwhile, is of
  /// now: a thread that is stuck tells nothing.
  var report: ThreadReport {
    state.withLock {
      var report = $0.report
      report.backlog = max(report.backlog, $0.publications.count)
      report.traffic.collapsed.count($0.lostPublications)
      return report
    }
  }

  /// Inputs that there was no room for.
  var droppedInputs: Int { state.withLock { $0.droppedInputs } }

  /// Whether somebody of this thread has the world and follows the log.
  var isFollowed: Bool { state.withLock { $0.isFollowed } }

  /// Whether somebody of this thread wants a snapshot of the world.
  var wantsSnapshot: Bool { state.withLock { $0.wantsSnapshot } }

  /// Moves what was posted to the end of `arrivals`, and adds what is wanted.
  /// - Parameter last: the number of the last input to take.
  func takeInputs(
    upTo last: UInt64, into arrivals: inout [Arrival], _ demand: inout [StreamDemand],
    _ steps: FrameSteps
  ) {
    let (demanded, tick) = state.withLock {
      let count = $0.arrivals.lastIndex { $0.order <= last }.map { $0 + 1 } ?? 0
      if arrivals.isEmpty, count == $0.arrivals.count {
        swap(&arrivals, &$0.arrivals)
      } else {
        arrivals.append(contentsOf: $0.arrivals[..<count])
        $0.arrivals.removeSubrange(..<count)
      }
      $0.batch += 1
      return ($0.demand, $0.demandTick)
    }
    for index in demand.indices {
      steps.add(demanded[index], of: index, after: tick, to: &demand[index])
    }
  }

  /// Lets the network thread have a publication. One that is far behind loses the oldest.
  func publish(_ publication: Publication) {
    let lost = state.withLock { state -> Publication? in
      defer { state.publications.append(publication) }
      guard state.publications.count >= queuedPublications else { return nil }
      state.lostPublications.count()
      return state.publications.removeFirst()
    }
    if let lost { pool.giveBack(lost) }
  }
}
