import CLibEV
import CLibWebSockets
import Glibc
import Synchronization

/// What a ``ServiceLoop`` asks of the listener or client pool that owns it, on the loop's thread.
protocol ServiceLoopOwner: AnyObject {
  /// TLS for accepted sockets is being set up, on the thread that makes the loop.
  func servicePrepares(tls context: OpaquePointer)
  /// Somebody called ``ServiceLoop/wake()``.
  func serviceWoken()
  /// A little time has passed, about ``ServiceLoop/housekeepingNanoseconds``.
  func serviceTicked()
  /// The thread was not run for so many nanoseconds; what arrived meanwhile comes after this call.
  func serviceStoodStill(_ nanoseconds: UInt64)
  /// The loop is about to wait. Whether it should not, because there is more to do.
  func serviceTurned() -> Bool
  /// The loop will end: start to close every connection.
  func serviceStops()
  /// Whether every connection is gone.
  var serviceIsEmpty: Bool { get }
}

/// What a loop's thread knows of the time. Each connection holds it, because it is looked at for
/// everything that arrives: the way over the listener and the loop would count references each
/// time.
final class LoopTime {
  /// When the loop last went on from waiting, in monotonic nanoseconds: exact enough for limits,
  /// and no system call for each look at it.
  fileprivate(set) var now = MonotonicClock.nanoseconds()
  /// Whether this turn began so late that what peers sent in time may be waiting.
  fileprivate(set) var isTurnLate = false
}

/// One libwebsockets context on one libev loop on one thread.
///
/// The loop is made here and handed to libwebsockets: its own default is poll(), which costs a full
/// core at 1000 clients. Other descriptors are adopted into the context, so that everything runs
/// inside its callbacks.
final class ServiceLoop: @unchecked Sendable {
  /// How long parting with all connections may take when the loop ends. Whoever answers a close
  /// frame does so within a round trip; who doesn't must not hold up a server that is restarted.
  static let partingNanoseconds: UInt64 = 1_000_000_000
  /// Nanoseconds from one look at what is overdue to the next. Each is an event, and any event has
  /// libwebsockets look at its own time-outs: its timer on libev, once armed, can't be brought
  /// forward, so that a new time-out could wait behind an old one.
  static let housekeepingNanoseconds: UInt64 = 250_000_000
  /// The largest TLS record, so that one read takes all of it: libwebsockets spins while OpenSSL
  /// holds bytes of a socket that is not to be read. Its own headroom comes on top.
  private static let readBufferBytes: UInt32 = 16_384 + 1024
  /// More than this between two turns of the loop, which takes one for each housekeeping at least,
  /// is a standstill: the process was stopped, or its machine is overloaded.
  private static let standstillNanoseconds: UInt64 = 500_000_000
  /// No subprotocol can have this name, because it is no token: a client cannot ask for it.
  private static let descriptorProtocol = "a descriptor"
  /// Plain HTTP's name. libwebsockets has no other use for it than that a client of HTTP names it:
  /// one that does not is given heads without bodies.
  static let plainProtocol = "plain http"

  private(set) var context: OpaquePointer!
  private(set) var host: OpaquePointer!
  private unowned let owner: any ServiceLoopOwner
  private let loop: OpaquePointer
  private let protocols: ServiceProtocols
  /// What wakes it. Whoever does so under no lock may keep it longer than the loop lives.
  let signal = WakeSignal()
  private let turns: UnsafeMutablePointer<stickerpit_turns>
  let time = LoopTime()
  /// A turn that begins so many nanoseconds after the last one is late: three ticks. A thread that
  /// is woken at each tick has been busy all that time.
  private static let lateNanoseconds: UInt64 = 50_000_000
  /// How often the loop went round, for whoever looks for a loop that does so without a reason.
  let turnCount = Atomic<UInt64>(0)
  private var descriptors: [DescriptorPeer] = []
  private var thread: pthread_t?
  private let isStopping = Atomic<Bool>(false)

  /// Makes the context on the caller's thread, so that its failure can be thrown there.
  ///
  /// - Parameter configure: may set anything but the protocols, the port and the loop.
  init(
    owner: any ServiceLoopOwner, subprotocol: String, receiveBufferBytes: Int,
    configure: (inout lws_context_creation_info) -> Void
  ) throws(TransportError) {
    guard let loop = ev_loop_new(UInt32(EVFLAG_NOENV) | UInt32(EVBACKEND_EPOLL)) else {
      throw .setupFailed("libev has no epoll loop here")
    }
    self.owner = owner
    self.loop = loop
    turns = .allocate(capacity: 1)
    turns.initialize(to: stickerpit_turns())
    protocols = ServiceProtocols(
      names: [Self.plainProtocol, subprotocol, Self.descriptorProtocol],
      receiveBufferBytes: receiveBufferBytes)
    context = makeContext(configure)
    guard context != nil else {
      throw .setupFailed("no context; is libwebsockets-evlib-ev installed?")
    }
    host = lws_get_vhost_by_name(context, "default")
    stickerpit_watch_turns(
      loop, turns, Unmanaged.passUnretained(self).toOpaque(),
      { Unmanaged<ServiceLoop>.fromOpaque($0!).takeUnretainedValue().turnBegins() },
      { Unmanaged<ServiceLoop>.fromOpaque($0!).takeUnretainedValue().turnEnds() ? 1 : 0 })
    try adopt(signal.duplicate()) { [unowned self] in drainWake() }
    try adoptTimer(Self.housekeepingNanoseconds) { [unowned self] in
      if !isStopping.load(ordering: .relaxed) { self.owner.serviceTicked() }
    }
  }

