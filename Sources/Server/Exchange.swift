import Simulation
import Synchronization
import Wire

/// The one place where the network thread and the tick thread meet. Each holds the lock for as long
/// as it takes to move values in or out, never while it computes or writes to a socket.
final class Exchange: Sendable {
  /// Something a client did, in the order in which it arrived.
  enum Input: Sendable {
    case tilt(client: UInt16, x: Int16, y: Int16, at: UInt32? = nil)
    case command(StampedCommand, at: UInt32? = nil)
    /// The client is gone; the number is one more than its last command's.
    case left(client: UInt16, sequence: UInt32)

    /// Who did it.
    var client: UInt16 {
      switch self {
      case .tilt(let client, _, _, _), .left(let client, _): client
      case .command(let stamped, _): stamped.client
      }
    }

    /// The tick that it is meant for; nil for the next one.
    var aim: UInt32? {
      switch self {
      case .tilt(_, _, _, let tick), .command(_, let tick): tick
      case .left: nil
      }
    }

    /// What a client can't repeat: its hands would stay closed for ever.
    var mustArrive: Bool {
      if case .left = self { return true }
      return false
    }
  }

  private struct State {
    var inputs: [Input] = []
    /// Counts the times that the tick thread took the inputs.
    var batch: UInt64 = 1
    var droppedInputs = 0
    /// By `StreamKey.index`.
    var demand = StreamKey.all.map { _ in StreamDemand() }
    var wantsSnapshot = false
    var publications: [Publication] = []
    /// Publications that were sent and serve again.
    var spare: [Publication] = []
    var health = TickHealth()
  }

  private let state = Mutex(State())
  /// What was published lately, before any encoding.
  let worlds = RecentWorlds()
  private let limits: Limits

  init(limits: Limits) {
    self.limits = limits
  }

  // MARK: The network thread's side

  /// Leaves an input for the tick that it is meant for. A tilt or a move takes the place of an
  /// earlier one that means the same finger or phone and the same tick, and still waits: only the
  /// last one counts.
  /// - Parameter posted: where the session's inputs stand.
  /// - Returns: whether there was room for it.
  @discardableResult
  func post(_ input: Input, _ posted: inout PostedInputs) -> Bool {
    state.withLock {
      if let place = posted.place(of: input, batch: $0.batch) {
        $0.inputs[place] = input
        return true
      }
      guard $0.inputs.count < limits.queuedInputs || input.mustArrive else {
        $0.droppedInputs.count()
        return false
      }
      posted.note(input, at: $0.inputs.count)
      $0.inputs.append(input)
      return true
    }
  }

  /// - Parameter demand: what to encode from now on, by `StreamKey.index`.
  func demand(_ demand: [StreamDemand]) {
    state.withLock { $0.demand = demand }
  }

  /// Whether somebody who follows the log has no world yet.
  func wantSnapshot(_ isWanted: Bool) {
    state.withLock { $0.wantsSnapshot = isWanted }
  }

  /// Gives back what is in `publications`, all sent, and fills it with what was published since the
  /// last call, oldest first.
  func exchange(_ publications: inout [Publication]) {
    state.withLock {
      $0.spare.append(contentsOf: publications)
      publications.removeAll(keepingCapacity: true)
      swap(&publications, &$0.publications)
    }
  }

  /// How the tick thread fares.
  var health: TickHealth { state.withLock { $0.health } }

  // MARK: The tick thread's side

  /// Whether somebody wants a snapshot of the world.
  var wantsSnapshot: Bool { state.withLock { $0.wantsSnapshot } }

  /// Everything posted since the last call goes into `inputs`, whose old content is dropped and
  /// whose memory serves the next round.
  func takeInputs(into inputs: inout [Input]) -> [StreamDemand] {
    inputs.removeAll(keepingCapacity: true)
    return state.withLock {
      swap(&inputs, &$0.inputs)
      $0.batch += 1
      return $0.demand
    }
  }

  /// A publication to fill.
  func blankPublication() -> Publication {
    state.withLock { $0.spare.popLast() } ?? Publication()
  }

  func publish(_ publication: Publication, health: TickHealth) {
    state.withLock {
      if $0.publications.count >= limits.queuedPublications {
        $0.spare.append($0.publications.removeFirst())
      }
      $0.publications.append(publication)
      $0.health = health
      $0.health.droppedInputs = $0.droppedInputs
    }
  }
}
