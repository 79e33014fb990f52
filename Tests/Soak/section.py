"""A soak's report in words: a line each on standard error, and a section of BENCHMARKS.md."""


def total(report, key):
    return sum(group["report"][key] for group in report["crowd"] if group["report"])


def verdict(report):
    return "passed" if not report["faults"] else f"FAILED, {len(report['faults'])} faults"


def windows(report, key):
    seen = report["samples"].get(key)
    return f"{seen['median']:.2f} ms in the median window, {seen['worst']:.2f} in the worst" if seen else "–"


def machine(report):
    seen = report["machine"]
    words = (
        f"{seen['processors']} processors, of which the server took {report['samples'].get('server_processors')},"
        f" all of the soak {seen['own']}, others {seen['others']} and the host {seen['steal']}"
    )
    # A tenth of a processor is what a quiet machine's own housekeeping takes at most.
    return words + ("" if seen["others"] + seen["steal"] < 0.1 else ": it was loaded by others")


def rows(report):
    """Pairs of what was looked at and what was seen."""
    samples, count = report["samples"], total
    yield "verdict", verdict(report)
    yield "people", f"{report['bots']} bots for {report['seconds']} s, {samples['most_people']} at once at most"
    yield "checked", (
        f"{count(report, 'frames')} frames and ticks, {count(report, 'hashes_compared')} hashes:"
        f" {count(report, 'errors')} errors, {count(report, 'mismatches')} mismatches, {count(report, 'gaps')} gaps"
    )
    yield "sent", f"{count(report, 'sent')} tilts, drops, throws, grabs, moves and words"
    yield "came back", f"{count(report, 'reconnects')} bots, guests: {counts(report['guests'])}"
    yield "hostile", counts(report["hostile"])
    if "resident_mb" in samples:
        yield "memory by fifths, MB", ", ".join(f"{value:.1f}" for value in samples["resident_mb"])
        yield "descriptors by fifths", ", ".join(f"{value:g}" for value in samples["descriptors"])
    held = report["descriptors"]
    yield "descriptors before and after", f"{held['before']}, {held['after']}"
    yield "ticks late at p99", (
        f"{report['late_p99_ms']:.2f} ms of the whole run, {windows(report, 'late_p99_ms')};"
        f" {report['ticks_lost']} of {report['ticks']} lost"
    )
    yield "ticks took at p99", windows(report, "took_p99_ms")
    yield "machine", machine(report)


def counts(found):
    return ", ".join(f"{name} {count}" for name, count in found["counts"].items()) if found else "no report"


def summary(report):
    lines = [f"soak: {name}: {words}" for name, words in rows(report)]
    return "\n".join(lines + [f"soak: FAULT: {fault}" for fault in report["faults"]])


def sentence(report):
    """Of a run with a sanitizer only what it found: it slows everything down."""
    found = "".join(f"\n- {fault}" for fault in report["faults"][:10])
    attacks = sum(report["hostile"]["counts"].values()) if report["hostile"] else 0
    return (
        f"Under the {report['build']} sanitizer (`make soak-{report['build']}`), every frame decoded by the server"
        f" itself as well, at commit {report['commit']}: {verdict(report)}.\n{report['bots']} bots for {report['seconds']} s,"
        f" {total(report, 'frames')} frames and ticks, {total(report, 'hashes_compared')} hashes,"
        f" {total(report, 'mismatches')} mismatches, {attacks} attacks.{found}"
    )


def section(report):
    lines = [
        "## Soak", "",
        f"Written by `make soak-server` at commit {report['commit']}: one server{' that speaks TLS' if report['tls'] else ''} and"
        f" {report['bodies']} stickers at the start,", "everybody else on the same machine. What fails it, and why,"
        " stands in `Tests/Soak/judge.py`.", "",
        "| | |", "|---|---|", *(f"| {name} | {words} |" for name, words in rows(report)),
        *(f"| fault | {fault.replace('|', '/')} |" for fault in report["faults"][:10]),
    ]  # fmt: skip
    return "\n".join(lines)
