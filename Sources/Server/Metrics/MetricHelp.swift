/// What each metric is, in a line for whoever reads `/metrics`.
enum MetricHelp {
  /// The lines, by the metrics' names.
  static let texts: [String: String] = [
    "stickerpit_build_info": "What runs: version, protocol and compiler.",
    "stickerpit_scene": "1 for the scene that is played, 0 for the others.",
    "stickerpit_frozen": "1 while the host has the world stand still.",
    "stickerpit_tick_lateness_seconds":
      "How late ticks began; quantiles of the last half to whole minute.",
    "stickerpit_tick_duration_seconds":
      "How long ticks took; quantiles of the last half to whole minute.",
    "stickerpit_fanout_duration_seconds":
      "How long a network thread took to send what it found waiting; of the last half to "
      + "whole minute.",
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
    "stickerpit_people": "People who said hello and are here, without those who only watch.",
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
      "From a ClientHello's turn to the end of its handshake; of the last half to whole minute.",
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
      "How long an entry of the journal took to write; of the last half to whole minute.",
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
