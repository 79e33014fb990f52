import Simulation
import Wire

// What the host has decided, as far as a page shows it.

/// 1 for a world that stands still, 2 for one that nobody new may join, 3 for both.
@_expose(wasm, "page_host_flags") @c(page_host_flags)
public func pageHostFlags() -> Int32 {
  (page.hostNotice.isFrozen ? 1 : 0) | (page.hostNotice.isLocked ? 2 : 0)
}

/// The host's announcement in UTF-8.
@_expose(wasm, "page_announcement") @c(page_announcement)
public func pageAnnouncement() -> UnsafeMutableRawPointer? { page.announcement.address() }

/// Bytes of the announcement, 0 for none.
@_expose(wasm, "page_announcement_length") @c(page_announcement_length)
public func pageAnnouncementLength() -> Int32 {
  Int32(page.hostNotice.announcement.utf8.count)
}
