import Glibc
import ServiceLifecycle
import Transport

/// Notices that the files of the certificate have changed, as when another program has renewed it,
/// and has the server present the new one: nobody need send it a signal.
struct CertificateWatch: Service {
  /// Seconds between two looks. Certificates are renewed days before they expire.
  private static let seconds = 5

  let files: ListenerConfiguration.TLSFiles
  let requests: ReloadRequests

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var used = state
      var before = used
      while (try? await Task.sleep(for: .seconds(Self.seconds))) != nil {
        let now = state
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
  private var state: [FileState] {
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
