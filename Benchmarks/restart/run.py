#!/usr/bin/env python3
"""How long it takes until everybody is back after the server was restarted: a crowd follows
one server, which is asked to end (SIGTERM) and started again. Prints JSON, one object a run, and
writes the section "Restart" of BENCHMARKS.md.

Everything runs on this machine, so clients that cost little (`crowd.c`): `stickerpit bots` take more
of it than the server does. All are behind one address, which is the worst case for the budgets of
addresses.
"""
import argparse
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks"))
from report import processor, replace_section  # noqa: E402

STICKERPIT = os.environ.get("STICKERPIT", str(ROOT / ".build/release/stickerpit"))
PATIENCE = 120
# What is promised: how long an end in order takes at most, and until everybody is back.
EXIT_S, BACK_S = 5, 15


def until(condition, every=0.05):
    ends = time.monotonic() + PATIENCE
    while not (found := condition()):
        if time.monotonic() > ends:
            raise SystemExit("it never came to that")
        time.sleep(every)
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def compile_crowd(folder):
    """Builds the clients into `folder`."""
    sources = ["restart/crowd.c", "fanout/client.c"]
    program = f"{folder}/crowd"
    command = ["gcc", "-O2", "-Wall", "-Wextra", "-o", program, *sources, "-lssl", "-lcrypto"]
    subprocess.run(command, check=True, cwd=ROOT / "Benchmarks")
    return program


class Server:
    def __init__(self, port, count, key, tls, threads):
        self.port = port
        self.tls = tls
        command = [
            STICKERPIT, "serve", "--host", "127.0.0.1", "--port", port, "--web", ROOT / "web",
            "--token-key-file", key, "--max-per-address", max(512, count + 10),
        ]  # fmt: skip
        if threads:
            command += ["--network-threads", threads]
        if tls:
            command += ["--tls-cert", ROOT / ".run/tls/certificate.pem"]
            command += ["--tls-key", ROOT / ".run/tls/key.pem"]
        self.process = subprocess.Popen([*map(str, command)], stderr=subprocess.DEVNULL)

    def health(self):
        """The health page, or None while nobody answers."""
        context = None
        if self.tls:
            import ssl

            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        url = f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}/healthz"
        try:
            with urllib.request.urlopen(url, timeout=5, context=context) as answer:
                return json.load(answer)
        except (urllib.error.URLError, OSError):
            return None

    def people(self):
        health = self.health()
        return health["people"] if health else 0


def run(options, crowd, count, tls, away):
    """One restart: the server is not there for `away` seconds at least."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        key = Path(folder) / "token.key"
        key.write_bytes(os.urandom(32))
        key.chmod(0o600)
        before = Server(port, count, key, tls, options.threads)
        stack.callback(before.process.kill)
        until(before.health)
        command = [crowd, "--port", port, "--clients", count, "--hz", options.rate]
        command += ["--tls"] if tls else []
        people = subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, text=True)
        stack.callback(people.kill)
        until(lambda: before.people() == count, every=0.2)
        time.sleep(2)
        began = time.monotonic()
        before.process.send_signal(signal.SIGTERM)
        code = before.process.wait(timeout=PATIENCE)
        ended = time.monotonic()
        time.sleep(max(0, away - (ended - began)))
        after = Server(port, count, key, tls, options.threads)
        stack.callback(after.process.kill)
        until(after.health, every=0.02)
        there = time.monotonic()
        until(lambda: after.people() >= count)
        back = time.monotonic()
        time.sleep(2)
        late = after.health()["late"]["p99"]
        people.send_signal(signal.SIGTERM)
        report = json.loads(people.communicate(timeout=PATIENCE)[0])
        after.process.send_signal(signal.SIGTERM)
        after.process.wait(timeout=PATIENCE)
    result = {
        "clients": count, "tls": tls, "away_s": away, "exit_code": code,
        "exit_s": round(ended - began, 2), "there_s": round(there - began, 2),
        "back_s": round(back - began, 2), "back_after_there_s": round(back - there, 2),
    }  # fmt: skip
    result |= report
    if late:
        result["late_us"] = late
    print(json.dumps(result), flush=True)
    return result


def broken(result):
    """What of the promises was not kept, in words."""
    faults = []
    if result["exit_code"] != 0 or result["exit_s"] > EXIT_S:
        faults.append(f"it ended with {result['exit_code']} after {result['exit_s']} s, of {EXIT_S}")
    if result["resumed"] != result["clients"] or result["lost"] or result["away"]:
        faults.append(f"{result['resumed']} of {result['clients']} are the same people again")
    if result["back_after_there_s"] > BACK_S:
        faults.append(f"the last one was back after {result['back_after_there_s']} s, of {BACK_S}")
    return faults


def section(results, rate):
    lines = [
        "## Restart",
        "",
        f"Clients follow the state stream at {rate} Hz from a server that gets SIGTERM and is started again with the same token",
        f"key, all from one address, clients and server on the same {os.cpu_count()} processors (`make bench-restart`), {processor()}.",
        "Network threads: one for each processor. Where there is one only, those who come by TLS are spread over 16 s, because it",
        "does 250 handshakes a second. They take their TLS sessions up, as browsers do. *Away*: for how long nobody listens at least. *Back*: until the last one was welcomed, from the signal and from when",
        "the new server answered. *Not told*: who was cut off before it had heard when to come back.",
        "",
        "| Clients | TLS | Away | Exit | Back | Back after it was there | Same person | Lost | Not told | TLS sessions taken up |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for one in results:
        lines.append(
            f"| {one['clients']} | {'yes' if one['tls'] else 'no'} | {one['away_s']} s "
            f"| {one['exit_code']} after {one['exit_s']} s | {one['back_s']} s "
            f"| {one['back_after_there_s']} s | {one['resumed']} | {one['lost']} | {one['not_told']} "
            f"| {one['tls_sessions_resumed'] if one['tls'] else '–'} |"
        )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--counts", default="100,1000,4000", help="clients, parted by commas")
    parser.add_argument("--rate", type=int, default=10, help="frames a second of each")
    parser.add_argument("--away", default="0,20", help="seconds, parted by commas")
    parser.add_argument("--threads", type=int, help="network threads of the server")
    parser.add_argument("--tls", action="store_true", help="with TLS too ('make certificate')")
    parser.add_argument("--keep", action="store_true", help="leave BENCHMARKS.md as it is")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        crowd = compile_crowd(folder)
        results = [
            run(options, crowd, int(count), tls, float(away))
            for tls in ([False, True] if options.tls else [False])
            for count in options.counts.split(",")
            for away in options.away.split(",")
        ]
    if not options.keep:
        replace_section("restart", section(results, options.rate))
    if faults := [fault for result in results for fault in broken(result)]:
        raise SystemExit("not as promised: " + "; ".join(faults))


if __name__ == "__main__":
    main()
