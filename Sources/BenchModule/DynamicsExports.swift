import DynamicsScenes

/// The one scene in UIKit Dynamics' words; nil before `everything_new`.
nonisolated(unsafe) var everything: EverythingScene?

/// Makes the scene with every behaviour. Returns 1, or 0 if it can't be made.
@_expose(wasm, "everything_new") @c(everything_new)
public func everythingNew() -> Int32 {
  do throws(DynamicsError) {
    everything = try EverythingScene()
    return 1
  } catch {
    everything = nil
    return 0
  }
}

/// Steps it. Returns 1, or 0 if a change in it was refused.
@_expose(wasm, "everything_step") @c(everything_step)
public func everythingStep(_ ticks: Int32) -> Int32 {
  do throws(DynamicsError) {
    for _ in 0..<ticks { try everything?.step() }
    return 1
  } catch {
    return 0
  }
}

/// The animator's hash.
@_expose(wasm, "everything_hash") @c(everything_hash)
public func everythingHash() -> UInt64 { everything?.animator.stateHash() ?? 0 }
