import Foundation
import Simulation
import Wire

/// What the host is told, as JSON. Written by hand, like `WorldReport`: five hundred people take a
/// fraction of a millisecond so, and a network thread has other work.
extension HostDesk {
  /// People that are listed: more than anybody looks through.
  static let listedPeople = 500

  func json(of page: HostPage, _ view: HostView, at now: UInt64) -> String {
    switch page {
    case .state: state(view, at: now)
    case .people: people(at: now)
    case .audit: auditJSON
    }
  }

  private func state(_ view: HostView, at now: UInt64) -> String {
    let value = settings.value
    let bans = directory.changeGate { $0.bans.all(at: now) }.map { address, seconds in
      #"{"address":\#(HostText.json(address)),"seconds":\#(seconds)}"#
    }
    let scenes = Scene.allCases.map { "\"\($0.name)\"" }
    let fields = [
      #""scene":"\#(view.scene.name)""#, #""bodies":\#(view.bodies)"#,
      #""bodyCap":\#(view.bodyCap)"#, #""mostBodies":\#(view.capacity)"#,
      #""frozen":\#(view.isFrozen)"#, #""gravity":\#(view.gravityPercent)"#,
      #""locked":\#(value.host.isLocked)"#,
      #""notice":\#(HostText.json(value.host.announcement.text))"#,
      #""people":\#(directory.count)"#, #""peopleLimit":\#(value.mostPeople)"#,
      #""commandsPerSecond":\#(value.commandsPerSecond)"#,
      #""bans":[\#(bans.joined(separator: ","))]"#,
      #""scenes":[\#(scenes.joined(separator: ","))]"#,
    ]
    return "{\(fields.joined(separator: ","))}\n"
  }

  private func people(at now: UInt64) -> String {
    let (count, newest) = directory.listForHost(Self.listedPeople)
    let people = newest.map { presence in
      let digits = String(presence.person.colour, radix: 16)
      let colour = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
      let seconds = (now - min(presence.since, now)) / 1_000_000_000
      return #"{"id":\#(presence.person.id),"name":\#(HostText.json(presence.person.name.text)),"#
        + ##""colour":"#\##(colour)","address":\##(HostText.json(presence.address.text)),"##
        + #""seconds":\#(seconds),"hidden":\#(presence.isHidden)}"#
    }
    return #"{"count":\#(count),"people":[\#(people.joined(separator: ","))]}"# + "\n"
  }

  private var auditJSON: String {
    let acts = audit.map { entry in
      #"{"time":"\#(entry.timeText)","address":\#(HostText.json(entry.address)),"#
        + #""act":"\#(entry.act)","details":\#(HostText.json(entry.details)),"#
        + #""outcome":\#(HostText.json(entry.outcome))}"#
    }
    return #"{"acts":[\#(acts.joined(separator: ","))]}"# + "\n"
  }
}
