import ArgumentParser
import Foundation
import Logging
import Server
import ServiceLifecycle
import Transport

/// Runs the server until it is asked to end.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve a pit: the world, the page and the WebSocket on one port.",
    discussion: """
      Every option can also be given by the environment (--max-bodies by STICKERPIT_MAX_BODIES) \
      and by a file of JSON (--config). A flag goes before the environment, that before the file, \
      and that before the default. CONFIGURATION.md lists all keys.
      """)

  @OptionGroup var options: ServeOptions

  func run() async throws { try await ServerRun(options: options, isEdge: false).run() }
}

/// Serves a world that another server runs, until it is asked to end.
struct Edge: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edge",
    abstract: "Serve clients of a world that another server runs; both meet at NATS.",
    discussion: """
      Takes the options of serve but for those that decide about the world: that is the leader's, \
      'stickerpit serve' with the same --nats and --world.
      """)

  @OptionGroup var options: ServeOptions

  func run() async throws { try await ServerRun(options: options, isEdge: true).run() }
}
