import Synchronization
import Testing

@testable import Transport

@Suite struct WakeSignalTests {
  @Test func signalsThatWereNotTakenAreOne() {
    let signal = WakeSignal()
    #expect(!signal.take())
    for _ in 0..<3 { signal.send() }
    #expect(signal.take())
    #expect(!signal.take(), "all three were taken at once")
    signal.send()
    #expect(signal.take())
  }

  @Test func aListenerThatHasEndedIsWokenInVain() throws {
    let delegate = LiveServer()
    let listener = WebSocketListener(
      configuration: ListenerConfiguration(host: "127.0.0.1", port: 0), delegate: delegate)
    listener.wake()
    #expect(delegate.state.withLock { $0.wakes } == 0, "not yet")
    try listener.start()
    listener.wake()
    eventually("woken") { delegate.state.withLock { $0.wakes > 0 } }
    listener.stop()
    let wakes = delegate.state.withLock { $0.wakes }
    listener.wake()
    #expect(delegate.state.withLock { $0.wakes } == wakes)
  }
}
