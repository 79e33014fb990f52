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
  private let table: MetricTable
  /// Beside the table, whose counters are whole numbers.
  private let processor: FloatingPointCounter
  /// What the counter above was brought up to.
  private let processorSeconds = Mutex(0.0)

  /// - Parameters:
  ///   - networkThreads: how many there are.
  ///   - clock: monotonic nanoseconds.
  init(
    networkThreads: Int, clock: @escaping @Sendable () -> UInt64
  ) {
    let exporter = PrometheusExporter(help: MetricHelp.texts, clock: clock)
    self.exporter = exporter
    table = MetricTable(exporter)
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
    table.gauge(
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
    table.gauge("stickerpit_people", [], Double(people))
    // The process stands still, and each of its threads may have noticed.
    table.total("stickerpit_standstills_total", [], threads.map(\.traffic.standstills).max() ?? 0)
    for (thread, report) in threads.enumerated() { tell(report, of: "\(thread)") }
    table.total("stickerpit_log_lines_lost_total", [], linesLost)
    tellPort()
    tell(ProcessFigures.read())
    return exporter.text()
  }

  // MARK: What there is to tell

  private func tellPort() {
    for (result, count) in [
      ("done", port.handshakes.load(ordering: .relaxed)),
      ("failed", port.failedHandshakes.load(ordering: .relaxed)),
    ] { table.total("stickerpit_tls_handshakes_total", [("result", result)], count) }
    table.total(
      "stickerpit_proxy_headers_refused_total", [],
      port.refusedProxyHeaders.load(ordering: .relaxed))
    table.total("stickerpit_connections_total", [], port.accepted.load(ordering: .relaxed))
    for (reason, count) in port.refusals {
      table.total("stickerpit_connections_refused_total", [("why", reason.rawValue)], count)
    }
    let answers = Dictionary(uniqueKeysWithValues: port.answers.map { ($0.status, $0.count) })
    for status in Self.usualStatuses.union(answers.keys) {
      table.total("stickerpit_http_answers_total", [("status", "\(status)")], answers[status] ?? 0)
    }
  }

  private func tell(_ health: TickHealth) {
    table.total("stickerpit_ticks_total", [], health.ticked)
    table.total("stickerpit_ticks_lost_total", [], Int(clamping: health.lost))
    table.gauge("stickerpit_bodies", [], Double(health.bodies))
    table.gauge("stickerpit_contacts", [], Double(health.contacts))
    for scene in Scene.allCases {
      table.gauge("stickerpit_scene", [("scene", scene.name)], scene == health.scene ? 1 : 0)
    }
    table.gauge("stickerpit_frozen", [], health.isFrozen ? 1 : 0)
    for (kind, count) in [
      ("in_time", health.timelyInputs), ("late", health.lateInputs),
      ("plain", health.plainInputs), ("dropped", health.droppedInputs),
      ("command_left_out", health.droppedCommands), ("idle_move", health.idleMoves),
    ] { table.total("stickerpit_inputs_total", [("kind", kind)], count) }
    table.total("stickerpit_hands_opened_total", [], health.openedHands)
    let encoded = health.encoded
    for (kind, count) in [
      ("own", encoded.own), ("catch_up", encoded.catchUps), ("keyframe", encoded.keyframes),
    ] { table.total("stickerpit_frames_encoded_total", [("kind", kind)], count) }
    table.total("stickerpit_stream_restarts_total", [], encoded.restarted)
  }

  private func tell(_ report: ThreadReport, of thread: String) {
    let traffic = report.traffic
    table.gauge("stickerpit_backlog_ticks", [("thread", thread)], Double(report.backlog))
    table.gauge("stickerpit_overloaded", [("thread", thread)], report.isOverloaded ? 1 : 0)
    for (stream, counts) in report.clients.sorted(by: { $0.key < $1.key }) {
      for (rate, count) in zip(ThreadReport.rates, counts) {
        table.gauge(
          "stickerpit_clients", [("thread", thread), ("stream", stream), ("rate", "\(rate)")],
          Double(count))
      }
    }
    for (kind, count) in [
      ("own", traffic.frames), ("catch_up", traffic.catchUps), ("keyframe", traffic.keyframes),
      ("records", traffic.records), ("snapshot", traffic.snapshots),
    ] { table.total("stickerpit_frames_sent_total", [("thread", thread), ("kind", kind)], count) }
    table.total("stickerpit_sent_bytes_total", [("thread", thread)], traffic.bytes)
    table.total("stickerpit_clients_slowed_total", [("thread", thread)], traffic.slowed)
    table.total("stickerpit_clients_raised_total", [("thread", thread)], traffic.raised)
    table.total("stickerpit_ticks_collapsed_total", [("thread", thread)], traffic.collapsed)
    table.total(
      "stickerpit_keyframe_requests_total", [("thread", thread)], traffic.keyframeRequests)
    table.total("stickerpit_frames_skipped_total", "why", traffic.skipped, of: thread)
    table.total("stickerpit_refused_total", "what", traffic.refused, of: thread)
    table.total("stickerpit_closed_total", "reason", traffic.ended, of: thread)
    table.total("stickerpit_client_reports_total", "what", traffic.told, of: thread)
  }

  private func tell(_ cluster: ClusterHealth) {
    for role in ["joining", "leader", "standby", "edge"] {
      table.gauge("stickerpit_cluster_role", [("role", role)], role == cluster.role ? 1 : 0)
    }
    table.gauge("stickerpit_cluster_connected", [], cluster.isConnected ? 1 : 0)
    table.gauge("stickerpit_cluster_epoch", [], Double(cluster.epoch))
    table.gauge("stickerpit_cluster_members", [], Double(cluster.counts.members + 1))
    table.gauge("stickerpit_cluster_waiting_ticks", [], Double(cluster.waitingTicks))
    table.total("stickerpit_cluster_ticks_held_total", [], cluster.standstills)
    table.total("stickerpit_cluster_asked_messages_total", [], cluster.counts.asked)
    table.total("stickerpit_cluster_repeated_inputs_total", [], cluster.repeated)
    table.total("stickerpit_cluster_disconnects_total", [], cluster.counts.disconnects)
    table.total("stickerpit_cluster_malformed_total", [], cluster.counts.malformed)
    table.total("stickerpit_cluster_rejoins_total", [], cluster.counts.rejoins)
    table.total("stickerpit_cluster_mismatches_total", [], cluster.counts.mismatches)
  }

  private func tell(_ journal: JournalHealth) {
    table.total("stickerpit_journal_ticks_total", [("result", "written")], journal.writtenTicks)
    table.total("stickerpit_journal_ticks_total", [("result", "given_up")], journal.lostTicks)
    table.total("stickerpit_journal_failures_total", [], journal.failures)
    table.gauge("stickerpit_journal_waiting_ticks", [], Double(journal.waitingTicks))
    table.gauge("stickerpit_journal_bytes", [], Double(journal.bytes))
  }

  private func tell(_ figures: ProcessFigures) {
    processorSeconds.withLock {
      processor.increment(by: max(0, figures.processorSeconds - $0))
      $0 = max($0, figures.processorSeconds)
    }
    table.gauge("process_resident_memory_bytes", [], Double(figures.residentBytes))
    table.gauge("process_open_fds", [], Double(figures.openDescriptors))
    table.gauge("process_max_fds", [], Double(figures.mostDescriptors))
    table.gauge("process_threads", [], Double(figures.threads))
  }

  /// Statuses that are told before they occur: Prometheus does not see the rise of a counter that
  /// begins at 1.
  private static let usualStatuses: Set = [101, 200, 304, 403, 404, 421, 429, 503]
}
