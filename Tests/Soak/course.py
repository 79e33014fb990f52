"""The course of a soak: a server is started, everybody comes and goes, and what was seen of it becomes
one report, which `judge` then reads."""

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

from crowd import WHAT_IS_LEFT, Crowd, plan
from judge import fifths, judge
from pitserver import PATIENCE, STICKERPIT, PitServer, until
from sampler import Machine, Sampler, descriptors
from target import Target, health

HERE = Path(__file__).resolve().parent
GUESTS = 8


class Visitors:
    """A process of guests or of hostile senders."""

    def __init__(self, script, target, seconds, count, priority):
        command = [sys.executable, str(HERE / script), "--scheme", target.scheme]
        command += ["--port", target.port, "--seconds", seconds, "--count", count]
        self.process = subprocess.Popen(
            [*priority, *map(str, command)], stdout=subprocess.PIPE, text=True
        )

    def results(self):
        """What they did; None if they ended without a word."""
        out, _ = self.process.communicate(timeout=2 * PATIENCE)
        return json.loads(out) if out else None

    def stop(self):
        self.process.kill()
        self.process.wait()


def soak(options, say):
    """Runs one soak and gives its report with all `faults`."""
    machine = Machine()
    server = PitServer(
        "--bodies", options.bodies, "--seed", options.seed, *options.server_flags,
        program=options.server, environment=options.environment,
        checks_frames=options.checks_frames,
    )  # fmt: skip
    parts = []
    try:
        target = Target(server.scheme, server.port)
        until(lambda: health(target)["tick"] > 60)
        before = settled_descriptors(server)
        say(f"{options.bots} bots for {options.seconds} s at port {server.port}")
        seen = visit(options, server, target, parts, say)
        seen["descriptors"], seen["people_left"] = empty(server, target, before)
        seen |= end(server)
    finally:
        for part in parts:
            part.stop()
        if server.process.poll() is None:
            server.process.kill()
    report = {
        "seconds": options.seconds, "bots": options.bots, "tls": target.scheme == "https",
        "build": options.build, "commit": options.commit, "bodies": options.bodies,
        "judged": {"lateness": options.judges_lateness, "memory": options.judges_memory},
        **seen, "machine": machine.report(),
    }  # fmt: skip
    return report | {"faults": judge(report)}


def visit(options, server, target, parts, say):
    """Everybody at once; gives what they and the samples say."""
    sampler = Sampler(server, target)
    sampler.start()
    # A server with a sanitizer leaves nothing: whoever waits for that does not even answer a ping.
    priority = WHAT_IS_LEFT if options.judges_lateness else ()
    crowd = Crowd(STICKERPIT, server.socket_url, plan(options.bots, options.seconds), priority)
    guests = Visitors("guests.py", target, options.seconds, GUESTS, priority)
    hostile = Visitors("hostile.py", target, options.seconds, 1, priority)
    parts += [crowd, guests, hostile]
    ends = time.monotonic() + options.seconds
    while (left := ends - time.monotonic()) > 0 and server.process.poll() is None:
        time.sleep(min(left, 60))
        if sampler.samples:
            say(progress(sampler.samples[-1]))
    sampler.stop()
    return {
        "crowd": crowd.results(),
        "guests": guests.results(),
        "hostile": hostile.results(),
        "samples": summary(sampler),
        "every_sample": sampler.samples,
    }


def progress(sample):
    return (
        f"{sample['second']:.0f} s: {sample['people']} people, {sample['resident_mb']:.1f} MB,"
        f" {sample['descriptors']} descriptors, {sample['late_p99_ms']} ms late at p99"
    )


def summary(sampler):
    """The samples in few numbers. Lateness is that of sliding windows, half a minute to a minute long,
    one each second."""
    samples = sampler.samples
    told = {"count": len(samples), "faults": sampler.faults}
    told["most_people"] = max((sample["people"] for sample in samples), default=0)
    if len(samples) < 5:
        return told
    first, last = samples[0], samples[-1]
    computed = last["processor_seconds"] - first["processor_seconds"]
    return told | {
        "resident_mb": fifths([sample["resident_mb"] for sample in samples]),
        "descriptors": fifths([sample["descriptors"] for sample in samples]),
        "late_p99_ms": spread(samples, "late_p99_ms"),
        "took_p99_ms": spread(samples, "took_p99_ms"),
        "server_processors": round(computed / (last["second"] - first["second"]), 3),
    }


def spread(samples, key):
    values = [sample[key] for sample in samples]
    return {"median": round(statistics.median(values), 3), "worst": max(values)}


def settled_descriptors(server):
    """How many are open once the visits that asked for its health are over."""
    counts = [descriptors(server.process.pid)]

    def is_steady():
        counts.append(descriptors(server.process.pid))
        return len(counts) > 20 and len(set(counts[-20:])) == 1

    until(is_steady)
    return counts[-1]


def empty(server, target, before):
    """Waits until nobody is left and no more descriptors are open than before; gives the counts of
    descriptors and of people as they are in the end."""
    ends = time.monotonic() + PATIENCE
    people = None

    def goes_on():
        return time.monotonic() < ends and server.process.poll() is None

    while goes_on() and people != 0:
        people = health(target)["people"]
        time.sleep(0.5)
    # Nobody asks any more: each visit that does is open for a moment itself.
    after = None
    while goes_on() and (after := descriptors(server.process.pid)) > before:
        time.sleep(0.5)
    return {"before": before, "after": after}, people


def end(server):
    """Tells the server to end. What it said is read to its last line."""
    crashed = server.process.poll() is not None
    lost = None if crashed else health(Target(server.scheme, server.port))
    code = server.stop()
    return {
        "crashed": crashed,
        "exit": code,
        "log": server.lines,
        "ticks": lost and lost["tick"],
        "ticks_lost": lost and lost["ticks_lost"],
        "late_p99_ms": lost["late"]["p99"] / 1000 if lost else float("nan"),
        "closed": lost and lost["closed"],
    }
