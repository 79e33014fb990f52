import Physics
import PhysicsScenes

/// The one scene of this module; nil before `scene_new`.
nonisolated(unsafe) var scene: PhysicsScene?

/// Makes a scene: kind, shapes (their raw values), bodies, whether bodies sleep. Returns 1, or 0
/// when there is no such scene.
@_expose(wasm, "scene_new") @c(scene_new)
public func sceneNew(_ kind: Int32, _ shapes: Int32, _ bodies: Int32, _ sleeps: Int32) -> Int32 {
  guard let kind = PhysicsScene.Kind(rawValue: kind),
    let shapes = PhysicsScene.Shapes(rawValue: shapes)
  else { return 0 }
  do throws(PhysicsError) {
    scene = try PhysicsScene(kind, shapes: shapes, bodies: Int(bodies), sleeps: sleeps != 0)
    return 1
  } catch {
    scene = nil
    return 0
  }
}

/// Steps the scene.
@_expose(wasm, "scene_step") @c(scene_step)
public func sceneStep(_ ticks: Int32) {
  for _ in 0..<ticks { scene?.step() }
}

/// The world's hash.
@_expose(wasm, "scene_hash") @c(scene_hash)
public func sceneHash() -> UInt64 { scene?.world.motionHash() ?? 0 }

/// What the scene's world has told: hits, sensors, breaks, answers.
@_expose(wasm, "scene_told") @c(scene_told)
public func sceneTold() -> UInt64 { scene?.told ?? 0 }
