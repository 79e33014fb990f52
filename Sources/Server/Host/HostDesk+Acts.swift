import Simulation
import Transport
import Wire

/// What the host can have done. Each answers with what there is to tell besides: members of a JSON
/// object.
extension HostDesk {
  func carryOut(
    _ deed: HostDeed, _ parameters: HostParameters, _ view: HostView, at now: UInt64
  ) throws(HostRefusal) -> [String] {
    switch deed {
    case .kick: return try kick(parameters)
    case .ban: return try ban(parameters, at: now)
    case .unban: return try unban(parameters, at: now)
    case .scene: return try begin(parameters, view)
    case .clear:
      try needLentStickers(view)
      try post(.clear)
    case .freeze: try post(.freeze)
    case .unfreeze: try post(.unfreeze)
    case .lock: setLocked(true)
    case .unlock: setLocked(false)
    case .gravity:
      let percent = try parameters.neededNumber("percent", 0...Int(HostAct.mostPercent))
      guard view.scene.tilts else {
        throw HostRefusal(409, "the scene \(view.scene.name) has its own gravity")
      }
      try post(.gravity(percent: UInt16(percent)))
      return [#""percent":\#(percent)"#]
    case .limits: return try limit(parameters, view)
    case .rename:
      let name = try parameters.text("name")
      try HostParameters.check(name, called: "name", bytes: 1...WireLimits.nameBytes)
      return try rename(parameters, to: name, isHidden: false)
    case .hide: return try rename(parameters, to: Self.hiddenName, isHidden: true)
    case .notice: return try announce(parameters)
    }
    return []
  }

  /// What everybody sees of somebody whose name is hidden.
  static let hiddenName = "Somebody"

  // MARK: People

  private func person(_ parameters: HostParameters) throws(HostRefusal) -> UInt16 {
    UInt16(try parameters.neededNumber("person", 1...Int(UInt16.max)))
  }

  private func nobody(_ number: UInt16) -> HostRefusal {
    HostRefusal(404, "nobody here has the number \(number)")
  }

  private func kick(_ parameters: HostParameters) throws(HostRefusal) -> [String] {
    let number = try person(parameters)
    guard let removed = directory.remove(number) else { throw nobody(number) }
    handOvers.put(.removed(person: number, .removed), for: removed.thread)
    return Self.told(removed.person)
  }

  private static func told(_ person: Person) -> [String] {
    [#""person":\#(person.id)"#, #""name":\#(HostText.json(person.name.text))"#]
  }

  private func rename(
    _ parameters: HostParameters, to text: String, isHidden: Bool
  ) throws(HostRefusal) -> [String] {
    let number = try person(parameters)
    // Its length was checked.
    guard let name = try? Name(text),
      let renamed = directory.rename(number, to: name, isHidden: isHidden)
    else { throw nobody(number) }
    handOvers.put(.renamed(renamed.person), for: renamed.thread)
    return Self.told(renamed.person)
  }

  // MARK: Addresses

  /// Minutes for which an address can be kept out: a day at most, because addresses are given to
  /// others.
  static let banMinutes = 1...1440

  private func ban(_ parameters: HostParameters, at now: UInt64) throws(HostRefusal) -> [String] {
    let minutes = try parameters.neededNumber("minutes", Self.banMinutes)
    guard (parameters["person"] == nil) != (parameters["address"] == nil) else {
      throw HostRefusal(400, "give one of person and address")
    }
    let address = try bannedAddress(parameters)
    guard let removed = directory.ban(address, minutes: minutes, at: now) else {
      throw HostRefusal(409, "there are \(Bans.most) bans already: lift one")
    }
    for one in removed {
      handOvers.put(.removed(person: one.person.id, .removed), for: one.thread)
    }
    return [
      #""address":\#(HostText.json(address.text))"#, #""minutes":\#(minutes)"#,
      #""removed":\#(removed.count)"#,
    ]
  }

  private func bannedAddress(_ parameters: HostParameters) throws(HostRefusal) -> ClientAddress {
    if parameters["address"] != nil { return try address(parameters) }
    let number = try person(parameters)
    guard let address = directory.address(of: number) else { throw nobody(number) }
    guard address.prefix.isAddress else {
      throw HostRefusal(
        409, "the proxy does not say from which address \(number) comes: kick instead")
    }
    return address
  }

  private func address(_ parameters: HostParameters) throws(HostRefusal) -> ClientAddress {
    let text = try parameters.text("address")
    guard let prefix = AddressPrefix(numeric: text) else {
      throw HostRefusal(
        400,
        "address must be a numeric one such as 192.0.2.7 or 2001:db8::1, "
          + "not '\(HostAudit.shown(text))'")
    }
    return ClientAddress(text: text, prefix: prefix)
  }

  private func unban(_ parameters: HostParameters, at now: UInt64) throws(HostRefusal) -> [String] {
    let address = try address(parameters)
    guard directory.changeGate({ $0.bans.lift(address.prefix, at: now) }) else {
      throw HostRefusal(404, "\(address.text) is not banned")
    }
    return [#""address":\#(HostText.json(address.text))"#]
  }

  private func setLocked(_ isLocked: Bool) {
    settings.change { value in
      value.host.isLocked = isLocked
      directory.changeGate { $0.isLocked = isLocked }
    }
  }

  // MARK: The world

  private func post(_ act: HostAct) throws(HostRefusal) {
    guard runsWorld else {
      throw HostRefusal(409, "another server runs this world: ask the one that leads it")
    }
    guard exchange.post(act) else { throw .tooMany }
  }

  private func needLentStickers(_ view: HostView) throws(HostRefusal) {
    guard Pit.lendsStickers(view.scene) else {
      throw HostRefusal(409, "the scene \(view.scene.name) needs its own stickers")
    }
  }

  private func begin(
    _ parameters: HostParameters, _ view: HostView
  ) throws(HostRefusal) -> [String] {
    let name = try parameters.text("name")
    guard let scene = Scene(name: name) else {
      throw HostRefusal(
        400, "name must be one of \(Scene.names), not '\(HostAudit.shown(name))'")
    }
    let bodies = try parameters.number("bodies", 0...PitConfiguration.bodyLimit)
    let pit: PitConfiguration
    do throws(PitError) {
      pit = try PitConfiguration(
        scene: scene, bodies: bodies, maxBodies: maxBodies,
        shape: scene == .pit ? shape : .upright,
        seed: SystemRandomNumberGenerator.number())
    } catch {
      throw HostRefusal(400, "bodies: \(error.explanation)")
    }
    // Who follows the log has a world of its own, and could not be given this one.
    guard pit.bodyCap <= SessionHub.mostReplicaBodies || !view.offersReplicas else {
      throw HostRefusal(
        409,
        "such a world takes \(pit.bodyCap) stickers, and those who are here follow worlds of "
          + "\(SessionHub.mostReplicaBodies) at most: begin with fewer bodies")
    }
    try post(
      .begin(
        scene: scene.rawValue, bodies: UInt16(pit.bodies), maxBodies: UInt16(pit.maxBodies),
        shape: pit.shape.rawValue, seed: pit.seed))
    return [
      #""scene":"\#(scene.name)""#, #""bodies":\#(pit.bodies)"#, #""bodyCap":\#(pit.bodyCap)"#,
    ]
  }

  // MARK: Limits and words

  private func limit(
    _ parameters: HostParameters, _ view: HostView
  ) throws(HostRefusal) -> [String] {
    let most = settings.value.limits.connections
    let people = try parameters.number("people", 1...most)
    let commands = try parameters.number("commands", HostSettings.commandRange)
    if parameters["bodies"] != nil { try needLentStickers(view) }
    let bodies = try parameters.number("bodies", 1...max(1, view.capacity))
    guard people != nil || commands != nil || bodies != nil else {
      throw HostRefusal(400, "give bodies, people or commands")
    }
    if let bodies { try post(.mostBodies(UInt16(bodies))) }
    settings.change { value in
      value.host.people = people ?? value.host.people
      value.host.commandsPerSecond = commands ?? value.host.commandsPerSecond
      let mostPeople = value.mostPeople
      directory.changeGate { $0.mostPeople = mostPeople }
    }
    let all = [("bodies", bodies), ("people", people), ("commands", commands)]
    return all.compactMap { name, number in number.map { "\"\(name)\":\($0)" } }
  }

  private func announce(_ parameters: HostParameters) throws(HostRefusal) -> [String] {
    let text = parameters["text"] ?? ""
    try HostParameters.check(text, called: "text", bytes: 0...WireLimits.announcementBytes)
    // Its length was checked.
    let announcement = (try? Announcement(text)) ?? .none
    settings.change { $0.host.announcement = announcement }
    return [#""text":\#(HostText.json(text))"#]
  }
}

extension SystemRandomNumberGenerator {
  /// A number that nobody can know before.
  fileprivate static func number() -> UInt64 {
    var generator = SystemRandomNumberGenerator()
    return generator.next()
  }
}
