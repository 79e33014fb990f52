import Testing

/// Every suite names the row of the behaviour table that its tests check.
extension Tag {
  @Tag static var fact: Self
}
