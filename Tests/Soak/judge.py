"""Whether a soak's report is that of a sound server: a list of faults in words, empty for a pass.

Nothing here asks the machine; a report goes in and words come out, so that tests can show that each
fault is found. A load that did too little is a fault as well: a soak without any proves nothing."""

import re
import statistics

# Megabytes by which the median of the last fifth may exceed that of the second. In ten minutes more
# than 10 000 hostile connections and 2500 returns lie between the two: whoever loses 400 bytes of each
# is found. A server that loses nothing breathes by up to 1.5 MB meanwhile, most of it the half minute
# of the log, whose records are longer the more people do.
MOST_GROWTH_MB = 4.0
# A quarter of a tick: later than that, and a frame no longer reaches its page before the next picture.
# Judged by all ticks of the run. A window of half a minute has eighteen ticks that are later than its
# p99: on a machine that shares its processors, the host takes as many away in a bad moment.
MOST_LATE_MS = 4.0
# And of any window, a tick: with more, people would see it.
MOST_LATE_IN_A_WINDOW_MS = 16.7
# Of what an undisturbed run does, how much must have been done: the machine may be busy elsewhere. Where
# lateness is not judged, a sanitizer or a busy machine may make everything slower by far.
LEAST, LEAST_WHERE_SLOW = 0.25, 0.02
# Returns and attacks a second, of all who do it together, in an undisturbed run.
DEEDS_OF_GUESTS, DEEDS_OF_HOSTILE = 3, 20
# Why an overloaded server closes somebody new.
TOO_BUSY = "too busy for somebody new"
# Of faults of one sort, how many are told.
MOST_WORDS = 10
# A line of the log at one of these levels, and what Swift, C and the sanitizers say at an end.
TROUBLE = re.compile(
    r"^\S+ (error|critical) |Fatal error|runtime error|Sanitizer|Assertion|terminate called"
)


def fifths(values):
    """Five medians, each of a fifth of the values in their order."""
    count = len(values)
    return [
        round(statistics.median(values[count * i // 5 : count * (i + 1) // 5]), 3) for i in range(5)
    ]


def judge(report):
    """All faults of a run."""
    seconds, share = report["seconds"], least(report)
    return [
        *crowd_faults(report),
        *visitor_faults("guests", report["guests"], seconds * DEEDS_OF_GUESTS, share),
        *visitor_faults("hostile", report["hostile"], seconds * DEEDS_OF_HOSTILE, share),
        *sample_faults(report),
        *descriptor_faults(report),
        *server_faults(report),
    ]


def least(report):
    return LEAST if report["judged"]["lateness"] else LEAST_WHERE_SLOW


def crowd_faults(report):
    for group in report["crowd"]:
        name, found = group["name"], group["report"]
        if group["exit"] != 0 and not was_turned_away(report, found):
            yield f"bots, {name}: exit {group['exit']} {' '.join(group['said'])}"
        if not found:
            yield f"bots, {name}: no report"
            continue
        if found["connected"] != group["count"]:
            yield f"bots, {name}: only {found['connected']} of {group['count']} connected"
        for key in ("errors", "gaps", "mismatches", "keyframe_requests"):
            if found[key] and not (key == "errors" and was_turned_away(report, found)):
                yield f"bots, {name}: {found[key]} {key} {'; '.join(found['messages'][:3])}"
        yield from idle_faults(group, found, least(report))
    came_back = sum(group["report"]["reconnects"] for group in report["crowd"] if group["report"])
    usual = sum(group["churn"] * group["seconds"] for group in report["crowd"])
    if came_back < usual * least(report):
        yield f"bots: only {came_back} left and came back, usual are {usual:g}"


def was_turned_away(report, found):
    """Whether all that a group complains of is that the server had too much to do for somebody new.
    Where lateness is judged, it must not come to that."""
    complaints = found and found["errors"] and found["messages"]
    said = complaints and all(TOO_BUSY in words for words in found["messages"])
    return bool(said) and not report["judged"]["lateness"]


def idle_faults(group, found, share):
    """What a group did too little of."""
    bots, seconds = group["count"], group["seconds"]
    # Per bot and second: tilts alone are fifteen a second. Slow readers read for a
    # quarter of the time.
    reading = 0.25 if group["slow"] else 1
    usually = {
        "frames": bots * seconds * 5 * reading,
        "sent": bots * seconds * 15,
        "hashes_compared": bots * seconds * 2 * reading if group["replica"] else 0,
    }
    for key, usual in usually.items():
        if found[key] < usual * share:
            yield f"bots, {group['name']}: only {found[key]} {key}, usual are {usual:g}"


def visitor_faults(who, found, usual, share):
    """Guests or hostile senders: what they complain of, and whether each kind was at work."""
    if not found:
        yield f"{who}: no report"
        return
    for fault in found["faults"][:MOST_WORDS]:
        yield f"{who}: {fault}"
    for name, count in found["counts"].items():
        if count == 0:
            yield f"{who}: nothing came of '{name}'"
    total = sum(found["counts"].values())
    if total < usual * share:
        yield f"{who}: only {total} deeds, usual are {usual:g}"


def sample_faults(report):
    samples, judged = report["samples"], report["judged"]
    yield from samples["faults"]
    if samples["count"] < 5:
        yield f"only {samples['count']} samples: nothing can be said of the server"
        return
    if samples["count"] < report["seconds"] * least(report) * 2:
        yield f"only {samples['count']} samples in {report['seconds']} s"
    if samples["most_people"] < report["bots"] * 0.9:
        yield f"only {samples['most_people']} people at once, {report['bots']} bots wanted in"
    memory = samples["resident_mb"]
    if judged["memory"] and memory[4] - memory[1] > MOST_GROWTH_MB:
        yield f"memory grew from {memory[1]} to {memory[4]} MB, {MOST_GROWTH_MB} are the limit"
    held = samples["descriptors"]
    # Comings and goings change the count; a leak of one in a hundred connections adds far more.
    if judged["memory"] and held[4] - held[1] > max(20, held[1] / 10):
        yield f"open descriptors grew from {held[1]} to {held[4]}"
    late = samples["late_p99_ms"]["worst"]
    if judged["lateness"] and not late <= MOST_LATE_IN_A_WINDOW_MS:
        yield f"ticks were {late} ms late at p99 of half a minute, {MOST_LATE_IN_A_WINDOW_MS} are the limit"
    late = report["late_p99_ms"]
    if judged["lateness"] and not late <= MOST_LATE_MS:
        yield f"ticks were {late} ms late at p99, {MOST_LATE_MS} are the limit"


def descriptor_faults(report):
    before, after = report["descriptors"]["before"], report["descriptors"]["after"]
    if after is not None and after > before:
        yield f"{after} descriptors were open when all had left, {before} at the start"
    if report["people_left"] is None:
        yield "nobody could be asked whether all had left"
    elif report["people_left"]:
        yield f"{report['people_left']} people were counted when all had left"


def server_faults(report):
    if report["crashed"]:
        yield "the server ended before it was told to"
    if report["exit"] != 0:
        yield f"the server ended with {report['exit']} at SIGTERM"
    for line in list(filter(TROUBLE.search, report["log"]))[:MOST_WORDS]:
        yield f"the server said: {line.strip()}"
