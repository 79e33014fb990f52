import Dynamics
import Physics
import Testing
import Wire

@testable import Simulation

/// "Keyword rain (440×736)" of the facts about the five scenes, number by number.
@Suite struct RainSceneTests {
  private static let bounds: [UInt8] = [240, 241, 242, 243]

  @Test func theWorldHasSixLedgesAndFourBounds() throws {
    let stage = try Stage(.rain)
    #expect(stage.pit.worldSize == Vector2(440, 736))
    #expect(stage.pit.bodyCount == 0)
    let segments = stage.scenery.boundaries.map {
      [$0.id, UInt8(0)].map(Int.init) + [$0.ax, $0.ay, $0.bx, $0.by].map { Int($0) / 8 }
    }
    #expect(
      segments == [
        [1, 0, 60, 580, 180, 580], [2, 0, 100, 480, 200, 480], [3, 0, 140, 240, 230, 240],
        [4, 0, 30, 390, 130, 390], [5, 0, 200, 340, 290, 340], [6, 0, 280, 150, 380, 150],
        [240, 0, 0, 0, 440, 0], [241, 0, 440, 0, 440, 736], [242, 0, 440, 736, 0, 736],
        [243, 0, 0, 736, 0, 0],
      ])
  }

  @Test func gravityIsThreeAndTheMaterialIsTheArticles() throws {
    var stage = try Stage(.rain)
    stage.give(.say(keyword: Sticker.cake))
    stage.tick()
    #expect(stage.animator.world.gravity == Vector2(0, 3000))
    let properties = stage.animator.properties(of: stage.item(0))
    #expect(properties.elasticity == 0.6)
    #expect(properties.friction == 0.2)
    #expect(properties.resistance == 0)
  }

  @Test func aKeywordStartsOneStickerEach108Ticks() throws {
    var stage = try Stage(.rain)
    stage.tick(50)
    #expect(stage.pit.bodyCount == 0)
    stage.give(.say(keyword: Sticker.snow), by: 7)
    let record = stage.tick()
    #expect(record.carriedOut.count == 1)
    #expect(record.events == [.rainBegan(keyword: Sticker.snow, client: 7)])
    for ticks in 0..<(108 * 3) {
      #expect(stage.pit.bodyCount == 1 + ticks / 108)
      stage.tick()
    }
    #expect(stage.pit.bodyCount == 4)
  }

  @Test func stickersStartAtAWholeNumberAtTheTop() throws {
    var lefts: Set<Int> = []
    for seed in UInt64(1)...40 {
      var stage = try Stage(.rain, seed: seed)
      stage.give(.say(keyword: Sticker.cake))
      stage.tick()
      let sticker = stage.pit.playground.sticker(of: stage.item(0))
      #expect(sticker.size == 20)
      #expect(sticker.kind == Sticker.cake)
      let center = stage.center(0)
      let left = center.x - 10
      #expect(left == Float(Int(left)) && left >= 0 && left <= 419)
      // One tick of 3000 pt/s² from a top at 10.
      #expect(abs(center.y - 20 - 3000 / 7200) < 0.3)
      lefts.insert(Int(left))
    }
    #expect(lefts.count > 30)
    #expect(lefts.min()! < 60 && lefts.max()! > 360)
  }

  @Test func aNewKeywordReplacesTheStickersOfTheOneRain() throws {
    var stage = try Stage(.rain)
    stage.give(.say(keyword: Sticker.cake))
    stage.tick(60)
    stage.give(.say(keyword: Sticker.snow), by: 2)
    stage.tick(48)
    #expect(stage.pit.bodyCount == 1)
    stage.tick()
    #expect(stage.pit.bodyCount == 2)
    #expect(stage.pit.playground.sticker(of: stage.item(1)).kind == Sticker.snow)
  }

  @Test func kindsThatCannotFallAreNoKeywords() throws {
    var stage = try Stage(.rain)
    for kind in [Sticker.card.kind, Sticker.square.kind, 20, 255] {
      stage.give(.say(keyword: kind))
      #expect(stage.tick().carriedOut.isEmpty)
    }
    #expect(stage.pit.bodyCount == 0)
  }

  @Test func theRainEnds3600TicksAfterTheLastKeyword() throws {
    var stage = try Stage(.rain)
    stage.give(.say(keyword: Sticker.cake))
    stage.tick()
    stage.tick(100)
    stage.give(.say(keyword: Sticker.cake))
    stage.tick()
    let heard = stage.pit.tick
    var last: UInt32 = 0
    var ages = stage.pit.playground.ages.last
    while stage.pit.tick < heard + 5000 {
      stage.tick()
      if let newest = stage.pit.playground.ages.last, newest != ages {
        last = stage.pit.tick
        ages = newest
      }
    }
    #expect(last < heard + 3600)
    #expect(last + 108 + 18 >= heard + 3600)
  }

  @Test func aTouchedLedgeVanishesAfter90TicksAndReturns120AfterTheContactsEnd() throws {
    var seen: Set<Int32> = []
    for seed in UInt64(1)...6 {
      seen.formUnion(try watchLedges(seed: seed, ticks: 1800))
    }
    #expect(seen.count == 6, "only the ledges \(seen) were touched")
  }

  /// Follows every ledge by the animator's own events and compares with what is drawn.
  private func watchLedges(seed: UInt64, ticks: Int) throws -> Set<Int32> {
    struct Watch {
      var began: UInt32?
      var item: ItemID?
      var ended: UInt32?
    }
    var stage = try Stage(.rain, seed: seed)
    var watches = Array(repeating: Watch(), count: 7)
    var returned: Set<Int32> = []
    for tick in 0..<ticks {
      if tick % 3000 == 0 { stage.give(.say(keyword: Sticker.cake)) }
      stage.tick()
      let now = stage.pit.tick
      let there = stage.boundaryIDs
      for id in 1...6 {
        if let began = watches[id].began {
          let back = watches[id].ended.map { $0 + 120 }
          #expect(there.contains(UInt8(id)) == (now < began + 90 || back == now))
          if back == now {
            watches[id] = Watch()
            returned.insert(Int32(id))
          } else if now == began + 90, watches[id].ended == nil {
            watches[id].ended = now
          }
        } else {
          #expect(there.contains(UInt8(id)))
        }
      }
      for event in stage.animator.events.began {
        guard case .boundary(let id?) = event.other else { continue }
        let index = Int(id.value)
        guard watches[index].began == nil else { continue }
        watches[index] = Watch(began: now, item: event.item)
      }
      for event in stage.animator.events.ended {
        guard case .boundary(let id?) = event.other else { continue }
        let index = Int(id.value)
        guard watches[index].item == event.item, watches[index].ended == nil else { continue }
        watches[index].ended = now
      }
    }
    return returned
  }

  @Test func theTenthStickerOpensTheFloorFor18Ticks() throws {
    var stage = try Stage(.rain)
    stage.give(.say(keyword: Sticker.cake))
    stage.tick()
    let first = stage.pit.tick
    for _ in 0..<(9 * 108 - 1) {
      #expect(stage.tick().events.isEmpty)
      #expect(stage.boundaryIDs.suffix(4) == Self.bounds)
    }
    #expect(stage.pit.playground.ages.count == 9)
    // The tenth: notice and opening in its tick, then 18 ticks without bounds and without rain.
    #expect(stage.tick().events == [.rainNotice, .floorOpened])
    #expect(stage.pit.tick == first + 9 * 108)
    #expect(stage.pit.bodyCount == 10)
    for ticks in 1...18 {
      #expect(stage.boundaryIDs.allSatisfy { $0 < 240 })
      #expect(stage.pit.bodyCount == 10)
      if ticks < 18 { #expect(stage.tick().events.isEmpty) }
    }
    let outside = stage.pit.playground.ages.filter { id in
      !Rectangle(x: 0, y: 0, width: 440, height: 736).contains(
        stage.pit.playground.animator.center(of: id))
    }
    #expect(outside.count >= 5, "only \(outside.count) fell out")
    // Closed, and what was outside is gone, and the next sticker falls, all in this tick.
    #expect(stage.tick().events == [.floorClosed])
    #expect(stage.pit.tick == first + 9 * 108 + 18)
    #expect(stage.boundaryIDs.suffix(4) == Self.bounds)
    #expect(stage.pit.bodyCount == 10 - outside.count + 1)
    for id in outside { #expect(!stage.animator.contains(id)) }
    // Counting starts at 0: this sticker is the first of the next ten.
    let again = stage.pit.tick
    while !stage.tick().events.contains(.rainNotice) {
      try #require(stage.pit.tick < again + 2000)
    }
    #expect(stage.pit.tick == again + 9 * 108)
  }

  @Test func nothingLeavesTheClosedBounds() throws {
    var stage = try Stage(.rain, seed: 3)
    for tick in 0..<4000 {
      if tick % 3000 == 0 { stage.give(.say(keyword: Sticker.snow)) }
      stage.tick()
      guard stage.boundaryIDs.contains(240) else { continue }
      for id in stage.pit.playground.ages {
        #expect(stage.pit.playground.contains(stage.animator.center(of: id)))
      }
    }
  }

  @Test func otherScenesHearNothing() throws {
    for scene in Scene.allCases where scene != .rain {
      var stage = try Stage(scene)
      stage.give(.say(keyword: Sticker.cake))
      let record = stage.tick()
      #expect(record.carriedOut.isEmpty && record.events.isEmpty)
    }
  }

  @Test func dropsAreForThePitOnly() throws {
    for scene in Scene.allCases where scene != .pit {
      var stage = try Stage(scene)
      let before = stage.pit.bodyCount
      stage.give(.drop(kind: 3, x: 800, y: 800))
      #expect(stage.tick().carriedOut.isEmpty)
      #expect(stage.pit.bodyCount == before)
    }
  }
}
