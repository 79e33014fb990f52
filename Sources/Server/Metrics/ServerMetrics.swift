import CoreMetrics
import Simulation
import Synchronization
import Telemetry
import Transport
import Wire

/// What an operator's monitoring reads of the server, through swift-metrics.
///
/// Ticks and fan-outs are recorded as they happen. All else is counted where it happens anyway
/// (`TickHealth`, `Traffic`), and brought here whenever somebody asks.
final class ServerMetrics: Sendable {
  /// How late ticks began, and how long they took.
  let lateness: Timer
  let duration: Timer
  /// How long each network thread took to send a tick to everybody.
  let fanOuts: [Timer]

  /// How long entries of the journal took to write.
  let journalWrites: Timer

  /// What the port counts.
  let port: PortCounts

  private let exporter: PrometheusExporter
  private let processor: FloatingPointCounter
  private let counted = Mutex(Counted())

  private struct Counted: Sendable {
    var counters: [String: (counter: Counter, total: Int)] = [:]
    var meters: [String: Meter] = [:]
    var processorSeconds = 0.0
  }

  /// - Parameters:
  ///   - networkThreads: how many there are.
  ///   - clock: monotonic nanoseconds.
  init(
    networkThreads: Int, clock: @escaping @Sendable () -> UInt64
  ) {
    let exporter = PrometheusExporter(help: Self.help, clock: clock)
    self.exporter = exporter
    lateness = Timer(
      label: "stickerpit_tick_lateness_seconds", dimensions: [], factory: exporter)
    duration = Timer(
      label: "stickerpit_tick_duration_seconds", dimensions: [], factory: exporter)
    fanOuts = (0..<networkThreads).map {
      Timer(
        label: "stickerpit_fanout_duration_seconds", dimensions: [("thread", "\($0)")],
        factory: exporter)
    }
    journalWrites = Timer(
      label: "stickerpit_journal_write_duration_seconds", dimensions: [], factory: exporter)
    let handshakes = Timer(
      label: "stickerpit_tls_handshake_duration_seconds", dimensions: [], factory: exporter)
    port = PortCounts { handshakes.recordNanoseconds(Int64(clamping: $0)) }
    processor = FloatingPointCounter(
      label: "process_cpu_seconds_total", dimensions: [], factory: exporter)
    gauge(
      "stickerpit_build_info",
      [
        ("protocol", "\(WireVersion.current)"), ("swift", Self.compiler),
        ("version", ServerVersion.text),
      ], 1)
  }

  #if compiler(>=6.3)
    private static let compiler = "6.3"
  #else
    private static let compiler = "6"
  #endif

  /// Everything in Prometheus' text format.
  /// - Parameter linesLost: of the log, since the start.
  func text(
    _ health: TickHealth, _ people: Int, _ threads: [ThreadReport], _ journal: JournalHealth?,
    _ cluster: ClusterHealth? = nil, linesLost: Int = 0
  ) -> String {
    tell(health)
    if let journal { tell(journal) }
    if let cluster { tell(cluster) }
    gauge("stickerpit_people", [], Double(people))
    // The process stands still, and each of its threads may have noticed.
    total("stickerpit_standstills_total", [], threads.map(\.traffic.standstills).max() ?? 0)
    for (thread, report) in threads.enumerated() { tell(report, of: "\(thread)") }
    total("stickerpit_log_lines_lost_total", [], linesLost)
    tellPort()
    tell(ProcessFigures.read())
    return exporter.text()
  }

  // MARK: What there is to tell

  /// What the port counts.
  private func tellPort() {
    for (result, count) in [
      ("done", port.handshakes.load(ordering: .relaxed)),
      ("failed", port.failedHandshakes.load(ordering: .relaxed)),
    ] { total("stickerpit_tls_handshakes_total", [("result", result)], count) }
    total(
      "stickerpit_proxy_headers_refused_total", [],
      port.refusedProxyHeaders.load(ordering: .relaxed))
    total("stickerpit_connections_total", [], port.accepted.load(ordering: .relaxed))
    for (reason, count) in port.refusals {
      total("stickerpit_connections_refused_total", [("why", reason.rawValue)], count)
    }
    let answers = Dictionary(uniqueKeysWithValues: port.answers.map { ($0.status, $0.count) })
    for status in Self.usualStatuses.union(answers.keys) {
      total("stickerpit_http_answers_total", [("status", "\(status)")], answers[status] ?? 0)
    }
  }

