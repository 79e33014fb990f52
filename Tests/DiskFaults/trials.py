#!/usr/bin/env python3
"""Cuts the power of a real server's disk, or kills its process, at thousands of points, and looks at
what is left: the journal must open, be a part of the truth from its beginning, and have all that was
promised. Prints the counts as one JSON object; ends with 1 if anything was wrong.

    python3 Tests/DiskFaults/trials.py --server .build/release/stickerpit --trials 10000 --walk --jobs 2

A problem is told with its trial; with the same recording, seed and durability, and `--walk` if it was
there, `--recording DIR --only TRIAL --keep DIR` lays that image out again."""

import argparse
import json
import multiprocessing
import random
import shutil
import sys
import tempfile
from collections import namedtuple
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from disk import Disk, lay_out  # noqa: E402
from disktrace import MKDIR, RENAME, START, TRUNCATE, UNLINK, WRITE  # noqa: E402
from pitserver import STICKERPIT  # noqa: E402
from promise import Promise, Running, commits  # noqa: E402
from recording import FAST, Recording  # noqa: E402
from verdict import examine, start  # noqa: E402

KILL, POWER_CUT = "kill", "power cut"
# Of how many trials one starts a real server besides.
STARTS_EVERY = 250
# Operations around a place where much changes at once.
AROUND = 80
MOST_PROBLEMS = 50
# What README promises: no more is lost by a kill, and with `full` by a power cut. It is held against
# the clock, so it is judged unless `--busy` says that others use the machine: there the thread that
# writes may not get its turn in time, and the loss is the machine's fault.
MOST_MILLISECONDS = 100

Trial = namedtuple("Trial", "number cut kind random")
Result = namedtuple("Result", "trial level notes hash loss problems is_started")


