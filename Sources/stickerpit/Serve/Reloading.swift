import Foundation
import Glibc
import Logging
import Server
import ServiceLifecycle
import Transport

/// What files say that the configuration names, and that a running server takes over.
struct NamedFiles: Equatable {
  let keywords: KeywordList
  let hostToken: HostToken?

  /// Says if a secret is open to everybody on the machine. It counts all the same: whoever starts a
  /// server may have a reason.
  func warn(of values: ServeConfiguration, _ logger: Logger) {
    guard hostToken?.isReadableByAll == true else { return }
    logger.warning(
      "everybody on this machine can read the admin token: 'chmod 600' its file",
      metadata: ["file": "\(values.adminTokenFile ?? "")"])
  }
}

/// Reads the configuration again whenever the process gets a SIGHUP, and has the server go on by
/// it; reads the certificate alone when its files have changed. What is wrong changes nothing.
struct Reloading: Service {
  /// What a server runs with.
  struct Running {
    var values: ServeConfiguration
    var files: NamedFiles
    /// What was read last: it tells where values come from.
    var resolved: ResolvedConfiguration
  }

  let service: PitService
  /// At the start.
  let running: Running
  let requests: ReloadRequests
  /// Reads it again: the file as it is now, flags and environment as they were.
  let read: @Sendable () async throws -> ResolvedConfiguration
  /// Reads the files that are named, and needs to know what named them.
  let files: @Sendable (ServeConfiguration, ResolvedConfiguration) throws -> NamedFiles
  /// Shares its level with the server's own, which `PitService.change` sets.
  let logger: Logger

  func run() async throws {
    var running = running
    for await request in requests.stream.cancelOnGracefulShutdown() {
      switch request {
      case .configuration: await readAgain(&running)
      case .certificate: readCertificate(of: running)
      }
    }
  }

  private func readAgain(_ running: inout Running) async {
    ServiceManager.tellReloading()
    do {
      running = try await reload(running)
      ServiceManager.tellReady("The configuration was read again")
    } catch {
      logger.error("the configuration was refused, nothing changed: \(error)")
      ServiceManager.tellReady("The configuration was refused, nothing changed: \(error)")
    }
  }

  private func readCertificate(of running: Running) {
    do {
      guard try takeOver(running) else { return }
      logger.notice("the certificate's files changed: new connections get the new one")
    } catch {
      logger.error("the certificate's files changed and are refused, the old one stays: \(error)")
    }
  }

  /// Has the server go on by other values. What is wrong with them names where they come from, as
  /// at the start.
  /// - Returns: whether another certificate is presented from now on.
  private func takeOver(_ next: Running) throws -> Bool {
    var configuration = try next.values.server(
      keywords: next.files.keywords, hostToken: next.files.hostToken)
    let own = try ServerRun.ownCertificate(next.values, next.resolved)
    configuration.tls = own?.files ?? configuration.tls
    do throws(StartError) {
      return try service.change(configuration)
    } catch {
      throw next.resolved.failure(error)
    }
  }

  private func reload(_ running: Running) async throws -> Running {
    let wanted = try await read()
    let change = ConfigurationChange(from: running.values, to: wanted.values)
    let new = try files(change.values, wanted)
    let next = Running(values: change.values, files: new, resolved: wanted)
    let isOtherCertificate = try takeOver(next)
    var lines = change.applied
    if new.keywords != running.files.keywords { lines.append("other keywords") }
    if new.hostToken != running.files.hostToken { lines.append("another admin token") }
    new.warn(of: change.values, logger)
    if isOtherCertificate { lines.append("another certificate for new connections") }
    lines += change.postponed
    let news = (lines.isEmpty ? ["nothing changed"] : lines) + change.remarks
    logger.notice("the configuration was read again: \(news.joined(separator: "; "))")
    return next
  }
}

/// What asks a running server to read something again: SIGHUP, which without this would end the
/// process, so that it is made before anybody can know that the server runs; and files that change.
///
/// Sendable although it holds the signal's source: nothing touches that after `init`.
final class ReloadRequests: @unchecked Sendable {
  enum Request: Sendable {
    /// The configuration, with all that it names.
    case configuration
    case certificate
  }

  let stream: AsyncStream<Request>
  private let continuation: AsyncStream<Request>.Continuation
  private let source: any DispatchSourceSignal

  init() {
    // Signals may come faster than a slow disk is read. What is forgotten for them is asked for by
    // them as well: reading the configuration again reads the certificate.
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(8))
    signal(SIGHUP, SIG_IGN)
    source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
    source.setEventHandler { [continuation] in continuation.yield(.configuration) }
    source.resume()
  }

  func ask(for request: Request) { continuation.yield(request) }
}

/// Notices that the files of the certificate have changed, as when another program has renewed it,
/// and has the server present the new one: nobody need send it a signal.
struct CertificateWatch: Service {
  /// Seconds between two looks. Certificates are renewed days before they expire.
  private static let seconds = 5

  private let files: ListenerConfiguration.TLSFiles
  private let requests: ReloadRequests
  /// As the files were before they were read for the first time.
  private let first: [FileState]

  init(files: ListenerConfiguration.TLSFiles, requests: ReloadRequests) {
    (self.files, self.requests) = (files, requests)
    first = Self.state(of: files)
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var used = first
      var before = used
      while (try? await Task.sleep(for: .seconds(Self.seconds))) != nil {
        let now = Self.state(of: files)
        // A pair is written one file after the other: it is read when both have come to rest.
        if now != used, now == before {
          used = now
          requests.ask(for: .certificate)
        }
        before = now
      }
    }
  }

  /// What tells another version of the files, also where one was moved into the other's place.
  private static func state(of files: ListenerConfiguration.TLSFiles) -> [FileState] {
    [files.certificate, files.key].map { path in
      var status = stat()
      guard stat(path, &status) == 0 else { return FileState() }
      return FileState(
        inode: status.st_ino, bytes: status.st_size, seconds: status.st_mtim.tv_sec,
        nanoseconds: status.st_mtim.tv_nsec)
    }
  }

  /// A file as the folder tells of it; all zero for one that is missing.
  private struct FileState: Equatable {
    var inode: ino_t = 0
    var bytes = 0
    var seconds = 0
    var nanoseconds = 0
  }
}
