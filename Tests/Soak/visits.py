"""What the Python visitors of a soak share: their command line, and the counts that they print."""

import argparse
import json
import threading


class Refused(Exception):
    """The server has too much to do for somebody new (close code 1013). That is no fault of a visit,
    which is tried again; whoever never gets in has done nothing, and that is one."""


class Results:
    """What was done how often, and what went wrong, from many threads."""

    def __init__(self, names):
        self.counts, self.faults = dict.fromkeys(names, 0), []
        self.lock = threading.Lock()

    def add(self, name):
        with self.lock:
            self.counts[name] += 1

    def fault(self, words):
        with self.lock:
            self.faults.append(words)

    def guard(self, name, task):
        """Runs a task to its end; an error of it is a fault."""
        try:
            task()
        except Exception as error:
            self.fault(f"{name}: {type(error).__name__}: {error}")

    def run(self, tasks):
        """Runs named tasks side by side and prints what came of them."""
        threads = [threading.Thread(target=self.guard, args=task) for task in tasks]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(json.dumps({"counts": self.counts, "faults": self.faults}), flush=True)


def options(description):
    """What both kinds of visitors of a soak are told on their command lines."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--scheme", default="http")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--count", type=int, default=1, help="how many at once")
    return parser.parse_args()
