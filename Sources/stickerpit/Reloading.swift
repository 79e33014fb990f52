import Foundation
import Logging
import Server
import ServiceLifecycle

/// Reads the configuration again whenever the process gets a SIGHUP, and has the server go on by
/// it. One that is wrong changes nothing.
struct Reloading: Service {
  let service: PitService
  /// What the server runs with, and its keywords.
  let running: (values: ServeConfiguration, keywords: KeywordList)
  let hangups: Hangups
  /// Reads it again: the file as it is now, flags and environment as they were.
  let read: @Sendable () async throws -> ServeConfiguration
  let keywords: @Sendable (ServeConfiguration) throws -> KeywordList
  /// Shares its level with the server's own, which `PitService.change` sets.
  let logger: Logger

  func run() async throws {
    var running = running
    for await _ in hangups.stream.cancelOnGracefulShutdown() {
      ServiceManager.tellReloading()
      do {
        running = try await reload(running)
        ServiceManager.tellReady("The configuration was read again")
      } catch {
        logger.error("the configuration was refused, nothing changed: \(error)")
        ServiceManager.tellReady("The configuration was refused, nothing changed: \(error)")
      }
    }
  }

  private func reload(
    _ running: (values: ServeConfiguration, keywords: KeywordList)
  ) async throws -> (values: ServeConfiguration, keywords: KeywordList) {
    let change = ConfigurationChange(from: running.values, to: try await read())
    let words = try keywords(change.values)
    let configuration = try change.values.server(keywords: words)
    let isOtherCertificate = try service.change(configuration)
    var lines = change.applied
    if words != running.keywords { lines.append("other keywords") }
    if isOtherCertificate { lines.append("another certificate for new connections") }
    lines += change.postponed
    let news = lines.isEmpty ? "nothing changed" : lines.joined(separator: "; ")
    logger.notice("the configuration was read again: \(news)")
    return (change.values, words)
  }
}

/// The signals that ask a server to read its configuration again. Without it one would end the
/// process; so it is made before anybody can know that the server runs.
///
/// Sendable although it holds the signal's source: nothing touches that after `init`.
final class Hangups: @unchecked Sendable {
  let stream: AsyncStream<Void>
  private let source: any DispatchSourceSignal

  init() {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.stream = stream
    signal(SIGHUP, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
    source.setEventHandler { continuation.yield() }
    source.resume()
    self.source = source
  }
}
