import CSystemd
import Glibc
import Server
import ServiceLifecycle

/// What started this process, if that is systemd: it hands over sockets on which the server is to
/// listen, wants to know when it serves, and starts it anew when it is silent for too long. Started
/// by anybody else, all of this does nothing. The messages are those of sd_notify(3).
enum ServiceManager {
  /// The listening sockets that were handed over (`LISTEN_FDS`), none if there are none. Programs
  /// that this process may start do not take them for theirs.
  /// - Throws: that they can't be taken over.
  static func takeSockets() throws -> [Int32] {
    let count = sd_listen_fds(1)
    guard count >= 0 else {
      throw Failure(
        "the sockets that systemd hands over can't be taken (\(String(cString: strerror(-count))))")
    }
    return (0..<count).map { SD_LISTEN_FDS_START + $0 }
  }

  /// The server serves, or goes on after it has read its configuration again.
  /// - Parameter status: one line for `systemctl status`.
  static func tellReady(_ status: String) { tell("READY=1\nSTATUS=\(status)") }

  /// The configuration is being read again.
  static func tellReloading() {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let microseconds = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
    tell("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
  }

  /// The server works.
  /// - Parameter status: one line for `systemctl status`.
  static func tellAlive(_ status: String) { tell("WATCHDOG=1\nSTATUS=\(status)") }

  /// The server ends.
  static func tellStopping() { tell("STOPPING=1") }

  /// How often the server is to say that it works: half of the time after which it would be started
  /// anew (`WatchdogSec=`), as sd_watchdog_enabled(3) advises; nil if nobody waits for it.
  static var aliveInterval: Duration? {
    var microseconds: UInt64 = 0
    guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
    return .microseconds(Int64(clamping: microseconds / 2))
  }

  private static func tell(_ message: String) {
    // What fails here, as when nobody listens any more, could be told to nobody.
    _ = sd_notify(0, message)
  }
}

/// Tells what started the server that it serves, as long as it does: when its first tick ran, and
/// then as often as it wants to hear of it. A server whose ticks stand still says nothing, but
/// where it shares its world and waits for the others.
struct Readiness: Service {
  let service: PitService

  func run() async throws {
    await cancelWhenGracefulShutdown {
      guard await waitForTicks() else { return }
      ServiceManager.tellReady(status)
      guard let interval = ServiceManager.aliveInterval else {
        try? await gracefulShutdown()
        return
      }
      while (try? await Task.sleep(for: interval)) != nil {
        if service.isAlive { ServiceManager.tellAlive(status) }
      }
    }
    ServiceManager.tellStopping()
  }

  /// - Returns: false if the server ends before its first tick.
  private func waitForTicks() async -> Bool {
    while !service.isTicking {
      guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { return false }
    }
    return true
  }

  private var status: String {
    let people = service.people == 1 ? "1 person" : "\(service.people) people"
    return "Serving \(people) on port \(service.port)"
  }
}