  private func tell(_ health: TickHealth) {
    total("stickerpit_ticks_total", [], health.ticked)
    total("stickerpit_ticks_lost_total", [], Int(clamping: health.lost))
    gauge("stickerpit_bodies", [], Double(health.bodies))
    gauge("stickerpit_contacts", [], Double(health.contacts))
    for scene in Scene.allCases {
      gauge("stickerpit_scene", [("scene", scene.name)], scene == health.scene ? 1 : 0)
    }
    gauge("stickerpit_frozen", [], health.isFrozen ? 1 : 0)
    for (kind, count) in [
      ("in_time", health.timelyInputs), ("late", health.lateInputs),
      ("plain", health.plainInputs), ("dropped", health.droppedInputs),
      ("command_left_out", health.droppedCommands), ("idle_move", health.idleMoves),
    ] { total("stickerpit_inputs_total", [("kind", kind)], count) }
    total("stickerpit_hands_opened_total", [], health.openedHands)
    let encoded = health.encoded
    for (kind, count) in [
      ("own", encoded.own), ("catch_up", encoded.catchUps), ("keyframe", encoded.keyframes),
    ] { total("stickerpit_frames_encoded_total", [("kind", kind)], count) }
    total("stickerpit_stream_restarts_total", [], encoded.restarted)
  }

  private func tell(_ report: ThreadReport, of thread: String) {
    let traffic = report.traffic
    gauge("stickerpit_backlog_ticks", [("thread", thread)], Double(report.backlog))
    gauge("stickerpit_overloaded", [("thread", thread)], report.isOverloaded ? 1 : 0)
    for (stream, counts) in report.clients.sorted(by: { $0.key < $1.key }) {
      for (rate, count) in zip(ThreadReport.rates, counts) {
        gauge(
          "stickerpit_clients", [("thread", thread), ("stream", stream), ("rate", "\(rate)")],
          Double(count))
      }
    }
    for (kind, count) in [
      ("own", traffic.frames), ("catch_up", traffic.catchUps), ("keyframe", traffic.keyframes),
      ("records", traffic.records), ("snapshot", traffic.snapshots),
    ] { total("stickerpit_frames_sent_total", [("thread", thread), ("kind", kind)], count) }
    total("stickerpit_sent_bytes_total", [("thread", thread)], traffic.bytes)
    total("stickerpit_clients_slowed_total", [("thread", thread)], traffic.slowed)
    total("stickerpit_clients_raised_total", [("thread", thread)], traffic.raised)
    total("stickerpit_ticks_collapsed_total", [("thread", thread)], traffic.collapsed)
    total("stickerpit_keyframe_requests_total", [("thread", thread)], traffic.keyframeRequests)
    total("stickerpit_frames_skipped_total", "why", traffic.skipped, of: thread)
    total("stickerpit_refused_total", "what", traffic.refused, of: thread)
    total("stickerpit_closed_total", "reason", traffic.ended, of: thread)
    total("stickerpit_client_reports_total", "what", traffic.told, of: thread)
  }

  private func tell(_ cluster: ClusterHealth) {
    for role in ["joining", "leader", "standby", "edge"] {
      gauge("stickerpit_cluster_role", [("role", role)], role == cluster.role ? 1 : 0)
    }
    gauge("stickerpit_cluster_connected", [], cluster.isConnected ? 1 : 0)
    gauge("stickerpit_cluster_epoch", [], Double(cluster.epoch))
    gauge("stickerpit_cluster_members", [], Double(cluster.counts.members + 1))
    gauge("stickerpit_cluster_waiting_ticks", [], Double(cluster.waitingTicks))
    total("stickerpit_cluster_ticks_held_total", [], cluster.standstills)
    total("stickerpit_cluster_asked_messages_total", [], cluster.counts.asked)
    total("stickerpit_cluster_repeated_inputs_total", [], cluster.repeated)
    total("stickerpit_cluster_disconnects_total", [], cluster.counts.disconnects)
    total("stickerpit_cluster_malformed_total", [], cluster.counts.malformed)
    total("stickerpit_cluster_rejoins_total", [], cluster.counts.rejoins)
    total("stickerpit_cluster_mismatches_total", [], cluster.counts.mismatches)
  }

