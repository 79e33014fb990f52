import Wire

/// The answer to `/api/world`: the world at a tick in lattice integers, as JSON. Written by hand: a
/// thousand bodies take a fraction of a millisecond so, and the network thread has other work.
struct WorldReport {
  private var bytes: [UInt8] = []

  init(_ moment: RecentWorlds.Moment) {
    bytes.reserveCapacity(128 * moment.bodies.count + 256)
    write("{\"tick\":\(moment.tick ?? 0),\"gravity\":[\(moment.gravity.x),\(moment.gravity.y)],")
    list("bodies", moment.bodies) { body in
      let strict = body.onLattice(of: .strict)
      let visual = body.onLattice(of: .visual)
      return "{\"slot\":\(body.slot),\"generation\":\(body.generation),\"kind\":\(body.kind),"
        + "\"size\":\(body.size),\"x\":\(strict.x),\"y\":\(strict.y),\"angle\":\(strict.angle),"
        + "\"visual_x\":\(visual.x),\"visual_y\":\(visual.y)}"
    }
    write(",")
    list("boundaries", moment.scenery.boundaries) {
      "{\"id\":\($0.id),\"a\":[\($0.ax),\($0.ay)],\"b\":[\($0.bx),\($0.by)]}"
    }
    write(",")
    list("holders", moment.scenery.holders) { "{\"slot\":\($0.slot),\"client\":\($0.client)}" }
    write(",")
    list("rods", moment.scenery.rods) {
      "{\"slot\":\($0.slot),\"anchor\":[\($0.x),\($0.y)],\"attach\":[\($0.attachX),\($0.attachY)]}"
    }
    write("}\n")
  }

  /// The JSON's bytes.
  var json: [UInt8] { bytes }

  private mutating func write(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func list<Element>(
    _ name: String, _ elements: [Element], _ text: (Element) -> String
  ) {
    write("\"\(name)\":[")
    for (index, element) in elements.enumerated() {
      write((index > 0 ? "," : "") + text(element))
    }
    write("]")
  }
}
