/// The authoritative side of the pit: one tick thread steps the world on absolute deadlines, and
/// network threads fan its frames out to the sessions.
///
/// From the top down: `PitService` (folder Service) starts everything and stops it again.
/// `TickLoop` (World) calls `WorldRunner.runTick` sixty times a second; the runner drains the
/// inputs from `Exchange`, steps `Pit`, encodes once a rate and publishes. Each network thread has
/// a `SessionHub` (Sessions), which is woken, takes the publications from its `Lane` of the
/// exchange and writes the same bytes to every session in step. What the network threads share
/// stands in `SharedParts`.
///
/// What the hub does has a folder each: who is here, with numbers, tokens and names (People); where
/// each session stands, what it is sent, and what is asked of the tick thread for that (Sending);
/// what clients may do (Budgets); what HTTP answers (Web).
import Wire

/// Which version of the server this is.
public enum ServerVersion {
  /// What `stickerpit --version` and monitoring say: of a version that is still to be released, the
  /// number that it will have, and `-dev`.
  public static let text = "0.1.0-dev"
}