  deinit {
    precondition(thread == nil, "a service loop must be stopped before it is let go")
    if context != nil { lws_context_destroy(context) }
    ev_loop_destroy(loop)
    turns.deallocate()
  }

  private func makeContext(
    _ configure: (inout lws_context_creation_info) -> Void
  ) -> OpaquePointer? {
    var info = lws_context_creation_info()
    info.port = CONTEXT_PORT_NO_LISTEN_SERVER
    info.protocols = UnsafePointer(protocols.base)
    info.options = UInt64(LWS_SERVER_OPTION_LIBEV)
    info.user = Unmanaged.passUnretained(self).toOpaque()
    info.pt_serv_buf_size = Self.readBufferBytes
    // For TLS handshakes, for servers that a client asks, and for idle connections of HTTP: as long
    // as silence is borne by default. The listener's own limits come first (`TrafficLimits`).
    info.timeout_secs = 15
    info.keepalive_timeout = 15
    configure(&info)
    var loops: [UnsafeMutableRawPointer?] = [UnsafeMutableRawPointer(loop)]
    return loops.withUnsafeMutableBufferPointer { loops in
      info.foreign_loops = loops.baseAddress
      return lws_create_context(&info)
    }
  }

  func prepare(tls context: OpaquePointer) { owner.servicePrepares(tls: context) }

  /// Has the loop watch a descriptor, which it owns from now on. Before `start`, or on its thread.
  @discardableResult
  func adopt(
    _ descriptor: Int32, onReadable: @escaping () -> Void
  ) throws(TransportError) -> DescriptorPeer {
    let peer = DescriptorPeer(onReadable: onReadable)
    var description = lws_adopt_desc_t()
    description.vh = host
    description.type = LWS_ADOPT_RAW_FILE_DESC
    description.fd.filefd = descriptor
    description.opaque = peer.opaque
    let adopted = Self.descriptorProtocol.withCString { name in
      description.vh_prot_name = name
      return lws_adopt_descriptor_vhost_via_info(&description)
    }
    guard adopted != nil else { throw .setupFailed("a descriptor was not adopted") }
    peer.socket = adopted
    descriptors.append(peer)
    return peer
  }

  /// Calls back every so many nanoseconds; intervals that were missed come as one call.
  func adoptTimer(_ nanoseconds: UInt64, onTime: @escaping () -> Void) throws(TransportError) {
    let timer = stickerpit_interval_timer(nanoseconds)
    try adopt(timer) {
      var expirations: UInt64 = 0
      if read(timer, &expirations, 8) == 8 { onTime() }
    }
  }

  /// Takes an accepted socket over, with TLS when the context has it. libwebsockets reads no
  /// protocol on it: the peer gets the bytes as they come.
  ///
  /// - Returns: whether it was taken. If not, it is closed.
  func adoptSocket(_ descriptor: Int32, peer: ServicePeer) -> Bool {
    var description = lws_adopt_desc_t()
    description.vh = host
    description.type = lws_adoption_type(
      LWS_ADOPT_SOCKET.rawValue | LWS_ADOPT_ALLOW_SSL.rawValue)
    description.fd.sockfd = descriptor
    description.opaque = peer.opaque
    return lws_adopt_descriptor_vhost_via_info(&description) != nil
  }

  // MARK: Thread

  /// Starts the thread.
  func start() throws(TransportError) {
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    // Signals belong to the program's main thread.
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { box in
        Unmanaged<ServiceLoop>.fromOpaque(box!).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    guard result == 0 else {
      Unmanaged.passUnretained(self).release()
      throw .setupFailed("no thread: \(String(cString: strerror(result)))")
    }
    stickerpit_name_thread(thread, "stickerpit-net")
    self.thread = thread
  }

  /// Has the thread part with everybody, and end then.
  func beginStop() {
    isStopping.store(true, ordering: .releasing)
    wake()
  }

  /// Ends the thread after everybody was parted with, and waits for it.
  func stop() {
    beginStop()
    guard let thread else { return }
    precondition(pthread_equal(thread, pthread_self()) == 0, "stop() called by a delegate")
    pthread_join(thread, nil)
    self.thread = nil
  }

  /// Wakes the loop, from any thread.
  func wake() { signal.send() }

  private func drainWake() {
    guard signal.take() else { return }
    if !isStopping.load(ordering: .acquiring) { owner.serviceWoken() }
  }

  /// The loop has waited, and will call whoever waited for something.
  private func turnBegins() {
    let last = time.now
    time.now = MonotonicClock.nanoseconds()
    let now = time.now
    turnCount.add(1, ordering: .relaxed)
    time.isTurnLate = now - last > Self.lateNanoseconds
    guard now - last > Self.standstillNanoseconds, !isStopping.load(ordering: .relaxed) else {
      return
    }
    owner.serviceStoodStill(now - last)
  }

  private func turnEnds() -> Bool {
    !isStopping.load(ordering: .relaxed) && owner.serviceTurned()
  }

  private func run() {
    time.now = MonotonicClock.nanoseconds()
    while !isStopping.load(ordering: .acquiring) { ev_run(loop, Int32(EVRUN_ONCE)) }
    owner.serviceStops()
    let deadline = MonotonicClock.nanoseconds() + Self.partingNanoseconds
    while !owner.serviceIsEmpty, MonotonicClock.nanoseconds() < deadline {
      ev_run(loop, Int32(EVRUN_NOWAIT))
      usleep(1_000)
    }
    lws_context_destroy(context)
    context = nil
  }
}
