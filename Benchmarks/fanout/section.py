"""The section "Fan-out" of BENCHMARKS.md."""
import os
import platform
import statistics

from engines import FLOOR, OURS, TITLES
from report import commit, processor

NAMES = ["stream", "hz", "clients", "inputs_per_second", "tls", "threads"]


def medians(results):
    """One row for each engine and setting: the median of every figure over the rounds."""
    groups = {}
    for result in results:
        key = (*(result[name] for name in NAMES), result["engine"])
        groups.setdefault(key, []).append(result)
    rows = []
    for rounds in groups.values():
        row = {}
        for name, first in rounds[0].items():
            values = [each[name] for each in rounds if each.get(name) is not None]
            is_figure = isinstance(first, (int, float)) and not isinstance(first, bool)
            row[name] = round(statistics.median(values), 3) if is_figure else first
        row.pop("round", None)
        # A setting's numbers are no measurements.
        row |= {name: rounds[0][name] for name in NAMES}
        rows.append(row)
    return rows


def congestion_control():
    with open("/proc/sys/net/ipv4/tcp_congestion_control", encoding="utf-8") as file:
        return file.read().strip()


def scaling(rounds):
    """What a second network thread brings."""
    if not rounds:
        return []
    one, two, carries = (
        statistics.median(each[name] for each in rounds) for name in ("one_us", "two_us", "carries")
    )
    lines = [
        "",
        f"Two network threads take {two:.2f} µs for each client and frame where one takes {one:.2f} (1000 clients, 15 inputs a second,",
        f"state 60 Hz, no TLS; programs and load on the same two cores, medians of {len(rounds)} rounds). As long as nothing else is",
        f"short, two therefore carry {carries:.2f}× the clients of one (least {min(each['carries'] for each in rounds):.2f}×).",
    ]  # fmt: skip
    if counted := [each for each in rounds if "fit" in each]:
        one, two, fit = (
            statistics.median(each[name] for each in counted) for name in ("one_fits", "two_fit", "fit")
        )
        lines += [
            f"Counted, with a fifth of a core for each network thread, so that nothing else is short: one carries {one:g} clients,",
            f"two carry {two:g}, {fit:.2f}× as many (least {min(each['fit'] for each in counted):.2f}×); the median client gets 59 of 60 frames a second, the worst one 57.",
        ]  # fmt: skip
    return lines


def setting(row):
    return tuple(row[name] for name in NAMES)


def is_too_much(row):
    """Whether the median client got clearly fewer frames than it should."""
    return row["frames_per_second_median"] < 0.98 * row["hz"]


def is_alone_too_slow(row):
    """Whether an engine that is no bare loop takes all of its core and leaves frames out."""
    return row["engine"] != FLOOR and is_too_much(row)


def full_settings(rows):
    """Settings for which a core is not enough, not even for the bare loop."""
    return {setting(row) for row in rows if row["engine"] == FLOOR and is_too_much(row)}


def capacity(rows):
    """What so many people cost our server, for whoever plans an event."""
    full = full_settings(rows)
    shown = [
        row for row in rows
        if row["engine"] == OURS and row["inputs_per_second"] and setting(row) not in full
    ]  # fmt: skip
    titles = ["clients", "stream", "TLS", "share of a core", "sent, Mbit/s", "memory of the connections, MB"]
    tells_lost = bool(shown) and all("ticks_lost" in row for row in shown)
    if tells_lost:
        titles.append("ticks lost")
    lines = [f"| {' | '.join(titles)} |", "|" + "---|" * len(titles)]
    for row in shown:
        # A header of WebSocket's: four bytes for all frames but the shortest.
        sent = row["clients"] * row["frames_per_second_median"] * (row["payload_bytes"] + 4) * 8 / 1e6
        memory = row["clients"] * row["bytes_per_connection"] / 1e6
        mark = " †" if is_too_much(row) else ""
        lost = f" {row['ticks_lost']:g} |" if tells_lost else ""
        lines.append(
            f"| {row['clients']} | {row['stream']} {row['hz']} Hz{mark} | {'yes' if row['tls'] else 'no'} | {row['core_share']:.0%} | {sent:.{0 if sent >= 100 else 3}{'f' if sent >= 100 else 'g'}} | {memory:.2g} |{lost}"
        )
    too_much = [f"{row['frames_per_second_median']:.1f} of {row['hz']}" for row in shown if is_too_much(row)]
    if too_much:
        lines += ["", f"† More than one core carries: the median client got {', '.join(too_much)} frames a second."]
    lines += [
        "",
        f"Measured by `make bench-fanout` on {processor()}: 1000 stickers in a storm, each client tilts 15 times a second, one network thread,",
        "the world's thread counted in. What TCP and IP add is not counted: about 50 bytes a frame, and 22 more with TLS. Phones have",
        "motion sensors over TLS only, so a hall of them needs its rows; memory is without the kernel's buffers.",
    ]  # fmt: skip
    return "\n".join(lines)


