import Wire

/// A client of a state stream, for timing what a page does with its frames.
nonisolated(unsafe) private var client = StreamDecoder()
/// Where the next message is put.
nonisolated(unsafe) private var message = UnsafeMutableRawBufferPointer(start: nil, count: 0)

/// Forgets the stream.
@_expose(wasm, "codec_new") @c(codec_new)
public func codecNew() { client = StreamDecoder() }

/// Room for a message of `size` bytes.
@_expose(wasm, "codec_input") @c(codec_input)
public func codecInput(_ size: Int32) -> UnsafeMutableRawPointer? {
  message.deallocate()
  message = .allocate(byteCount: Int(size), alignment: 8)
  return message.baseAddress
}

/// Decodes the first `length` bytes of the input. Returns the bodies in the world, or −1.
@_expose(wasm, "codec_decode") @c(codec_decode)
public func codecDecode(_ length: Int32) -> Int32 {
  do throws(WireError) {
    try client.decode(UnsafeRawBufferPointer(rebasing: message[..<Int(length)]))
    return Int32(client.world.bodies.count)
  } catch {
    return -1
  }
}

/// A hash of where the bodies are.
@_expose(wasm, "codec_hash") @c(codec_hash)
public func codecHash() -> UInt64 { client.world.placesHash }
