// @ts-check
// Types only, for editors: no page loads this file.

/**
 * What pit.wasm exports. Times are milliseconds of `performance.now()`, lengths are points.
 * @typedef {object} PageExports
 * @property {WebAssembly.Memory} memory
 * @property {() => void} [_initialize]
 * @property {() => bigint} page_core_version
 * @property {() => void} page_reset
 * @property {(size: number) => number} page_input
 * @property {(length: number, now: number) => number} page_receive
 * @property {(now: number) => number} page_recovery_step
 * @property {() => number} page_return_delay
 * @property {() => number} page_client_id
 * @property {() => number} page_colour
 * @property {() => number} page_name
 * @property {() => number} page_name_length
 * @property {() => number} page_world_width
 * @property {() => number} page_world_height
 * @property {() => bigint} page_sticker_set
 * @property {() => number} page_token
 * @property {() => void} page_set_token_from_input
 * @property {() => number} page_people_count
 * @property {() => number} page_people_listed
 * @property {(index: number) => number} page_person_colour
 * @property {(index: number) => number} page_person_id
 * @property {(index: number) => number} page_person_name
 * @property {(index: number) => number} page_person_name_length
 * @property {(id: number) => number} page_colour_of
 * @property {() => number} page_notice_code
 * @property {() => number} page_tilts
 * @property {(index: number) => number} page_tilt_person
 * @property {(index: number) => number} page_tilt_x
 * @property {(index: number) => number} page_tilt_y
 * @property {() => number} page_captain
 * @property {() => number} page_captain_ticks
 * @property {() => number} page_captain_colour
 * @property {() => number} page_captain_name
 * @property {() => number} page_captain_name_length
 * @property {() => number} page_host_flags
 * @property {() => number} page_announcement
 * @property {() => number} page_announcement_length
 * @property {() => number} page_gravity_x
 * @property {() => number} page_gravity_y
 * @property {(seed: number) => number} page_play_alone
 * @property {() => number} page_is_alone
 * @property {(kind: number) => number} page_rain_alone
 * @property {(now: number) => void} page_run
 * @property {(now: number) => number} page_sample
 * @property {() => number} page_instances
 * @property {(kind: number) => number} page_corner
 * @property {() => number} page_boundary_count
 * @property {() => number} page_boundaries
 * @property {() => number} page_rod_count
 * @property {() => number} page_rods
 * @property {(id: number) => number} page_wear
 * @property {() => number} page_ticks_to_opening
 * @property {() => number} page_take_effects
 * @property {() => number} page_effects
 * @property {() => number} page_scene
 * @property {(slot: number, x: number, y: number) => number} page_grab
 * @property {(slot: number, x: number, y: number) => number} page_move
 * @property {(slot: number, vx: number, vy: number) => number} page_release
 * @property {(slot: number, x: number, y: number) => number} page_snap
 * @property {(length: number) => number} page_say
 * @property {() => number} page_event_count
 * @property {() => number} page_events
 * @property {() => void} page_events_clear
 * @property {() => number} page_output
 * @property {(rate: number, profile: number, kind: number, now: number) => number} page_hello
 * @property {(rate: number, profile: number, kind: number) => number} page_stream
 * @property {() => number} page_is_following
 * @property {() => number} page_following
 * @property {() => number} page_difference
 * @property {() => number} page_difference_length
 * @property {() => number} page_divergence
 * @property {(milliseconds: number, now: number) => number} page_spent
 * @property {() => number} page_lead_ms
 * @property {(x: number, y: number) => number} page_tilt
 * @property {(kind: number, x: number, y: number) => number} page_drop
 * @property {(x: number, y: number, vx: number, vy: number) => number} page_throw
 * @property {(now: number) => number} page_clock
 * @property {(now: number) => number} page_report
 * @property {() => number} page_round_trip_ms
 * @property {() => number} page_delay_ms
 * @property {() => number} page_jitter_ms
 * @property {() => number} page_frames
 * @property {() => number} page_keyframes
 * @property {() => number} page_skipped
 * @property {() => number} page_gaps
 * @property {() => number} page_tick
 * @property {() => number} page_quality
 * @property {() => number} page_past_count
 * @property {() => number} page_past_enter
 * @property {() => number} page_past_first
 * @property {(size: number) => number} page_past_input
 * @property {(snapshot: number, records: number) => number} page_past_take
 * @property {(tick: number, most: number) => number} page_past_reach
 * @property {(tick: number, share: number) => number} page_past_sample
 * @property {() => number} page_past_scene
 * @property {() => number} page_past_world_width
 * @property {() => number} page_past_world_height
 * @property {() => number} page_past_diverged
 * @property {() => void} page_past_leave
 */

/**
 * How good the line is, and how many frames have come over it.
 * @typedef {{ roundTrip: number, delay: number, jitter: number, frames: number, keyframes: number,
 *   skipped: number, gaps: number, tick: number, quality: number }} LinkNumbers
 */

/**
 * Two worlds of one tick that ought to have been equal: the page's and the server's, as `Pit.save`
 * writes them, and the name of what is different first.
 * @typedef {{ tick: number, difference: string, mine: Uint8Array<ArrayBuffer>,
 *   servers: Uint8Array<ArrayBuffer> }} Divergence
 */
export {};
