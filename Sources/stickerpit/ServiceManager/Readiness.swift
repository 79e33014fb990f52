import Server
import ServiceLifecycle

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
