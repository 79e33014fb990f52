import DequeModule
import Simulation
import Synchronization
import Wire

/// The one place where the network thread and the tick thread meet. Each holds the lock for as long
/// as it takes to move values in or out, never while it computes or writes to a socket.
final class Exchange: Sendable {
  /// Something a client did, in the order in which it arrived.
  enum Input: Sendable {
    case tilt(client: UInt16, x: Int16, y: Int16)
    case command(StampedCommand)
    case left(client: UInt16)
  }

  /// What the network thread needs encoded.
  struct Demand: Sendable, Equatable {
    /// Whether somebody receives each rate, by `FrameRate.index`.
    var frames = Array(repeating: false, count: FrameRate.allCases.count)
    /// Whether somebody waits for a keyframe at each rate, likewise.
    var keyframes = Array(repeating: false, count: FrameRate.allCases.count)
  }

  private struct State {
    var inputs: [Input] = []
    var droppedInputs = 0
    var demand = Demand()
    var publications: Deque<Publication> = []
    var droppedPublications = 0
    var health = TickHealth()
  }

  private let state = Mutex(State())
  private let limits: Limits

  init(limits: Limits) {
    self.limits = limits
  }

  // MARK: The network thread's side

  func post(_ input: Input) {
    state.withLock {
      guard $0.inputs.count < limits.queuedInputs else {
        $0.droppedInputs += 1
        return
      }
      $0.inputs.append(input)
    }
  }

  func demand(_ demand: Demand) {
    state.withLock { $0.demand = demand }
  }

  /// Everything published since the last call, oldest first.
  /// - Parameter lost: set when publications were dropped because nobody took them.
  func takePublications(lost: inout Bool) -> Deque<Publication> {
    state.withLock {
      lost = $0.droppedPublications > 0
      $0.droppedPublications = 0
      let taken = $0.publications
      $0.publications = []
      return taken
    }
  }

  /// How the tick thread fares.
  var health: TickHealth { state.withLock { $0.health } }

  // MARK: The tick thread's side

  /// Everything posted since the last call goes into `inputs`, whose old content is dropped and
  /// whose memory serves the next round.
  func takeInputs(into inputs: inout [Input]) -> Demand {
    inputs.removeAll(keepingCapacity: true)
    return state.withLock {
      swap(&inputs, &$0.inputs)
      return $0.demand
    }
  }

  func publish(_ publication: Publication, health: TickHealth) {
    state.withLock {
      if $0.publications.count >= limits.queuedPublications {
        $0.publications.removeFirst()
        $0.droppedPublications += 1
      }
      $0.publications.append(publication)
      $0.health = health
      $0.health.droppedInputs = $0.droppedInputs
    }
  }
}