def section(rows, threads, options):
    """All rows as a table."""
    lines = [
        "## Fan-out", "",
        f"Written by `make bench-fanout` at commit {commit()}. {processor()}, {os.cpu_count()} cores, Linux {platform.release()},",
        f"TCP's congestion control {congestion_control()}; load at the end {os.getloadavg()[0]:.1f}. The server has one core and one",
        "network thread, the clients have the other core and never sleep: they look once a millisecond, and their kernel",
        "acknowledges every second frame, so that all of the sender's work is done on its own core, as it is between machines.",
        f"Medians of {options.rounds} rounds of {options.seconds:g} s, engines in turn; ratios are within a round. Ours: {options.bodies} stickers in a storm, strict profile, the processor time of the network thread;",
        "in brackets that of the whole process, with the world's thread. The others send frames of the same mean length (at least eight bytes)",
        "and all that they do counts. Inputs are tilts a second from each client (0: eight clients tilt). *Spread* is from",
        "the first client's frame to each one's of the same tick; *since due* is from the tick's deadline with ours, which",
        "includes the tick, and from the beginning of the loop with the others. Skipped are frames that our server left",
        "out for somebody within the window. Bytes a connection are the server's memory without the kernel's buffers:",
        f"{connections_memory(rows)}. Late",
        "ticks are counted from the server's start, so while everybody joins too. These settings are a selection, which takes an",
        "hour; `ARGS=--matrix` measures three streams with 100 to 5000 clients, with and without TLS, once (the table below).", "",
        *table(rows),
    ]  # fmt: skip
    return "\n".join(lines + scaling(threads))


def matrix(rows, options):
    """Every size of three streams, with and without TLS."""
    lines = [
        "## Fan-out, every size", "",
        f"Written by `make bench-fanout ARGS=--matrix` at commit {commit()}, as the table above: {options.rounds} round of {options.seconds:g} s",
        f"for each setting, all clients tilt 15 times a second. {processor()}, {os.cpu_count()} cores; load at the end {os.getloadavg()[0]:.1f}.",
        "The two tables' machines differ in speed: only ratios compare from one to the other. Bytes a connection, without the",
        f"kernel's buffers: {connections_memory(rows)}.", "",
        *table(rows),
    ]  # fmt: skip
    if options.refusals:
        lines += ["", *map(refusal, options.refusals)]
    return "\n".join(lines)


def refusal(told):
    """A setting that is missing in the table, as the server did not take so many."""
    setting, engine, served = told
    stream, hz = setting.stream.split("-")
    what = f"- {TITLES[engine]}, {stream} {hz} Hz, {setting.clients} clients{' with TLS' if setting.tls else ''}: more than one core carries."
    if engine == OURS:
        return f"{what} It served {served} when it told newcomers that it is too busy; the bare loop refuses nobody and leaves frames out."
    return f"{what} It lost somebody before all had come."


def spread(values):
    """From the least to the most kilobytes of so many bytes, in words."""
    ends = [f"{value / 1000:.1f}" for value in (min(values), max(values))]
    return f"{' to '.join(dict.fromkeys(ends))} kB"


