/// Listeners on one port, each with a network thread of its own: the kernel spreads connections
/// over them, by the address and port that they come from.
///
/// ```swift
/// let listeners = ListenerGroup(configuration: configuration, delegates: [first, second])
/// try listeners.start()
/// listeners.wake()
/// listeners.stop()
/// ```
public final class ListenerGroup: Listener, @unchecked Sendable {
  private let configuration: ListenerConfiguration
  private let delegates: [any ListenerDelegate]
  /// Written by `start` only, before anything else is called.
  private var listeners: [WebSocketListener] = []

  /// - Parameters:
  ///   - configuration: of each of them; its `portSharing` is chosen here.
  ///   - delegates: one for each thread, at least one.
  public init(configuration: ListenerConfiguration, delegates: [any ListenerDelegate]) {
    precondition(!delegates.isEmpty)
    self.configuration = configuration
    self.delegates = delegates
  }

  deinit { stop() }

  /// The port that is listened on; before `start()`, the configured one.
  public var port: UInt16 { listeners.first?.port ?? configuration.port }

  /// Starts one after the other; when one can't, none is left running. May be called once.
  public func start() throws(TransportError) {
    guard listeners.isEmpty else { throw .alreadyStarted }
    try configuration.validate()
    let share = PortShare(configuration.traffic)
    WebSocketListener.raiseFileLimit(for: configuration)
    for (index, delegate) in delegates.enumerated() {
      var own = configuration
      own.port = port
      own.portSharing = delegates.count == 1 ? .exclusive : index == 0 ? .first : .next
      own.traffic = configuration.traffic.divided(among: delegates.count)
      let listener = WebSocketListener(
        configuration: own, delegate: delegate, share: share, logsService: index == 0)
      do throws(TransportError) {
        try listener.start()
      } catch {
        stop()
        throw error
      }
      listeners.append(listener)
    }
  }

  public func wake() {
    for listener in listeners { listener.wake() }
  }

  public func stop() {
    // All of them at once: none lets in who another one has just parted with.
    for listener in listeners { listener.beginStop() }
    for listener in listeners { listener.stop() }
  }
}

extension TrafficLimits {
  /// The part of one of several listeners that share a port: room is divided, with as much again,
  /// because the kernel spreads connections by chance. Paces are those of a thread and stay, and
  /// what counts by address is counted together, see ``PortShare``.
  func divided(among listeners: Int) -> TrafficLimits {
    var part = self
    part.visitors = min(visitors, 2 * visitors / listeners + 1)
    part.visitorsPerAddress = min(visitorsPerAddress, 2 * visitorsPerAddress / listeners + 1)
    return part
  }
}
