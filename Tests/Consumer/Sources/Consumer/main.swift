import Dynamics
import Physics

// Somebody else's program: a ball falls for a second in a world of its own, then lands on the
// floor. Exits with 1 when the numbers are not the documented ones.

var animator = try Animator(
  referenceBounds: Rectangle(x: 0, y: 0, width: 320, height: 1000))
let ball = try animator.addItem(
  Item(.ellipse(width: 40, height: 40), center: Vector2(160, 20)))

try animator.add(GravityBehavior(items: [ball]))

var walls = CollisionBehavior(items: [ball])
walls.translatesReferenceBoundsIntoBoundary = true
try animator.add(walls)

for _ in 0..<60 { animator.step() }
// Half of 1000 pt/s² × (1 s)², and the half tick that stepping adds.
let fallen = animator.center(of: ball).y - 20
print("fallen in a second: \(fallen) pt")

var landings = 0
for _ in 0..<120 {
  for event in animator.step().began where event.other == .boundary(nil) { landings += 1 }
}
let resting = animator.center(of: ball).y
print("landed \(landings) time(s), rests at \(resting) pt, paused: \(animator.isPaused)")

// The same solver without the words.
var world = try PhysicsWorld()
let body = try world.addBody(BodyDefinition(shape: try .circle(radius: 20), position: .zero))
world.gravity = Vector2(0, 1000)
for _ in 0..<60 { world.step() }
let plain = world.body(body).position.y

let isRight =
  abs(fallen - 500) < 5 && landings == 1 && abs(resting - 980) < 0.5 && plain == fallen
guard isRight else {
  print("these are not the documented numbers")
  throw Wrong.numbers
}

enum Wrong: Error { case numbers }
