/// Which worlds this core makes of the same records.
public enum CoreVersion {
  /// A hash of the files that pin its runs: `Tests/*/Golden`. A log that was written with another
  /// one is not replayed, because other worlds would come of it. A test compares it with the files,
  /// and says what to write here when they change.
  public static let goldens: UInt64 = 0x96AE_B400_A790_D29D
}
