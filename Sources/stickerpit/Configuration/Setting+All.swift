import Server
import Simulation

extension Setting {
  /// Every key, in the order in which they are printed and documented. Help, reading, checking,
  /// printing and CONFIGURATION.md all come from here.
  static let all = general + limits + traffic

  /// The setting of a key.
  static func named(_ key: String) -> Setting? { byKey[key] }

  private static let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })

  /// The objects that limits stand in.
  static let sections = ["limits", "limits.traffic"]

  /// What an operator decides; each has a flag of its own.
  static let general = [
    Setting("host", .text(\.host), "address", "The address to listen on."),
    Setting(
      "port", .number(\.port, 0...65_535), "TCP port",
      "The port to listen on; 0 takes any free one."),
    Setting("web", .text(\.web), "folder", "The folder with the page."),
    Setting(
      "scene", .scene(\.scene), "name",
      """
      The scene: pit, rain, gallery, drag or toss. A data folder must hold a world that is in it, \
      or that was made in it before the host began another one.
      """),
    Setting(
      "bodies", .optionalNumber(\.bodies, 0...PitConfiguration.bodyLimit), "stickers",
      """
      Stickers at the start. The pit (30) grows to give them room; gallery takes 0 to 4 (4), drag \
      0 to 6 (4), toss 0 to 5 (3), and rain starts without any.
      """),
    Setting(
      "keyword", .list(\.keywords, of: .keywords), "phrases",
      """
      A phrase that brings stickers where it rains, such as 'merry christmas=snow'; repeatable, \
      and takes the place of the usual ones.
      """),
    Setting(
      "keyword-file", .file(\.keywordFile), "file", "A file with such phrases, one a line."),
    Setting(
      "max-bodies", .number(\.maxBodies, 1...PitConfiguration.bodyLimit), "stickers",
      "The most stickers there may be, unless the world is full before; see --bodies."),
    Setting(
      "seed", .seed(\.seed), "number",
      "The seed of everything that is left to chance in the world."),
    Setting(
      "stickers", .file(\.stickers), "folder",
      """
      A folder with a set of stickers: stickers.json and its pictures, as docs/STICKER-SETS.md \
      describes them. Without it the pit has our own sixteen. A data folder keeps the set with \
      which its world was made.
      """),
    Setting(
      "shape", .shape(\.shape), "name",
      """
      The shape of a pit: 3:4 for phones, 16:9 for a projector, or 1:1. Everybody sees all of it. \
      The other scenes have shapes of their own, and refuse all but 3:4.
      """),
    Setting(
      "tilt", .tilt(\.tilt), "name",
      """
      Whose tilt makes the gravity: mean, everybody's together; or captain, one person's for ten \
      seconds, then the next one's who tilts.
      """),
    Setting(
      "network-threads",
      .optionalNumber(\.networkThreads, 1...ServerConfiguration.mostNetworkThreads), "threads",
      """
      Threads that serve connections and share the port; without it as many as there are \
      processors, eight at most.
      """),
    Setting(
      "admin-listen", .address(\.adminListen), "address and port",
      """
      Where monitoring asks for /metrics, /healthz and /readyz, such as 127.0.0.1:9090; then \
      /metrics is not on the page's port any more.
      """),
    Setting(
      "admin-token-file", .file(\.adminTokenFile), "file",
      """
      A file whose first line is the host's token, 16 to 256 printable characters: whoever shows \
      it can remove people, begin another scene, freeze and limit the world (stickerpit admin, \
      and /api/host/). Without it there is no host.
      """),
    Setting(
      "tls-cert", .file(\.tlsCertificate), "file", "A PEM certificate chain; serves HTTPS."),
    Setting("tls-key", .file(\.tlsKey), "file", "The certificate's private key, PEM."),
    Setting(
      "tls-self-signed", .toggle(\.makesCertificate), "true or false",
      """
      Make and keep a certificate for this machine's names and addresses, in the data folder or \
      in ~/.local/state/sticker-pit; serves HTTPS. Phones warn about it once.
      """),
    Setting(
      "public-url", .webAddress(\.publicURL), "URL",
      """
      Where people find the page, such as https://pit.example: the QR code and the host's view \
      show it instead of an address of this machine.
      """),
    Setting(
      "token-key-file", .file(\.tokenKeyFile), "file",
      """
      A secret of 32 bytes or more, by which people keep their places, and browsers their TLS \
      sessions, when the server is restarted; without it they come back as new people.
      """),
    Setting(
      "data", .file(\.data), "folder",
      """
      The folder in which the world and its people are kept (the journal): a server that is \
      started again goes on where it was. A crashed process loses at most 100 ms of ticks; what a \
      power cut loses, --durability says. Without it a restart forgets everything.
      """),
    Setting(
      "durability", .durability(\.durability), "name",
      """
      What a power cut may take: full loses no more than a crash does, normal some seconds, off \
      perhaps everything.
      """),
    Setting(
      "journal-days", .number(\.journalDays, 1...36_500), "days",
      "For how long the past is kept in the data folder."),
    Setting(
      "journal-megabytes", .number(\.journalMegabytes, 10...1_000_000), "megabytes",
      "How much room the past may take; the oldest goes first."),
    Setting(
      "stop-without-journal", .toggle(\.stopsWithoutJournal), "true or false",
      """
      End the server when the data folder can't be written, such as on a full disk, instead of \
      going on and writing later.
      """),
    Setting(
      "nats", .form(\.nats, .natsServers), "addresses",
      """
      Where servers that share a world meet: NATS with JetStream. Without it this server is on its \
      own.
      """),
    Setting(
      "world", .form(\.world, .worldName), "name",
      "The name of the world that is shared; servers with the same name and NATS share one."),
    Setting(
      "standby", .toggle(\.isStandby), "true or false",
      "Follow the world that another server runs, and run it when that one does no more."),
    Setting(
      "nats-replicas", .number(\.natsReplicas, 1...5), "servers",
      """
      On how many servers of a NATS cluster the world is kept; taken when it is made. With 3, one \
      of them may fail.
      """),
    Setting(
      "nats-credentials", .file(\.natsCredentials), "file",
      "The credentials for NATS, as nsc writes them; name and password may stand in the address."),
    Setting(
      "nats-ca", .file(\.natsAuthority), "file",
      "The authority, PEM, that signed the certificate of NATS; then the connection uses TLS."),
    Setting(
      "origin", .list(\.origins, of: .origins), "origins",
      "Another origin whose pages may connect, such as https://example.org; repeatable."),
    Setting(
      "allowed-host", .list(\.allowedHosts, of: .hostNames), "names",
      """
      A name that this server goes by besides its addresses, such as pit.example; repeatable. \
      Requests to other names are refused; '*' allows them all.
      """),
    Setting(
      "trusted-proxy", .list(\.trustedProxies, of: .proxies), "addresses",
      """
      A proxy that says for whom it connects, by X-Forwarded-For or the PROXY protocol: an \
      address, or a prefix such as 10.0.0.0/8; repeatable. Nobody else is believed.
      """),
    Setting(
      "check-frames", .toggle(\.checkFrames), "true or false",
      """
      Decode everything that is sent and compare it with the world, for soaks: a difference ends \
      the server. Debug builds always do.
      """),
    Setting(
      "log-level", .logLevel(\.logLevel), "level",
      """
      The lowest level of the log that is written: trace, debug, info, notice, warning, error or \
      critical. debug tells of every connection.
      """),
  ]
}
