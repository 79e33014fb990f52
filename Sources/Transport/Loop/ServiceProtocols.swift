import CLibWebSockets
import Glibc

/// The protocol table of a context in memory that stays where it is, as libwebsockets needs it.
///
/// The first protocol handles plain HTTP. All share one callback: which object handles an event is
/// decided by the socket, not by its protocol.
final class ServiceProtocols {
  let base: UnsafeMutablePointer<lws_protocols>
  private let names: [UnsafeMutablePointer<CChar>]

  init(names: [String], receiveBufferBytes: Int) {
    self.names = names.map { strdup($0) }
    base = .allocate(capacity: names.count + 1)
    base.initialize(repeating: lws_protocols(), count: names.count + 1)
    for (index, name) in self.names.enumerated() {
      base[index].name = UnsafePointer(name)
      base[index].callback = servicePeerCallback
      base[index].rx_buffer_size = receiveBufferBytes
      // Largest piece given to send() at once. 0 would fall back to the receive buffer's size and
      // tear every frame apart.
      base[index].tx_packet_size = 1 << 20
      base[index].id = UInt32(index)
    }
  }

  deinit {
    for name in names { free(name) }
    base.deallocate()
  }
}
