import Simulation
import Wire

// The connection: bytes in, bytes out, who the person is.

@_expose(wasm, "page_reset") @c(page_reset)
public func pageReset() { page.reset() }

@_expose(wasm, "page_input") @c(page_input)
public func pageInput(_ size: Int32) -> UnsafeMutableRawPointer? {
  page.input.reserve(Int(size)) ? page.input.address() : nil
}

@_expose(wasm, "page_receive") @c(page_receive)
public func pageReceive(_ length: Int32, _ now: Double) -> Int32 {
  page.receive(length: length, now: now)
}

@_expose(wasm, "page_recovery_step") @c(page_recovery_step)
public func pageRecoveryStep(_ now: Double) -> Int32 { page.recoveryStep(now: now) }

/// When the server wants the page back, in ms; −1 if it didn't say.
@_expose(wasm, "page_return_delay") @c(page_return_delay)
public func pageReturnDelay() -> Int32 { page.returnDelay.map { Int32($0) } ?? -1 }

/// `CoreVersion.goldens`, which the server tells as well.
@_expose(wasm, "page_core_version") @c(page_core_version)
public func pageCoreVersion() -> UInt64 { CoreVersion.goldens }

@_expose(wasm, "page_client_id") @c(page_client_id)
public func pageClientID() -> Int32 { Int32(page.person?.clientID ?? 0) }

@_expose(wasm, "page_colour") @c(page_colour)
public func pageColour() -> Int32 { Int32(page.person?.colour ?? 0) }

@_expose(wasm, "page_name") @c(page_name)
public func pageName() -> UnsafeMutableRawPointer? { page.names.address() }

@_expose(wasm, "page_name_length") @c(page_name_length)
public func pageNameLength() -> Int32 { Int32(page.person?.name.utf8.count ?? 0) }

@_expose(wasm, "page_token") @c(page_token)
public func pageToken() -> UnsafeMutableRawPointer? { page.token.address() }

/// Takes 16 bytes from the start of the input.
@_expose(wasm, "page_set_token_from_input") @c(page_set_token_from_input)
public func pageSetTokenFromInput() {
  guard page.input.bytes.count >= 16 else { return }
  page.token.copy(UnsafeRawBufferPointer(rebasing: page.input.bytes[..<16]), at: 0)
}

@_expose(wasm, "page_output") @c(page_output)
public func pageOutput() -> UnsafeMutableRawPointer? { page.output.address() }

@_expose(wasm, "page_hello") @c(page_hello)
public func pageHello(_ rate: Int32, _ profile: Int32, _ kind: Int32, _ now: Double) -> Int32 {
  page.hello(rate: rate, profile: profile, kind: kind, now: now)
}

@_expose(wasm, "page_stream") @c(page_stream)
public func pageStream(_ rate: Int32, _ profile: Int32, _ kind: Int32) -> Int32 {
  page.stream(rate: rate, profile: profile, kind: kind)
}

@_expose(wasm, "page_tilt") @c(page_tilt)
public func pageTilt(_ x: Float, _ y: Float) -> Int32 { page.tilt(x: x, y: y) }

@_expose(wasm, "page_drop") @c(page_drop)
public func pageDrop(_ kind: Int32, _ x: Float, _ y: Float) -> Int32 {
  page.drop(kind: kind, x: x, y: y)
}

@_expose(wasm, "page_throw") @c(page_throw)
public func pageThrow(_ x: Float, _ y: Float, _ velocityX: Float, _ velocityY: Float) -> Int32 {
  page.throwSticker(x: x, y: y, velocityX: velocityX, velocityY: velocityY)
}

/// Writes a report on the prediction, if it is time for one.
@_expose(wasm, "page_report") @c(page_report)
public func pageReport(_ now: Double) -> Int32 { page.report(now: now) }

@_expose(wasm, "page_clock") @c(page_clock)
public func pageClock(_ now: Double) -> Int32 { page.clock(now: now) }
