/// How many pairs a lookup may find. While a snapshot is restored that says how many there are, a
/// lookup that finds more breaks off, so that a forged one can't ask for more memory than its own
/// size makes good for.
struct PairCounts {
  var ofBodies: Int
  var ofEdges: Int

  /// As many as there are.
  static let any = PairCounts(ofBodies: .max, ofEdges: .max)
}