class Plan:
    """Which cuts are tried. A walk makes one at each operation. Of the others half lie anywhere, half
    where much changes at once."""

    def __init__(self, operations, walks):
        self.count = len(operations)
        # Before each operation, and after the last.
        self.points = self.count + 1
        self.walked = self.points if walks else 0
        numbered = list(enumerate(operations))
        starts = [n for n, one in numbered if one.kind == START]
        names = [n for n, one in numbered if one.kind in (MKDIR, RENAME, UNLINK)]
        copied = [
            n for n, one in numbered
            if one.path.endswith("journal.sqlite") and one.kind in (WRITE, TRUNCATE)
        ]  # fmt: skip
        if not copied:
            raise SystemExit("trials: nothing was copied from the write-ahead log: record for longer")
        self.places = [starts, names, copied, copied]

    def trial(self, seed, number):
        # Numbers from a string are the same in every Python.
        chance = random.Random(f"{seed} {number}")
        if number < self.walked:
            cut = number
        elif chance.random() < 0.5:
            cut = chance.randint(0, self.count)
        else:
            cut = chance.choice(chance.choice(self.places)) + chance.randint(-5, AROUND)
        kind = KILL if chance.random() < 0.3 else POWER_CUT
        return Trial(number, min(max(cut, 0), self.count), kind, chance)

    def numbers(self, wanted):
        """As many as are wanted; after a walk at least a quarter of them by chance."""
        return range(max(wanted, self.walked + wanted // 4) if self.walked else wanted)


def image(disk, trial, operations):
    if trial.kind == POWER_CUT:
        return disk.after_power_cut(trial.random)
    has_half = trial.cut < len(operations) and trial.random.random() < 0.3
    return disk.after_kill(half=operations[trial.cut] if has_half else None)


class Judge:
    def __init__(self, options, recording, promise):
        self.server, self.recording, self.promise = options.server, recording, promise
        self.is_busy = options.busy
        # Of an image that is looked at by itself, what a server makes of it is of interest as well.
        self.starts_every = 1 if options.only is not None else STARTS_EVERY

    def judge(self, trial, contents):
        with tempfile.TemporaryDirectory(dir=FAST) as folder:
            place = Path(folder, "image")
            lay_out(contents, place)
            finding = examine(self.server, self.recording, place)
        problems = finding.problems
        if not problems and finding.level < self.promised(trial):
            problems.append(f"reaches {finding.level}, promised was {self.promised(trial)}")
        is_started = trial.number % self.starts_every == 0 and not problems
        if is_started:
            problems += self.start_problems(contents, finding.level)
        loss = self.promise.loss(trial.cut, self.time(trial.cut), finding.level)
        problems += self.loss_problems(trial, loss)
        return Result(
            trial._replace(random=None), finding.level, finding.notes, finding.hash, loss, problems,
            is_started,
        )  # fmt: skip

    def loss_problems(self, trial, loss):
        is_judged = not self.is_busy and self.promise.judges_loss(trial.kind == KILL)
        if not is_judged or loss[1] <= MOST_MILLISECONDS:
            return []
        return [f"{loss[1]} ms are lost, {MOST_MILLISECONDS} ms are promised"]

    def time(self, cut):
        """When it was, at the latest: before the next operation, if the process had one."""
        around = self.recording.operations[max(cut - 1, 0) : cut + 1]
        return around[0 if around[-1].kind == START else -1].nanoseconds

    def promised(self, trial):
        if trial.kind == KILL:
            return self.promise.after_kill(trial.cut)
        return self.promise.after_power_cut(trial.cut)

    def start_problems(self, contents, level):
        with tempfile.TemporaryDirectory(dir=FAST) as folder:
            place = Path(folder, "image")
            lay_out(contents, place)
            try:
                begun = start(self.server, place)
                after = examine(self.server, self.recording, place)
            except RuntimeError as error:
                return [f"{error}".strip()]
        if begun != level:
            return [f"a server goes on after {begun}, the check said {level}"]
        # It writes groups of its own, of which the truth knows nothing.
        return [words for words in after.problems if "check ends" in words]


# What each child works on. It has it from its parent, as it is: a recording is much to send.
shares = []


def work(number):
    """Does a share of the trials: the disk goes through the trace once."""
    options, trials, judge = shares[number]
    operations = judge.recording.operations
    disk, results = Disk(forgets_syncs=options.plant == "forgotten-syncs"), []
    for trial in sorted(trials, key=lambda one: one.cut):
        while disk.done < trial.cut:
            disk.do(operations[disk.done])
        contents = image(disk, trial, operations)
        if options.keep:
            shutil.rmtree(options.keep, ignore_errors=True)
            lay_out(contents, Path(options.keep))
        results.append(judge.judge(trial, contents))
    return results


def report(results, recording, seed):
    by_kind = {
        kind: [one for one in results if one.trial.kind == kind] for kind in (KILL, POWER_CUT)
    }
    problems = [(one.trial, words) for one in results for words in one.problems]
    problems += hash_problems(results)
    return {
        "trials": len(results),
        "kills": len(by_kind[KILL]),
        "power_cuts": len(by_kind[POWER_CUT]),
        "recovered": sum(one.level >= 0 and not one.problems for one in results),
        "empty": sum(one.level < 0 and not one.problems for one in results),
        "with_notes": sum(bool(one.notes) for one in results),
        "servers_started": sum(one.is_started for one in results),
        "points": len(recording.operations) + 1,
        "points_cut": len({one.trial.cut for one in results}),
        "worst_loss": {
            kind.replace(" ", "_"): {
                "ticks": max((one.loss[0] for one in found), default=0),
                "ms": max((one.loss[1] for one in found), default=0),
            }
            for kind, found in by_kind.items()
        },
        "problem_count": len(problems),
        "problems": [
            {
                "trial": trial.number, "seed": seed, "kind": trial.kind, "cut": trial.cut,
                "problem": words, "recording": str(recording.folder),
            }
            for trial, words in problems[:MOST_PROBLEMS]
        ],  # fmt: skip
    }


def hash_problems(results):
    """The world after a tick is one and the same, whatever the cut it was recovered from."""
    seen, problems = {}, []
    for one in results:
        if one.hash and seen.setdefault(one.level, one.hash) != one.hash:
            words = f"the world at {one.level} is {one.hash}, elsewhere {seen[one.level]}"
            problems.append((one.trial, words))
    return problems


def parsed():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--server", default=STICKERPIT, help="the build that is tried")
    parser.add_argument("--trials", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--durability", choices=["full", "normal", "off"], default="full")
    parser.add_argument(
        "--judge-as", choices=["full", "normal"],
        help="judge by what another durability promises: must find problems",
    )  # fmt: skip
    parser.add_argument(
        "--plant", choices=["forgotten-syncs"], help="a fault of the disk: must find problems"
    )
    parser.add_argument(
        "--walk", action="store_true", help="cut at each operation once, and then by chance"
    )
    parser.add_argument(
        "--busy", action="store_true", help="others use the machine: don't judge by the clock"
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--recording", help="where the recording is, or is to be kept")
    parser.add_argument("--only", type=int, help="only this trial")
    parser.add_argument("--keep", help="where the image of that trial is laid out")
    options = parser.parse_args()
    if options.keep and options.only is None:
        parser.error("--keep goes with --only")
    options.server = str(Path(options.server).resolve())
    return options


def main():
    options = parsed()
    say = lambda words: print(f"trials: {words}", file=sys.stderr, flush=True)  # noqa: E731
    # It stays where it is after a problem, to look for the reason.
    folder = options.recording or tempfile.mkdtemp(prefix="disk-faults-")
    recording = Recording(folder)
    if not recording.exists:
        recording.make(options.server, options.durability, say)
    recording.load()
    found = commits(recording.operations)
    running = Running(recording.operations, found)
    promise = Promise(found, options.judge_as or recording.durability, running)
    plan = Plan(recording.operations, options.walk)
    numbers = plan.numbers(options.trials) if options.only is None else [options.only]
    trials = [plan.trial(options.seed, number) for number in numbers]
    judge = Judge(options, recording, promise)
    say(f"{len(trials)} trials at {len(recording.operations)} operations")
    # Every other one in the order of cuts, so that both shares are of the same size.
    trials.sort(key=lambda one: one.cut)
    shares.extend((options, trials[n :: options.jobs], judge) for n in range(options.jobs))
    with multiprocessing.get_context("fork").Pool(options.jobs) as pool:
        results = [one for done in pool.imap(work, range(options.jobs)) for one in done]
    found = report(sorted(results), recording, options.seed)
    print(json.dumps(found), flush=True)
    if not found["problems"] and not options.recording:
        shutil.rmtree(folder)
    sys.exit(1 if found["problems"] else 0)


if __name__ == "__main__":
    main()
