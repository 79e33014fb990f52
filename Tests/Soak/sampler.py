"""What is seen of the server and of the machine each second, from outside."""

import os
import pathlib
import re
import resource
import threading
import time

from target import metric, page

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
LATENESS = 'stickerpit_tick_lateness_seconds{quantile="0.99"'
DURATION = 'stickerpit_tick_duration_seconds{quantile="0.99"'


def resident_mb(pid):
    """What the process has of its own in memory. Pages of its libraries are left out: they come in
    whenever code runs for the first time, and are no growth."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"^RssAnon:\s+(\d+) kB$", status, re.MULTILINE)[1]) / 1000


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


class Machine:
    """Processor time since this was made: of everybody, of this soak, and what the host took."""

    def __init__(self):
        self.began, self.first, self.own = time.monotonic(), self._all(), self._own()

    @staticmethod
    def _all():
        names = "user nice system idle iowait irq softirq steal".split()
        with open("/proc/stat") as file:
            return dict(zip(names, map(int, file.readline().split()[1:])))

    @staticmethod
    def _own():
        """Of this process and of all its children that it has waited for."""
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(each.ru_utime + each.ru_stime for each in used)

    def report(self):
        """In processors: how many there are, what the soak, others and the host took of them. To be
        asked when all processes of the soak have ended."""
        seconds = time.monotonic() - self.began
        spent = {name: value - self.first[name] for name, value in self._all().items()}
        busy = sum(spent[name] for name in ("user", "nice", "system", "irq", "softirq"))
        own = (self._own() - self.own) / seconds
        return {
            "processors": os.cpu_count(),
            "own": round(own, 2),
            "others": round(max(0, busy / TICKS_PER_SECOND / seconds - own), 2),
            "steal": round(spent["steal"] / TICKS_PER_SECOND / seconds, 3),
        }


class Sampler(threading.Thread):
    """Samples once a second until it is stopped."""

    def __init__(self, server, target):
        super().__init__(daemon=True)
        self.server, self.target = server, target
        self.samples, self.faults = [], []
        self.ended = threading.Event()

    def run(self):
        began = time.monotonic()
        while not self.ended.wait(max(0, began + len(self.samples) - time.monotonic())):
            try:
                self.samples.append(self._sample(time.monotonic() - began))
            except (OSError, KeyError, ValueError) as error:
                # A server that has ended, or that doesn't answer, is nothing to go on with.
                self.faults.append(f"no sample: {type(error).__name__}: {error}")
                return

    def _sample(self, second):
        pid = self.server.process.pid
        text = page(self.target, "/metrics")
        return {
            "second": round(second, 2),
            "resident_mb": round(resident_mb(pid), 3),
            "descriptors": descriptors(pid),
            "late_p99_ms": round(metric(text, LATENESS) * 1000, 3),
            "took_p99_ms": round(metric(text, DURATION) * 1000, 3),
            "processor_seconds": round(metric(text, "process_cpu_seconds_total"), 3),
            "people": int(metric(text, "stickerpit_people")),
            "ticks": int(metric(text, "stickerpit_ticks_total")),
        }

    def stop(self):
        self.ended.set()
        self.join()
