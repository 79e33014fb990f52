#!/usr/bin/env python3
"""What it costs our server to fan frames out to many WebSocket clients, beside a bare loop of epoll
and send, libwebsockets as its tutorials use it, and uWebSockets if UWEBSOCKETS names a folder with
its sources. Prints JSON, one object a line, and writes the section "Fan-out" of BENCHMARKS.md.

The server has one core, the load another. Ours runs a storm of stickers: the clients' tilts swing in
phase. The peers send frames that are as long as ours were on average in the same round, at the same
rate, and get the same tilts. Engines take turns; figures are medians of the rounds.

Without flags it takes about an hour; --matrix, which measures every size once, takes about forty
minutes; --full takes several.
"""
import argparse
import collections
import itertools
import json
import subprocess
import sys
import tempfile

import engines
import narrow
from engines import FLOOR, NETWORK_THREAD, OURS, Ours, Peer, cores, on_core

sys.path.insert(0, str(engines.HERE.parent))
from report import replace_section  # noqa: E402
from section import capacity, matrix, medians, section, viewers  # noqa: E402

# stream: its kind and rate, such as state-60. inputs: tilts a second from each client; with 0, eight
# clients tilt, so that the storm goes on.
Setting = collections.namedtuple("Setting", "stream clients inputs tls")
QUICK = [
    Setting("state-60", 100, 15, False),
    Setting("state-60", 500, 15, False),
    Setting("state-60", 1000, 15, False),
    Setting("state-60", 1000, 0, False),
    Setting("state-60", 2000, 15, False),
    Setting("state-60", 2000, 0, False),
    Setting("replica-60", 1000, 15, False),
    Setting("replica-20", 1000, 15, False),
    Setting("state-20", 2000, 15, False),
    Setting("replica-20", 2000, 15, False),
    # More than a core can send sixty times a second.
    Setting("state-20", 5000, 15, False),
    Setting("state-60", 500, 15, True),
    Setting("state-60", 1000, 15, True),
]
STREAMS = ["state-60", "state-20", "replica-60", "replica-20"]
SIZES = [100, 500, 1000, 2000, 5000]
MATRIX = [
    Setting(*values)
    for values in itertools.product(["state-60", "replica-60", "replica-20"], SIZES, [15], [False, True])
]
FULL = [Setting(*values) for values in itertools.product(STREAMS, SIZES, [15, 0], [False, True])]


def record(**values):
    print(json.dumps(values), flush=True)
    return values


