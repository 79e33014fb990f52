"""Servers of one world on loopback, lines between them and NATS, and who looks on at them; what the
tests of faults share."""

import json
import signal
import time

from lossy import Line
from natslog import SharedLog
from onlooker import Onlooker, Stalls
from pitserver import PATIENCE, PitServer, until
from test_cluster import MACHINE, Bots, Cluster, metrics, worlds_agree

# People at a server where somebody looks on, but for the onlooker.
BOTS = 2


class World(Cluster):
    """Servers of one world, lines between them and NATS, and who looks on at them."""

    def __init__(self, nats):
        super().__init__(nats)
        self.log = SharedLog(nats)
        self._stalls = Stalls()
        self._lines, self._bots = [], []
        # By their server's port, which it keeps when it is started again: who looks on there, and
        # how many people there are.
        self.onlookers, self._people = {}, {}
        # And the line to NATS, if it has one.
        self._ways = {}

    def line(self, **options):
        self._lines.append(Line(self.nats.port, **options))
        return self._lines[-1]

    def start(self, *flags, part="serve", line=None, port=0):
        url = line.url if line else self.nats.url
        flags = ["--nats", url, "--world", "test", *flags]
        server = PitServer(*flags, part=part, port=port)
        self.servers.append(server)
        self._ways[server.port] = line
        return server

    def start_as_service(self, *flags, **options):
        """Starts it until it runs, as its service would: NATS servers that have yet to agree on who
        leads a new stream may take longer to answer than a server waits."""

        def started():
            try:
                return self.start(*flags, **options)
            except RuntimeError as error:
                assert "NATS at" in str(error), error

        return until(started)

    def edge(self, **options):
        return self.start(part="edge", **options)

    def look_on(self, *servers, bots=BOTS):
        """Has bots and an onlooker follow the log at each of these until the end."""
        for server in servers:
            if bots:
                # They go on until they are told to end: a slow machine takes its time.
                self._bots.append(Bots(server, 1000, count=bots))
            self.onlookers[server.port] = Onlooker(server)
            self._people[server.port] = bots + 1
        until(self.are_all_here)

    def resumes(self, server, held, since):
        """Seconds from then until the one who looks on there is shown a tick after the one at which
        the world stood."""
        onlooker = self.onlookers[server.port]
        until(lambda: onlooker.newest > held, every=0.01)
        return time.monotonic() - since

    @property
    def running(self):
        return [server for server in self.servers if server.process.poll() is None]

    def serve_again(self):
        """Starts again who ended because somebody else leads, as its service would: on a machine
        with too much to do, that may happen to a leader of which nobody heard for a second."""
        ports = {server.port for server in self.running}
        for server in list(self.servers):
            if server.process.poll() == 1 and server.port not in ports:
                self.start("--standby", line=self._ways[server.port], port=server.port)

    def states(self):
        """What the metrics of all say; None unless one and the same leads for all."""
        self.serve_again()
        try:
            states = {server: metrics(server) for server in self.running}
        except OSError:
            # One that leads no more was about to end.
            return None
        terms = {state["epoch"] for state in states.values()}
        leaders = sum(state['role{role="leader"}'] for state in states.values())
        return states if leaders == len(terms) == 1 else None

    def leader(self, standbys=0):
        """Who leads, while so many at least stand by; None if nobody does."""
        states = self.states() or {}
        if sum(state['role{role="standby"}'] for state in states.values()) < standbys:
            return None
        return next((one for one in states if states[one]['role{role="leader"}'] == 1), None)

    def are_all_here(self):
        return all(
            server.health()["people"] == self._people.get(server.port, 0) for server in self.running
        )

    def agrees(self):
        """Whether one leads, all tell the same world of the same tick, and everybody is here."""
        try:
            return self.states() and worlds_agree(*self.running) and self.are_all_here()
        except OSError:
            # One was about to end, or is behind: it lacks the tick, or others have it no more.
            return False

    def end(self, fault, standstill, bound, errors=0, **more):
        """Holds what was shown against the log, prints the figures and `more` of them, and judges
        them. `bound` is how long the world may have stood still, `errors` how many bots may have
        had because their server was gone."""
        until(self.agrees)
        reports = []
        for bots in self._bots:
            bots.process.send_signal(signal.SIGTERM)
            reports.append(bots.report())
        for onlooker in self.onlookers.values():
            onlooker.stop()
        self.log.read()
        states = list(until(self.states).values())
        onlookers = self.onlookers.values()
        figures = {
            "fault": fault,
            "standstill_s": round(standstill, 2),
            "machine_stall_s": round(self._stalls.longest, 2),
            "ticks_lost": sum(one.lost(self.log) + one.changed for one in onlookers),
            "ticks_shown": sum(len(one.records) for one in onlookers),
            "reconnects": sum(one.reconnects for one in onlookers),
            "bot_errors": sum(report["errors"] for report in reports),
            "nats_disconnects": sum(int(state["disconnects_total"]) for state in states),
            "rejoins": sum(int(state["rejoins_total"]) for state in states),
            "mismatches": sum(report["mismatches"] for report in reports)
            + sum(int(state["mismatches_total"]) for state in states),
            "epoch": int(states[0]["epoch"]),
        } | {name: round(value, 2) for name, value in more.items()}
        print("\n" + json.dumps(figures))
        assert standstill < bound + MACHINE * self._stalls.longest, figures
        assert figures["ticks_lost"] == figures["mismatches"] == 0, figures
        assert figures["bot_errors"] <= errors, [report["messages"] for report in reports]
        for report in reports:
            assert report["gaps"] == report["keyframe_requests"] == 0, report
            assert report["hashes_compared"] > 0, report
        assert all(state["malformed_total"] == 0 for state in states)
        return figures

    def stop(self):
        self._stalls.stop()
        for onlooker in self.onlookers.values():
            onlooker.stop()
        for bots in self._bots:
            if bots.process.poll() is None:
                bots.process.kill()
                bots.process.communicate()
        super().stop()
        for line in self._lines:
            line.close()


def kill(server):
    server.process.kill()
    server.process.wait(timeout=PATIENCE)


def pass_by(server, ticks):
    """Waits until so many more ticks were shown."""
    server.wait_for_tick(server.health()["tick"] + ticks)


def stands_at(server):
    """The tick of a server whose world has not moved for half a second; None if it does."""
    tick = server.health()["tick"]
    time.sleep(0.5)
    return tick if server.health()["tick"] == tick else None
