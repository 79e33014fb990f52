import Testing

@testable import Wire

@Suite struct FrameWitnessTests {
  private let encoder = StreamEncoder(CodecScene.shape(.visual))

  private func frame(_ scene: CodecScene) -> [UInt8] { encoder.encode(scene) }

  @Test func whatFitsIsNoFault() {
    var scene = CodecScene(count: 30, seed: 5, changes: true)
    let witness = FrameWitness()
    for _ in 0..<100 {
      #expect(witness.take(frame(scene), leadingTo: encoder.world) == nil)
      #expect(witness.tick == scene.tick)
      scene.advance()
    }
  }

  @Test func whatAClientRefusesIsAFault() {
    var scene = CodecScene(count: 30, seed: 5)
    let witness = FrameWitness()
    #expect(witness.take(frame(scene), leadingTo: encoder.world) == nil)
    scene.advance()
    let left = frame(scene)
    scene.advance()
    #expect(
      witness.take(frame(scene), leadingTo: encoder.world) == .refused(.gap(last: 0, base: 1)))
    #expect(witness.take(left + [1, 2, 3, 4], leadingTo: encoder.world) == .refused(.trailing))
  }

  @Test func anotherWorldIsAFault() {
    let scene = CodecScene(count: 30, seed: 5)
    let first = frame(scene)
    var moved = encoder.world
    moved.bodies[7].x += 1
    #expect(FrameWitness().take(first, leadingTo: moved) == .otherBody(slot: 7))
    var fewer = encoder.world
    fewer.bodies.removeLast()
    #expect(FrameWitness().take(first, leadingTo: fewer) == .otherBody(slot: 29))
    var later = encoder.world
    later.tick = 9
    #expect(
      FrameWitness().take(first, leadingTo: later) == .otherWorld(client: 0, encoder: 9))
    var held = encoder.world
    held.scenery.holders.append(SceneryHolder(slot: 1, client: 2))
    #expect(FrameWitness().take(first, leadingTo: held) == .otherWorld(client: 0, encoder: 0))
  }
}