def connections_memory(rows):
    """What a connection takes of our server's memory, with what there is once shared by many and by few."""
    many, few, secure = [], [], []
    for row in rows:
        if row["engine"] == OURS:
            group = secure if row["tls"] else many if row["clients"] >= 500 else few
            group.append(row["bytes_per_connection"])
    told = []
    if many:
        told.append(f"{spread(many)} without TLS, where 4 kB are aimed at")
    if few:
        told.append(f"{spread(few)} among fewer than 500, who share what is there once")
    if secure:
        told.append(f"{spread(secure)} with TLS, most of it OpenSSL's, as with the other programs")
    return "; ".join(told) or "ours did not run"


def table(rows):
    """A line for each setting and engine."""
    lines = [
        "| stream | clients | inputs | TLS | engine | bytes a frame | µs a client and frame | against the bare loop "
        "| spread p50, p99 ms | since due p50, p99 ms | frames a second, least and median client | frames skipped | bytes a connection | late p99 µs "
        "| share of its core, server's and load's |",
        "|" + "---|" * 15,
    ]  # fmt: skip
    full = full_settings(rows)
    for row in rows:
        mark = " †" if setting(row) in full else " ‡" if is_alone_too_slow(row) else ""
        cost = f"{row['cpu_us_per_client_tick']:.2f}"
        late = skipped = "–"
        if row["engine"] == OURS:
            cost += f" ({row['process_us_per_client_tick']:.2f})"
            late, skipped = f"{row['late_p99_us']:g}", f"{row['skipped']:g}"
        ratio = f"{row['ratio_to_floor']:.2f}×" if row.get("ratio_to_floor") else "–"
        lines.append(
            f"| {row['stream']} {row['hz']} Hz{mark} | {row['clients']} | {row['inputs_per_second']:g} "
            f"| {'yes' if row['tls'] else 'no'} | {TITLES[row['engine']]} | {row['payload_bytes']:.0f} | {cost} | {ratio} "
            f"| {row['latency_p50_ms']:.2f}, {row['latency_p99_ms']:.2f} | {row['due_p50_ms']:.2f}, {row['due_p99_ms']:.2f} "
            f"| {row['frames_per_second_least']:.1f}, {row['frames_per_second_median']:.1f} "
            f"| {skipped} | {row['bytes_per_connection']:.0f} | {late} "
            f"| {row['core_share']:.0%}, {row['load_core_share']:.0%} |"
        )
    if full:
        lines += ["", "† One core is too little here, for the bare loop as well: what is left out makes ratios say little."]
    if any(setting(row) not in full and is_alone_too_slow(row) for row in rows):
        lines += ["", "‡ The bare loop gets by with one core here, and this does not: clients miss frames because the sender has no time left."]
    return lines


def viewers(rows, options):
    """What becomes of a crowd of viewers."""
    lines = [
        "## Viewers", "",
        f"Written by `make bench-fanout ARGS='--viewers 1000 2500 5000 10000 --seconds 15'` at commit {commit()}. People who watch by the replica stream",
        f"at 20 Hz while eight of them tilt {options.bodies} stickers; two network threads, and the load on the same {os.cpu_count()} cores.",
        f"Medians of {options.rounds} rounds of {options.seconds:g} s; {processor()}. Ticks late: 99 of 100 began within it. The tick's thread had",
        "real-time priority, as root's has.", "",
        "| viewers | messages a second, least client | ticks late, p99 | since due p50, p99 | server, cores | load, cores |",
        "|---|---|---|---|---|---|",
    ]  # fmt: skip
    for row in rows:
        lines.append(
            f"| {row['clients']} | {row['frames_per_second_least']:.1f} | {row['late_p99_us'] / 1000:.2f} ms"
            f" | {row['due_p50_ms']:.1f}, {row['due_p99_ms']:.1f} ms"
            f" | {row['core_share']:.2f} | {row['load_core_share']:.2f} |"
        )
    return "\n".join(lines)
