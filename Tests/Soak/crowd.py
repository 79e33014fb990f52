"""The well-behaved: several `stickerpit bots` side by side, one for each way of following the world.

They tilt, drop, throw, grab and say at once, check the frames or hashes that they get unless they only
count them, leave, and come back by their tokens.
"""

import json
import subprocess

from pitserver import PATIENCE

# Name, share of all bots, and what sets them apart. Most count their frames without decoding them, and
# few run a world of their own, because both cost the machine that plays the crowd far more than they
# cost the server: 330 stickers that are shaken take a fifth of a millisecond of a slow core to decode and
# half a one to step, so that three hundred who decode sixty frames a second would need four cores.
GROUPS = (
    ("state 60 strict", 0.03, ("--rate", "60", "--profile", "strict")),
    ("state 60 visual", 0.03, ("--rate", "60", "--profile", "visual")),
    ("state 30 visual", 0.04, ("--rate", "30", "--profile", "visual")),
    ("state 20 strict", 0.04, ("--rate", "20", "--profile", "strict")),
    ("state 10 visual", 0.08, ("--rate", "10", "--profile", "visual")),
    ("state 60, counted", 0.50, ("--rate", "60", "--no-decoding")),
    ("state 20, counted", 0.20, ("--rate", "20", "--no-decoding")),
    ("replica 60", 0.02, ("--stream", "replica", "--rate", "60")),
    ("replica 20", 0.01, ("--stream", "replica", "--rate", "20")),
    ("slow, state 60", 0.04, ("--rate", "60")),
    ("slow, replica 60", 0.01, ("--stream", "replica", "--rate", "60")),
)
# A real crowd has its own devices. Here it has the server's processors, and is to take of them what the
# server leaves; otherwise the lateness measured would be the crowd's. `nice` would not do: libdispatch,
# whose threads the bots run on, gives them priorities of its own.
WHAT_IS_LEFT = ("chrt", "--idle", "0")
# Of each hundred bots, how many leave and come back each second.
CHURN_PER_HUNDRED = 1.5


def plan(bots, seconds):
    """What each group is started with: every group has two bots at least, and together they are as
    many as asked for."""
    counts = [max(2, round(bots * share)) for _, share, _ in GROUPS]
    largest = counts.index(max(counts))
    counts[largest] += bots - sum(counts)
    if counts[largest] < 2:
        raise SystemExit(f"soak: {bots} bots are too few for {len(GROUPS)} groups")
    return [
        {
            "name": name,
            "count": count,
            "seconds": seconds,
            "slow": count if name.startswith("slow") else 0,
            "churn": round(count * CHURN_PER_HUNDRED / 100, 3),
            "replica": "replica" in flags,
            "seed": index + 1,
            "flags": list(flags),
        }
        for index, ((name, _, flags), count) in enumerate(zip(GROUPS, counts))
    ]


class Crowd:
    """The groups as processes; `results` waits for them."""

    def __init__(self, program, url, groups, priority):
        self.groups = groups
        self.processes = [
            subprocess.Popen(
                [
                    *priority, program, "bots", "--url", url, "--json",
                    "--count", str(group["count"]), "--seconds", str(group["seconds"]),
                    "--slow", str(group["slow"]), "--churn", str(group["churn"]),
                    "--seed", str(group["seed"]), *group["flags"],
                ],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )
            for group in groups
        ]  # fmt: skip

    def results(self):
        """Each group with its exit code and report; without a report if it said none."""
        return [self._result(*pair) for pair in zip(self.groups, self.processes)]

    @staticmethod
    def _result(group, process):
        out, errors = process.communicate(timeout=PATIENCE)
        try:
            report = json.loads(out)
        except json.JSONDecodeError:
            report = None
        said = errors.strip().splitlines()[-1:] if process.returncode else []
        return group | {"exit": process.returncode, "said": said, "report": report}

    def stop(self):
        for process in self.processes:
            process.kill()
            process.wait()
