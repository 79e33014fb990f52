/// The page's WebAssembly module: the protocol and the playback, as functions that JavaScript
/// calls.
///
/// `Page` holds all state; the files `Exports+….swift` hold the exported functions and nothing
/// else. Strings, tokens and instances are handed over as addresses in the module's memory. Times
/// are milliseconds of `performance.now()`, lengths points. The memory may grow during any call, so
/// a page makes its views anew after calls.
@main
enum Entry {
  /// Nothing runs by itself: the page calls.
  static func main() {}
}

/// The one page of this module. WebAssembly modules have one thread.
nonisolated(unsafe) let page = Page()
