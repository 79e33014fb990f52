import Dynamics
import Physics
import Testing
import Wire

@testable import Simulation

@Suite struct StickerSizesTests {
  private func sizes(_ bodies: Int) throws -> ClosedRange<UInt32> {
    try PitConfiguration(bodies: bodies).stickerSizes.range
  }

  @Test func aPitForUpToAHundredHasLargeStickersAndOneForManyHasSmallOnes() throws {
    for bodies in [0, 1, 30, 100, 119] { #expect(try sizes(bodies) == 48...76) }
    for bodies in [249, 331, 1000, 4096] { #expect(try sizes(bodies) == 34...52) }
  }

  @Test func betweenTheTwoTheyShrinkEvenlyAndTheWorldStays() throws {
    var last = try sizes(119)
    for bodies in 120...249 {
      let now = try sizes(bodies)
      #expect(now.upperBound <= last.upperBound && now.upperBound + 1 >= last.upperBound)
      #expect(now.lowerBound <= last.lowerBound && now.lowerBound + 1 >= last.lowerBound)
      let configuration = try PitConfiguration(bodies: bodies)
      if bodies < 249 {
        #expect(configuration.worldSize == Vector2(720, 960))
        let mean = configuration.stickerSizes.meanArea(share: StickerSizes.ourAreaShare)
        let fill = Float(bodies) * mean / 691_200
        #expect(fill <= 0.6 && fill > 0.56)
      }
      last = now
    }
  }

  @Test func whatIsADiscLooksRound() {
    for kind in UInt8(0)..<Sticker.kinds {
      var isDisc = false
      if case .ellipse = Sticker(kind: kind, size: 40).itemShape { isDisc = true }
      let corner = Sticker.corner(ofKind: kind)
      #expect((corner == 1) == isDisc && corner > 0 && corner <= 1, "kind \(kind)")
      #expect(corner == Sticker.corner(ofKind: kind + 32), "the low five bits count")
    }
  }

  @Test func meanAreaIsTheMeanOfAllStickers() throws {
    let share = StickerSizes.ourAreaShare
    for sizes in [.large, .small, StickerSizes(bodies: 180, area: 414_720, share: share)] {
      var area: Float = 0
      for kind in UInt8(0)..<16 {
        for size in sizes.range {
          let edge = Float(size)
          let corner = edge * 0.1
          let (circle, corners) = (edge * edge * .pi / 4, (4 - Float.pi) * corner * corner)
          area += kind % 2 == 0 ? circle : edge * edge - corners
        }
      }
      let mean = area / (16 * Float(sizes.range.count))
      #expect(abs(mean - sizes.meanArea(share: share)) < 1)
    }
  }

  /// What people bring later has the sizes of what was there, in a world that was restored too.
  @Test func whatComesInLaterHasTheWorldsSizes() throws {
    for (bodies, expected) in [(10, 48...76), (300, 34...52)] {
      var pit = try Pit(PitConfiguration(bodies: bodies))
      var bytes: [UInt8] = []
      pit.save(into: &bytes)
      pit = try Pit.restore(from: bytes)
      for sequence in UInt32(1)...60 {
        let place = Int16(truncatingIfNeeded: 300 + 50 * sequence)
        let drop = Command.drop(kind: UInt8(sequence & 15), x: place, y: 800)
        let stamped = StampedCommand(person: 1, sequence: sequence, command: drop)
        #expect(pit.tick(TickInputs(commands: [stamped])).carriedOut.count == 1)
      }
      var seen: [StreamBody] = []
      pit.bodies(into: &seen)
      let sizes = seen.map { Int($0.size) }
      #expect(sizes.allSatisfy { expected.contains($0) })
      #expect(Set(sizes).count > 10)
    }
  }

  @Test func aSnapshotWithSizesThatNoPitHasIsRefused() throws {
    var bytes: [UInt8] = []
    try Pit(PitConfiguration(bodies: 3)).save(into: &bytes)
    #expect(bytes.suffix(4) == [48, 76, 0, 0])
    for wrong: [UInt8] in [[76, 48, 0, 0], [8, 76, 0, 0], [48, 255, 0, 0], [48, 76, 1, 0]] {
      #expect(throws: PitError.malformedSnapshot) {
        try Pit.restore(from: bytes.dropLast(4) + wrong)
      }
    }
  }
}
