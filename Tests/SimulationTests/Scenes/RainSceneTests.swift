import Dynamics
import Physics
import Testing
import Wire

@testable import Simulation

/// "Keyword rain (440×736)" of the facts about the five scenes, number by number, but for how much
/// rains: that is ours.
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

  @Test func aKeywordBringsABurstAndFourStickersASecond() throws {
    var stage = try Stage(.rain)
    stage.tick(50)
    #expect(stage.pit.bodyCount == 0)
    stage.give(.say(keyword: Sticker.snow), by: 7)
    let record = stage.tick()
    #expect(record.carriedOut.count == 1)
    #expect(record.events == [.rainBegan(keyword: Sticker.snow, person: 7)])
    for ticks in 0..<(23 * 3) {
      #expect(stage.pit.bodyCount == 1 + ticks / 3)
      stage.tick()
    }
    for ticks in 0..<300 {
      #expect(stage.pit.bodyCount == 24 + ticks / 15)
      stage.tick()
    }
  }

  @Test func stickersStartAtAWholeNumberAtTheTop() throws {
    var lefts: Set<Int> = []
    for seed in UInt64(1)...40 {
      var stage = try Stage(.rain, seed: seed)
      stage.give(.say(keyword: Sticker.cake))
      stage.tick(24 * 3)
      var newest = stage.pit.playground.ages.last
      for _ in 0..<(15 * 8) {
        stage.tick()
        guard let id = stage.pit.playground.ages.last, id != newest else { continue }
        newest = id
        let sticker = stage.pit.playground.sticker(of: id)
        #expect(sticker.size == 36)
        #expect(sticker.kind == Sticker.cake)
        let center = stage.animator.center(of: id)
        let left = center.x - 18
        #expect(left == Float(Int(left)) && left >= 0 && left <= 404)
        // One tick of 3000 pt/s² from a top at 10.
        #expect(abs(center.y - 28 - 3000 / 7200) < 0.3)
        lefts.insert(Int(left))
      }
    }
    #expect(lefts.count > 150)
    #expect(lefts.min()! < 20 && lefts.max()! > 384)
  }

  /// Each of a burst has its column, so that none begins inside another one.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func noStickerBeginsInsideAnother(seed: UInt64) throws {
    var stage = try Stage(.rain, seed: seed)
    stage.give(.say(keyword: Sticker.cake))
    var newest: ItemID?
    var begun = 0
    for _ in 0..<(24 * 3) {
      stage.tick()
      let ages = stage.pit.playground.ages
      guard let id = ages.last, id != newest else { continue }
      newest = id
      begun += 1
      let center = stage.animator.center(of: id)
      for other in ages.dropLast().suffix(3) {
        let apart = stage.animator.center(of: other) - center
        // The third of them has fallen by 34 pt, and may have been pushed a little to the side.
        #expect(max(abs(apart.x), abs(apart.y)) >= 33, "sticker \(begun)")
      }
    }
    #expect(begun == 24)
  }

  @Test func aNewKeywordReplacesTheStickersOfTheOneRain() throws {
    var stage = try Stage(.rain)
    stage.give(.say(keyword: Sticker.cake))
    stage.tick(100)
    stage.give(.say(keyword: Sticker.snow), by: 2)
    let before = stage.pit.bodyCount
    stage.tick(30)
    #expect(stage.pit.bodyCount == before + 2, "no other burst so soon")
    let newest = try #require(stage.pit.playground.ages.last)
    #expect(stage.pit.playground.sticker(of: newest).kind == Sticker.snow)
    // Three seconds after the first burst began.
    stage.tick(50)
    stage.give(.say(keyword: Sticker.cake), by: 3)
    let later = stage.pit.bodyCount
    stage.tick(30)
    #expect(stage.pit.bodyCount == later + 10)
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
    #expect(last + 15 + 72 >= heard + 3600)
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

  @Test func the64thStickerOpensTheFloorFor72Ticks() throws {
    var stage = try Stage(.rain)
    stage.give(.say(keyword: Sticker.cake))
    stage.tick()
    let first = stage.pit.tick
    // 24 of the burst, the last of them after 69 ticks, and 40 more.
    let opening: UInt32 = 23 * 3 + 40 * 15
    for _ in 0..<(opening - 1) {
      #expect(stage.tick().events.isEmpty)
      #expect(stage.boundaryIDs.suffix(4) == Self.bounds)
    }
    #expect(stage.pit.playground.ages.count == 63)
    // The 64th: notice and opening in its tick, then 72 ticks without bounds and without rain.
    #expect(stage.tick().events == [.floorWarning, .floorOpened])
    #expect(stage.pit.tick == first + opening)
    #expect(stage.pit.bodyCount == 64)
    for ticks in 1...72 {
      #expect(stage.boundaryIDs.allSatisfy { $0 < 240 })
      #expect(stage.pit.bodyCount == 64)
      if ticks < 72 { #expect(stage.tick().events.isEmpty) }
    }
    let outside = stage.pit.playground.ages.filter { id in
      !Rect2(x: 0, y: 0, width: 440, height: 736).contains(
        stage.pit.playground.animator.center(of: id))
    }
    #expect(outside.count >= 50, "only \(outside.count) fell out")
    // Closed, and what was outside is gone, and the next sticker falls, all in this tick.
    #expect(stage.tick().events == [.floorClosed])
    #expect(stage.pit.tick == first + opening + 72)
    #expect(stage.boundaryIDs.suffix(4) == Self.bounds)
    #expect(stage.pit.bodyCount == 64 - outside.count + 1)
    for id in outside { #expect(!stage.animator.contains(id)) }
    // Counting starts at 0: this sticker is the first of the next 64.
    let again = stage.pit.tick
    while !stage.tick().events.contains(.floorWarning) {
      try #require(stage.pit.tick < again + 2000)
    }
    #expect(stage.pit.tick == again + 63 * 15)
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
