#!/usr/bin/env python3
"""Soaks a real server: hundreds of bots, people who come and go, and hostile senders, all at once over
real sockets. Prints the report as one JSON object, a summary on standard error, and writes its part of the
section "Soak" of BENCHMARKS.md. Ends with 1 if anything was wrong, whatever it was; `judge.py` says what is.

`make soak-server`, `make soak-thread` and `make soak-address` run it."""

import argparse
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "Tests"), str(ROOT / "Tests/Interop"), str(ROOT / "Benchmarks")]

from course import soak  # noqa: E402
from pitserver import STICKERPIT  # noqa: E402
from report import commit, replace_section  # noqa: E402
from section import section, sentence, summary  # noqa: E402


def environment(sanitizer, server):
    """What a build with a sanitizer is started with."""
    # Swift's own crash report would stand in the sanitizers' way.
    quiet = {"SWIFT_BACKTRACE": "enable=no"}
    if sanitizer == "address":
        return quiet | {"ASAN_OPTIONS": "detect_leaks=1"}
    mutex = Path(server).absolute().parent.parent / "mutex.so"
    if not mutex.exists():
        raise SystemExit(f"soak: {mutex} is missing: 'make soak-thread' builds it from mutex.c")
    # The server goes on after a race, so that one run finds all of them, and ends with this code.
    return quiet | {"TSAN_OPTIONS": "exitcode=66", "LD_PRELOAD": str(mutex)}


def parsed():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bots", type=int, default=300)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--bodies", type=int, default=200, help="stickers at the start")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--server", default=STICKERPIT, help="the build that is soaked")
    parser.add_argument(
        "--sanitizer", choices=["thread", "address"],
        help="what that build was built with: it slows ticks down and keeps freed memory, so neither"
        " lateness nor growth is judged",
    )  # fmt: skip
    parser.add_argument(
        "--short", action="store_true",
        help="a run too short to judge lateness and growth by, for tests of the soak itself",
    )
    parser.add_argument("--tls-cert")
    parser.add_argument("--tls-key")
    parser.add_argument("--no-report", action="store_true", help="leave BENCHMARKS.md alone")
    options = parser.parse_args()
    options.build = options.sanitizer or "release"
    # Of the sources as they are now: somebody may go on working while it runs.
    options.commit = commit()
    options.environment = options.sanitizer and environment(options.sanitizer, options.server)
    options.judges_lateness = options.judges_memory = not (options.sanitizer or options.short)
    # A server that decodes what it sends, for each client anew, takes three times the processor, and its
    # lateness says nothing of a real one's. Where lateness is judged, only bots decode and compare.
    options.checks_frames = not options.judges_lateness
    options.server_flags = []
    if options.tls_cert:
        options.server_flags = ["--tls-cert", options.tls_cert, "--tls-key", options.tls_key]
    return options


def main():
    options = parsed()
    report = soak(options, say=lambda words: print(f"soak: {words}", file=sys.stderr, flush=True))
    print(json.dumps(report), flush=True)
    print(summary(report), file=sys.stderr)
    if not options.short and not options.no_report:
        if options.sanitizer:
            replace_section(f"soak {options.sanitizer}", sentence(report))
        else:
            replace_section("soak", section(report))
    sys.exit(1 if report["faults"] else 0)


if __name__ == "__main__":
    main()