def first_clients(setting):
    """How many come first and go again: with them the server gets the memory in which it puts frames
    together. It needs that for few clients as for many, so it is not counted as the connections'."""
    return max(1, min(max(4, setting.clients // 10), setting.clients // 2))


def load_commands(folder, server, setting, stream, hz, options, spins=True):
    """Two runs of the load: a tenth of the clients for a moment, and the one that counts."""
    command = [
        f"{folder}/load", "--port", server.port, "--clients", setting.clients, "--stream", stream,
        "--hz", hz, "--tilt-hz", setting.inputs or 15, "--connects", 200 if setting.tls else 1000,
        "--patience", 60 + setting.clients / 50,
    ]  # fmt: skip
    if spins:
        command += ["--spin"]
    if not setting.inputs:
        command += ["--tilters", 8]
    if setting.tls:
        command += ["--tls"]
    # Whoever joins the state stream comes into step within 8 s, if it misses no frame meanwhile.
    warmup = {"state": 10, "replica": 2, "stamp": 1}[stream]
    window = ["--warmup", warmup, "--seconds", options.seconds]
    some = first_clients(setting)
    first = ["--clients", some, "--connects", some / 2, "--warmup", 1, "--seconds", 0.1]
    return [[str(word) for word in command + more] for more in (first, window)]


class Refused(RuntimeError):
    """The server told a newcomer that it is too busy, or lost somebody, before all were served."""

    def __init__(self, served):
        super().__init__(f"the server refused or lost somebody when it served {served}")
        self.served = served


def watch(server, commands, core):
    """Runs the load. Returns what it counted, and what the server did in its window."""
    first, command = commands
    with on_core(core):
        subprocess.run(first, check=False, stdout=subprocess.DEVNULL)
        resident = server.resident_bytes()
        load = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    seen = {}
    for line in load.stdout:
        values = json.loads(line)
        if values["event"] == "refused":
            load.wait()
            raise Refused(values["served"])
        if values["event"] in ("begin", "end"):
            # At the end everybody stays for another half second.
            seen[values["event"]] = (
                server.processor_seconds(), server.health(), server.resident_bytes()
            )  # fmt: skip
            counted = values
    if load.wait() != 0 or "end" not in seen:
        raise RuntimeError("the load failed; it says why above")
    (before, health, _), (after, later, grown) = seen["begin"], seen["end"]
    spent = {name: after[name] - before.get(name, 0) for name in after}
    grown -= resident
    moved = {
        name: later[name] - health[name]
        for name in ("skipped", "catch_ups", "keyframes", "ticks_lost", "snapshots") if name in later
    }
    return counted, spent, grown, moved, later


def measure(engine, server, setting, commands, core, threads=1):
    """One run's figures."""
    counted, spent, grown, moved, health = watch(server, commands, core)
    stream, hz = setting.stream.split("-")
    frames = max(counted["frames"], 1)
    process = sum(spent.values())
    fanning = spent[NETWORK_THREAD] if engine == OURS else process
    result = {
        "engine": engine, "clients": setting.clients, "stream": stream, "hz": int(hz),
        "threads": threads, "tls": setting.tls, "inputs_per_second": setting.inputs,
        "payload_bytes": round(counted["payload_bytes"] / frames, 1),
        # By frames that arrived: whoever leaves some out must not look cheaper for it.
        "cpu_us_per_client_tick": round(fanning / frames * 1e6, 3),
        "process_us_per_client_tick": round(process / frames * 1e6, 3),
        "core_share": round(process / counted["seconds"], 3),
        # Since the first client had the frame; since the tick was due, or a peer's loop began.
        "latency_p50_ms": counted["spread_p50_ms"], "latency_p99_ms": counted["spread_p99_ms"],
        "due_p50_ms": counted["due_p50_ms"], "due_p99_ms": counted["due_p99_ms"],
        # The kernel's buffers are not in it, which are the same for all.
        "bytes_per_connection": round(grown / max(1, setting.clients - first_clients(setting))),
        "frames_per_second_least": counted["frames_per_second_least"],
        "frames_per_second_median": counted["frames_per_second_median"],
        "clients_behind": counted["clients_behind"],
        "gone": counted["gone"], "load_core_share": counted["load_processor"],
        "late_p99_us": health["late"]["p99"] if health else None,
    }  # fmt: skip
    if engine == OURS:
        result |= {"slowed": counted["slowed"], **moved}
    if counted["load_processor"] > 0.85:
        print("fanout: the load itself was busy all the time; take fewer clients", file=sys.stderr)
    return result


def run_round(setting, programs, folder, certificate, options):
    """All engines once, ours first: it says how long the frames are."""
    server_core, load_core = cores()
    certificate = certificate if setting.tls else None
    stream, hz = setting.stream.split("-")
    size = options.size
    results = []
    for engine in [OURS, *programs]:
        if engine not in options.engines:
            continue
        if engine == OURS:
            server = Ours(server_core, options.bodies, certificate, setting.clients)
        else:
            # A stamp takes eight bytes; most records are shorter, which costs the kernel the same.
            server = Peer(programs[engine], server_core, max(8, size), hz, certificate)
        try:
            kind = stream if engine == OURS else "stamp"
            commands = load_commands(folder, server, setting, kind, hz, options)
            results.append(measure(engine, server, setting, commands, load_core))
        except Refused as error:
            record(engine=engine, error=str(error), **setting._asdict())
            options.refusals.append((setting, engine, error.served))
        except RuntimeError as error:
            record(engine=engine, error=str(error), **setting._asdict())
        finally:
            server.stop()
        if engine == OURS and results:
            size = round(results[-1]["payload_bytes"])
    floor = next((r["cpu_us_per_client_tick"] for r in results if r["engine"] == FLOOR), None)
    for result in results:
        result["ratio_to_floor"] = floor and round(result["cpu_us_per_client_tick"] / floor, 3)
    return results


def run_threads(folder, options):
    """What two network threads cost for each client, beside one. All programs share all cores, as
    there is no third one for the load: what counts is the processor time of a frame."""
    setting = Setting("state-60", 1000, 15, False)
    results = []
    for threads in 1, 2:
        server = Ours(None, options.bodies, None, setting.clients, threads)
        try:
            commands = load_commands(folder, server, setting, "state", "60", options, spins=False)
            results.append(measure(OURS, server, setting, commands, None, threads))
        finally:
            server.stop()
    one, two = (each["cpu_us_per_client_tick"] for each in results)
    return {"one_us": one, "two_us": two, "carries": round(2 * one / two, 3)}


def run_narrow(folder, options):
    """How many clients one and two network threads carry, each on a part of a core."""
    fits = {}
    for threads in 1, 2:

        def serve(server, clients, threads=threads):
            setting = Setting("state-60", clients, 15, False)
            commands = load_commands(folder, server, setting, "state", "60", options, spins=False)
            for command in commands:
                command += ["--connects", str(narrow.CONNECTS)]
            return measure(OURS, server, setting, commands, None, threads)

        def start(clients, threads=threads):
            return Ours(None, options.bodies, None, clients, threads)

        fits[threads] = narrow.carried(start, serve, threads)
        assert fits[threads] > 0, "a fifth of a core carries somebody"
        print(f"{threads} network threads, {narrow.SHARE} of a core each: {fits[threads]}", file=sys.stderr)
    return {"one_fits": fits[1], "two_fit": fits[2], "fit": round(fits[2] / fits[1], 3)}


def run_viewers(folder, options, clients):
    """Viewers of the replica stream at 20 Hz, two network threads; all on the same two cores."""
    setting = Setting("replica-20", clients, 0, False)
    server = Ours(None, options.bodies, None, clients, 2)
    try:
        commands = load_commands(folder, server, setting, "replica", "20", options, spins=False)
        return measure(OURS, server, setting, commands, None, 2)
    finally:
        server.stop()


def choose(options):
    """The settings: those of the flags, or the quick ones, or all."""
    if options.full:
        return FULL
    if options.matrix:
        return MATRIX
    given = [options.streams, options.clients, options.inputs, options.tls]
    if not any(given):
        return QUICK
    defaults = [["state-60"], [1000], [15], ["off"]]
    values = [mine or default for mine, default in zip(given, defaults)]
    values[3] = [word == "on" for word in values[3]]
    return [Setting(*each) for each in itertools.product(*values)]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clients", type=int, nargs="+", help="such as 1000 2000")
    parser.add_argument("--streams", nargs="+", choices=STREAMS)
    parser.add_argument("--inputs", type=float, nargs="+", help="tilts a second from each client")
    parser.add_argument("--tls", nargs="+", choices=["off", "on"])
    parser.add_argument("--engines", nargs="+", choices=list(engines.TITLES))
    parser.add_argument("--rounds", type=int, help="3, or 1 of the matrix")
    parser.add_argument("--seconds", type=float, default=5, help="of a window")
    parser.add_argument("--bodies", type=int, default=1000, help="stickers in our pit")
    parser.add_argument("--size", type=int, default=1024, help="of the peers' frames, if ours does not run")
    parser.add_argument("--matrix", action="store_true", help="every size of three streams, with and without TLS")
    parser.add_argument("--full", action="store_true", help="every setting; takes hours")
    parser.add_argument("--threads", action="store_true", help="only one and two network threads")
    parser.add_argument(
        "--viewers", type=int, nargs="+", help="only viewers on two threads, such as 2500 5000"
    )
    parser.add_argument("--no-report", action="store_true", help="leave BENCHMARKS.md alone")
    options = parser.parse_args()
    options.rounds = options.rounds or (1 if options.matrix else 3)
    options.refusals = []
    results, threads = [], []
    with tempfile.TemporaryDirectory() as folder:
        programs = engines.compile_all(folder)
        if options.viewers:
            return measure_viewers(folder, options)
        options.engines = options.engines or [OURS, *programs]
        certificate = engines.certificate(f"{folder}/tls")
        settings = [] if options.threads else choose(options)
        # Rounds are the outer loop, so that a minute in which the machine is busy hits one round of
        # everything and not everything of one setting.
        for number in range(options.rounds):
            for setting in settings:
                print(f"round {number + 1}:", *setting, file=sys.stderr)
                for result in run_round(setting, programs, folder, certificate, options):
                    results.append(record(round=number + 1, **result))
            if options.threads or settings == QUICK:
                counted = run_narrow(folder, options) if narrow.is_possible() else {}
                threads.append(record(round=number + 1, **run_threads(folder, options), **counted))
    summary = [record(rounds=options.rounds, **row) for row in medians(results)]
    if options.no_report or not summary:
        return
    if options.matrix:
        replace_section("fanout matrix", matrix(summary, options))
    else:
        replace_section("fanout", section(summary, threads, options))
    if settings == QUICK:
        replace_section("capacity", capacity(summary), engines.ROOT / "README.md")


def measure_viewers(folder, options):
    results = [
        record(round=number + 1, **run_viewers(folder, options, clients))
        for number in range(options.rounds)
        for clients in options.viewers
    ]
    summary = [record(rounds=options.rounds, **row) for row in medians(results)]
    if not options.no_report:
        replace_section("viewers", viewers(summary, options))


if __name__ == "__main__":
    main()
