import Server

extension Setting {
  /// What a client may do, and how much of it (`Limits`).
  static let limits = [
    limit(
      "connections", \.connections, "connections",
      """
      Open connections in all: what phones in a hall may be, at 4 kB of the server's memory each, \
      18 kB with TLS. How many of them a core serves at which rate stands in README.md; when there \
      are more, everybody's frames are fewer.
      """),
    limit(
      "connections-per-address", \.connectionsPerAddress, "connections",
      "Connections from one address at the same time; a venue is one address."),
    limit(
      "message-bytes", \.messageBytes, "bytes",
      "One message from a client; the longest in the protocol is below half of it."),
    limit(
      "tilts-per-second", \.tiltsPerSecond, "a second",
      "Tilt samples of a client, twice that in a burst: a phone's sensor gives at most 60."),
    limit(
      "commands-per-second", \.commandsPerSecond, "a second",
      "Drops, throws, grabs, releases, snaps of a client, twice that in a burst: faster than hands."
    ),
    limit(
      "commands-per-second-per-address", \.commandsPerSecondPerAddress, "a second",
      """
      The same and keywords of an address, twice that in a burst: as many phones as it may have, \
      with one each.
      """),
    limit(
      "commands-per-tick", \.commandsPerTick, "commands",
      "Carried out in one tick, 960 a second; it keeps the tick's time whatever the clients do."),
    limit(
      "waiting-commands", \.waitingCommands, "commands",
      "Waiting for their tick: a second's worth, and twice what an address may give at once."),
    limit(
      "moves-per-second", \.movesPerSecond, "a second",
      "Moves of a client's fingers, twice that in a burst: three fingers at 60 each."),
    limit(
      "moves-per-second-per-address", \.movesPerSecondPerAddress, "a second",
      "The same of an address, twice that in a burst: as many as a world has grips, at each tick."),
    limit(
      "waiting-moves", \.waitingMoves, "moves",
      "Waiting for one tick, the last of each finger: four times as many as a world has grips."),
    limit(
      "waiting-aimed-inputs", \.waitingAimedInputs, "inputs",
      "Meant for later ticks and waiting for them: as many as all clients may have, 25 MB."),
    limit(
      "waiting-aimed-inputs-per-client", \.waitingAimedInputsPerClient, "inputs",
      "The same of a client: half a second's worth. A page's inputs wait a few ticks."),
    limit(
      "words-per-second", \.wordsPerSecond, "a second",
      "Words that a client says, twice that in a burst: faster than anybody types."),
    limit(
      "words-per-second-per-address", \.wordsPerSecondPerAddress, "a second",
      "The same of an address, twice that in a burst: 500 phones may all say the same at once."),
    limit(
      "clocks-per-second", \.clocksPerSecond, "a second",
      "Clock questions and reports of a client, twice that in a burst: a page asks once a second."),
    limit(
      "clocks-per-second-per-address", \.clocksPerSecondPerAddress, "a second",
      "The same of an address, twice that in a burst: two from each of its connections."),
    limit(
      "streams-per-second", \.streamsPerSecond, "a second",
      "Streams and keyframes that a client asks for; each makes the server encode a keyframe."),
    limit(
      "stream-burst", \.streamBurst, "streams",
      "The same at once; a client that refused a frame asks once."),
    limit(
      "messages-per-second-per-address", \.messagesPerSecondPerAddress, "a second",
      "All messages of an address, twice that in a burst: 64 from each of its connections."),
    limit(
      "hellos-per-second-per-address", \.hellosPerSecondPerAddress, "a second",
      "Hellos of an address; each makes the server send a welcome and a keyframe."),
    limit(
      "hello-burst-per-address", \.helloBurstPerAddress, "hellos",
      "The same at once: twice its connections, because after a restart everybody comes back."),
    limit(
      "take-overs-per-second-per-address", \.takeOversPerSecondPerAddress, "a second",
      "Hellos with which an address may end other connections by their tokens."),
    limit(
      "take-over-burst-per-address", \.takeOverBurstPerAddress, "hellos",
      "The same at once: a venue's network that drops everybody brings everybody back."),
    limit(
      "take-overs-per-second-per-person", \.takeOversPerSecondPerPerson, "a second",
      "The same of one person, so that two connections that fight for one do so once a second."),
    limit(
      "take-over-burst-per-person", \.takeOverBurstPerPerson, "hellos",
      "The same at once: a page that lost its network comes back once, and once more."),
    limit(
      "still-hand-seconds", \.stillHandSeconds, "seconds",
      "For which a hand may hold without a move: long enough to think."),
    limit(
      "hold-seconds", \.holdSeconds, "seconds",
      "For which a hand may hold in all; it may take hold again if nobody else does."),
    limit(
      "opened-hand-seconds", \.openedHandSeconds, "seconds",
      "For which a client whose hand was opened so takes hold of nothing: the others' chance."),
    limit(
      "encoded-bodies-per-tick", \.encodedBodiesPerTick, "stickers",
      "Encoded in a tick for who is in step, about 8 ms; decides which streams are offered."),
    limit(
      "others-per-tick", \.othersPerTick, "stickers",
      "Encoded in a tick in keyframes and catch-up frames, about 4 ms; who gets none waits."),
    limit(
      "snapshot-bytes-per-tick", \.snapshotBytesPerTick, "bytes",
      "Snapshots sent in a tick, and one at least: 24 of a thousand stickers."),
    limit(
      "snapshot-bytes-per-second-per-address", \.snapshotBytesPerSecondPerAddress, "bytes a second",
      "Snapshots to an address: a hundred of a thousand stickers."),
    limit(
      "snapshot-burst-bytes-per-address", \.snapshotBurstBytesPerAddress, "bytes",
      "The same at once: as many snapshots as an address may say hello."),
    limit(
      "world-bytes-per-second", \.worldBytesPerSecond, "bytes a second",
      "Worlds told by HTTP, twice that in a burst: a thousand stickers at every tick to two."),
    limit(
      "world-bytes-per-second-per-address", \.worldBytesPerSecondPerAddress, "bytes a second",
      "The same to an address: half, so that there is some left for others."),
    limit(
      "hello-seconds", \.helloSeconds, "seconds",
      "For which a connection may stay without saying hello."),
    limit(
      "ping-seconds", \.pingSeconds, "seconds", "Of silence after which the server pings."),
    limit(
      "silence-seconds", \.silenceSeconds, "seconds",
      """
      Of silence after which a WebSocket counts as gone; more than ping-seconds. Other sockets \
      have limits of their own in limits.traffic.
      """),
    limit(
      "resume-seconds", \.resumeSeconds, "seconds",
      "For which a person who lost the connection keeps name, colour and number."),
    limit(
      "stalled-seconds", \.stalledSeconds, "seconds",
      "For which a session may take no frame at all before it is closed as too slow."),
    limit(
      "queued-inputs", \.queuedInputs, "inputs",
      "Kept between two ticks; reached only when the tick thread stands still."),
    limit(
      "queued-publications", \.queuedPublications, "ticks",
      "Kept for a network thread that fell behind: about a second's worth."),
  ]

  private static func limit(
    _ name: String, _ path: WritableKeyPath<Limits, Int> & Sendable, _ unit: String,
    _ meaning: String
  ) -> Setting {
    Setting(limitPrefix + name, .limit(path), unit, meaning)
  }
}
