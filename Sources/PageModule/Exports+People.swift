import Simulation
import Wire

// Who is here, and news for the person in front of the page.

@_expose(wasm, "page_people_count") @c(page_people_count)
public func pagePeopleCount() -> Int32 { Int32(page.peopleCount) }

@_expose(wasm, "page_people_listed") @c(page_people_listed)
public func pagePeopleListed() -> Int32 { Int32(page.people.count) }

@_expose(wasm, "page_person_id") @c(page_person_id)
public func pagePersonID(_ index: Int32) -> Int32 { person(index).map { Int32($0.id) } ?? -1 }

@_expose(wasm, "page_person_colour") @c(page_person_colour)
public func pagePersonColour(_ index: Int32) -> Int32 {
  person(index).map { Int32($0.colour) } ?? 0
}

@_expose(wasm, "page_colour_of") @c(page_colour_of)
public func pageColourOf(_ id: Int32) -> Int32 {
  Int32(Person.colour(of: UInt16(clamping: id)))
}

@_expose(wasm, "page_person_name") @c(page_person_name)
public func pagePersonName(_ index: Int32) -> UnsafeMutableRawPointer? {
  person(index) == nil ? nil : page.names.address(of: Int(index + 1) * WireLimits.nameBytes)
}

@_expose(wasm, "page_person_name_length") @c(page_person_name_length)
public func pagePersonNameLength(_ index: Int32) -> Int32 {
  person(index).map { Int32($0.name.utf8.count) } ?? 0
}

@_expose(wasm, "page_notice_code") @c(page_notice_code)
public func pageNoticeCode() -> Int32 { Int32(page.noticeCode) }

/// Whose tilt counts: -2 everybody's, -1 one person's at a time and nobody's now, else the person
/// whose it is.
@_expose(wasm, "page_captain") @c(page_captain)
public func pageCaptain() -> Int32 {
  switch page.tiltNotice {
  case .everybody: -2
  case .nobody: -1
  case .captain(let person, _): Int32(person.id)
  }
}

/// Ticks that were left of the captain's turn when the server told whose it is.
@_expose(wasm, "page_captain_ticks") @c(page_captain_ticks)
public func pageCaptainTicks() -> Int32 { captain.map { Int32($0.ticksLeft) } ?? 0 }

@_expose(wasm, "page_captain_colour") @c(page_captain_colour)
public func pageCaptainColour() -> Int32 { captain.map { Int32($0.person.colour) } ?? 0 }

@_expose(wasm, "page_captain_name") @c(page_captain_name)
public func pageCaptainName() -> UnsafeMutableRawPointer? {
  page.names.address(of: (1 + WireLimits.listedPeople) * WireLimits.nameBytes)
}

/// Bytes of the captain's name; 0 where the server doesn't know it.
@_expose(wasm, "page_captain_name_length") @c(page_captain_name_length)
public func pageCaptainNameLength() -> Int32 {
  captain.map { Int32($0.person.name.utf8.count) } ?? 0
}

/// How many people's tilts are told, this page's own among them.
@_expose(wasm, "page_tilts") @c(page_tilts)
public func pageTilts() -> Int32 { Int32(page.tilts.count) }

/// Whose tilt one of them is; -1 where there is none.
@_expose(wasm, "page_tilt_person") @c(page_tilt_person)
public func pageTiltPerson(_ index: Int32) -> Int32 { tilt(index).map { Int32($0.person) } ?? -1 }

/// To the right, -1…1.
@_expose(wasm, "page_tilt_x") @c(page_tilt_x)
public func pageTiltX(_ index: Int32) -> Float { length(tilt(index)?.x) }

/// Down, -1…1.
@_expose(wasm, "page_tilt_y") @c(page_tilt_y)
public func pageTiltY(_ index: Int32) -> Float { length(tilt(index)?.y) }

private func tilt(_ index: Int32) -> PersonTilt? {
  index >= 0 && Int(index) < page.tilts.count ? page.tilts[Int(index)] : nil
}

private func length(_ steps: Int8?) -> Float { Float(steps ?? 0) / Float(PersonTilt.unit) }

private var captain: (person: Person, ticksLeft: UInt16)? {
  guard case .captain(let person, let ticksLeft) = page.tiltNotice else { return nil }
  return (person, ticksLeft)
}

private func person(_ index: Int32) -> Person? {
  index >= 0 && Int(index) < page.people.count ? page.people[Int(index)] : nil
}

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