  private func tell(_ journal: JournalHealth) {
    total("stickerpit_journal_ticks_total", [("result", "written")], journal.writtenTicks)
    total("stickerpit_journal_ticks_total", [("result", "given_up")], journal.lostTicks)
    total("stickerpit_journal_failures_total", [], journal.failures)
    gauge("stickerpit_journal_waiting_ticks", [], Double(journal.waitingTicks))
    gauge("stickerpit_journal_bytes", [], Double(journal.bytes))
  }

  private func tell(_ figures: ProcessFigures) {
    counted.withLock {
      processor.increment(by: max(0, figures.processorSeconds - $0.processorSeconds))
      $0.processorSeconds = max($0.processorSeconds, figures.processorSeconds)
    }
    gauge("process_resident_memory_bytes", [], Double(figures.residentBytes))
    gauge("process_open_fds", [], Double(figures.openDescriptors))
    gauge("process_max_fds", [], Double(figures.mostDescriptors))
    gauge("process_threads", [], Double(figures.threads))
  }

  /// Statuses that are told before they occur: Prometheus does not see the rise of a counter that
  /// begins at 1.
  private static let usualStatuses: Set = [101, 200, 304, 403, 404, 421, 429, 503]

  // MARK: Counting

  /// The same for each case of a thread's tally.
  private func total<Case>(
    _ name: String, _ label: String, _ tally: Tally<Case>, of thread: String
  ) {
    for (value, count) in tally.all {
      total(name, [("thread", thread), (label, value)], count)
    }
  }

  /// Brings a counter up to what was counted in all.
  private func total(_ name: String, _ dimensions: [(String, String)], _ total: Int) {
    counted.withLock { counted in
      let key = Self.key(name, dimensions)
      var (counter, before) =
        counted.counters[key]
        ?? (Counter(label: name, dimensions: dimensions, factory: exporter), 0)
      assert(total >= before, "\(name) never falls")
      counter.increment(by: max(0, total - before))
      before = max(before, total)
      counted.counters[key] = (counter, before)
    }
  }

  private func gauge(_ name: String, _ dimensions: [(String, String)], _ value: Double) {
    counted.withLock { counted in
      let key = Self.key(name, dimensions)
      let meter =
        counted.meters[key] ?? Meter(label: name, dimensions: dimensions, factory: exporter)
      meter.set(value)
      counted.meters[key] = meter
    }
  }

  private static func key(_ name: String, _ dimensions: [(String, String)]) -> String {
    dimensions.reduce(name) { $0 + "," + $1.0 + "=" + $1.1 }
  }

  /// What each metric is.
  private static let help = [
    "stickerpit_build_info": "What runs: version, protocol and compiler.",
    "stickerpit_scene": "1 for the scene that is played, 0 for the others.",
    "stickerpit_frozen": "1 while the host has the world stand still.",
    "stickerpit_tick_lateness_seconds": "How late ticks began; quantiles of the last minute.",
    "stickerpit_tick_duration_seconds": "How long ticks took; quantiles of the last minute.",
    "stickerpit_fanout_duration_seconds":
      "How long a network thread took to send what it found waiting; of the last minute.",
    "stickerpit_backlog_ticks":
      "Ticks that a network thread found waiting when it last looked, or that wait now.",
    "stickerpit_overloaded": "Whether a network thread has more to send than it can.",
    "stickerpit_ticks_total": "Ticks that ran.",
    "stickerpit_ticks_lost_total": "Ticks given up because the machine stood still.",
    "stickerpit_standstills_total":
      "Times that the process stood still for more than half a second.",
    "stickerpit_log_lines_lost_total":
      "Lines of the log that were left out because nobody read standard error.",
    "stickerpit_bodies": "Stickers in the world.",
    "stickerpit_contacts": "Contacts that the last tick solved.",
    "stickerpit_people": "People who said hello and are here.",
    "stickerpit_clients": "Clients by network thread, stream and frames a second.",
    "stickerpit_inputs_total":
      "Inputs that came in time for their tick, came late, named none, or were left out.",
    "stickerpit_hands_opened_total": "Hands opened because they held on for too long.",
    "stickerpit_frames_encoded_total": "Frames made, however many clients get them.",
    "stickerpit_stream_restarts_total":
      "Times that a stream began anew because its encoder could not go on.",
    "stickerpit_keyframe_requests_total":
      "Keyframes that clients asked for because they could not take a frame.",
    "stickerpit_frames_sent_total": "Frames and messages of the log that were sent.",
    "stickerpit_sent_bytes_total": "Their bytes.",
    "stickerpit_frames_skipped_total": "Frames that a client was due and did not get.",
    "stickerpit_clients_slowed_total": "Times that a client was lowered to a slower rate.",
    "stickerpit_clients_raised_total": "Times that a client was raised to a faster rate again.",
    "stickerpit_ticks_collapsed_total":
      "Ticks whose frames a late network thread left out or lost.",
    "stickerpit_tls_handshakes_total": "TLS handshakes that were done, or failed.",
    "stickerpit_tls_handshake_duration_seconds":
      "From a ClientHello's turn to the end of its handshake; of the last minute.",
    "stickerpit_proxy_headers_refused_total": "PROXY headers that were malformed or cut.",
    "stickerpit_connections_total": "Connections that were accepted.",
    "stickerpit_connections_refused_total":
      "Connections that were closed before they became a WebSocket or got an answer.",
    "stickerpit_http_answers_total": "HTTP answers by status; 101 became a WebSocket.",
    "stickerpit_refused_total": "What limits left out, by limit.",
    "stickerpit_closed_total": "Connections that ended, by reason.",
    "stickerpit_client_reports_total":
      "What pages that run the world themselves say of their predictions, unchecked.",
    "stickerpit_journal_write_duration_seconds":
      "How long an entry of the journal took to write; of the last minute.",
    "stickerpit_journal_ticks_total": "Ticks that were written down, or given up.",
    "stickerpit_journal_failures_total": "Writes of the journal that failed.",
    "stickerpit_journal_waiting_ticks": "Ticks that a crash would lose now.",
    "stickerpit_journal_bytes": "Bytes of the journal when it was last looked at.",
    "stickerpit_cluster_role": "1 for what this server does of those that share the world.",
    "stickerpit_cluster_connected": "Whether NATS can be reached.",
    "stickerpit_cluster_epoch": "The leader's term, as far as it is known here.",
    "stickerpit_cluster_members": "Servers that share the world.",
    "stickerpit_cluster_waiting_ticks": "Ticks that wait for the log before they are shown.",
    "stickerpit_cluster_ticks_held_total": "Ticks that did not run because too many waited.",
    "stickerpit_cluster_asked_messages_total": "Messages of the log that had to be asked for.",
    "stickerpit_cluster_repeated_inputs_total": "Messages of inputs that were sent again.",
    "stickerpit_cluster_disconnects_total": "Connections to NATS that were lost.",
    "stickerpit_cluster_malformed_total": "Messages of other servers that could not be read.",
    "stickerpit_cluster_rejoins_total": "Worlds that were taken anew from beside the log.",
    "stickerpit_cluster_mismatches_total": "Ticks after which the world was not the log's.",
    "process_cpu_seconds_total": "Processor time that the process took so far.",
    "process_resident_memory_bytes": "Memory that is present.",
    "process_open_fds": "Open file descriptors.",
    "process_max_fds": "File descriptors that there may be.",
    "process_threads": "Threads.",
  ]
}
