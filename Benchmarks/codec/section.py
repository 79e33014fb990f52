"""The text of the section "Wire" of BENCHMARKS.md."""
import os
import platform
import subprocess
import zlib

import msgpack
import zstandard

import traces
from report import processor

# What the stream has to reach on the reference's traces, bytes a tick, and in time and keyframes.
GOALS = {
    ("ours, strict", "storm"): 800, ("ours, strict", "party"): 710, ("ours, strict", "settled"): 82,
    ("ours, visual", "storm"): 540, ("ours, visual", "party"): 540, ("ours, visual", "settled"): 30,
}
ORDER = [
    "ours, visual", "reference, visual", "ours, strict", "reference, strict", "bit packer, Gaffer-style",
    "zstd -19, bytes split", "zstd -3, previous frame", "JSON, deflate", "MessagePack", "fields, Colyseus-style", "JSON",
]


def machine():
    """Where it ran, and whether anything else did."""
    return {
        "cpu": processor(), "cores": os.cpu_count(), "load": os.getloadavg()[0], "linux": platform.release(),
    }


def version(command):
    return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"] + [
        "| " + " | ".join(str(cell) for cell in row) + " |" for row in rows
    ] + [""]


class Figures:
    """Rows by codec and trace."""

    def __init__(self, rows):
        self.tests = [row for row in rows if row["seed"] == traces.TEST["seed"]]
        self.training = [row for row in rows if row["seed"] == traces.TRAINING["seed"]]
        self.columns = list(dict.fromkeys((row["solver"], row["scene"]) for row in self.tests))

    def find(self, codec, column, rows=None, hz=60):
        for row in self.tests if rows is None else rows:
            if row["codec"] == codec and (row["solver"], row["scene"]) == column and row.get("hz", 60) == hz:
                return row
        return None

    def heads(self):
        return [f"{scene} ({solver})" for solver, scene in self.columns]


def bytes_table(figures):
    rows = []
    for codec in ORDER:
        cells = []
        for column in figures.columns:
            row, mine = figures.find(codec, column), figures.find("ours, strict", column)
            if not row:
                cells.append("")
                continue
            goal = GOALS.get((codec, column[1])) if column[0] == "reference" else None
            ratio = "" if codec.startswith("ours, s") else f" ({row['bytes_per_tick'] / mine['bytes_per_tick']:.2f}×)"
            cells.append(f"{row['bytes_per_tick']:.1f}{ratio}" + (f", goal {goal}" if goal else ""))
        if any(cells):
            rows.append([codec, *cells])
    return table(["bytes a tick", *figures.heads()], rows)


def kilobits_table(figures):
    rows = []
    for codec in ORDER:
        found = [figures.find(codec, column) for column in figures.columns]
        if any(found):
            rows.append([codec, *(f"{row['bytes_per_tick'] * 0.48:.0f}" if row else "" for row in found)])
    return table(["kbit/s at 60 Hz", *figures.heads()], rows)


def detail_table(figures):
    head = ["trace", "profile", "test seed", "training seed", "bits a moving body", "worst error, pt", "rms error, pt",
            "keyframe, bytes (worst)", "catch-up frame", "over 1–30 skipped frames", "least frame"]
    rows = []
    for column in figures.columns:
        for profile in ("strict", "visual"):
            row = figures.find(f"ours, {profile}", column)
            trained = figures.find(f"ours, {profile}", column, figures.training)
            rows.append([
                f"{column[1]} ({column[0]})", profile, f"{row['bytes_per_tick']:.1f}", f"{trained['bytes_per_tick']:.1f}",
                f"{row['bits_per_moving_body']:.2f}", f"{row['max_error_pt']:.3f}", f"{row['rms_error_pt']:.4f}",
                f"{row['keyframe_bytes']:.0f} ({row['keyframe_bytes_max']})", f"{row['catch_up_bytes']:.0f}",
                f"{row['skip_bytes']:.0f}", row["least_bytes"],
            ])
    return table(head, rows)


def time_table(figures):
    rows = []
    for codec in ORDER:
        found = [figures.find(codec, column) for column in figures.columns]
        if any(row and "encode_ns_per_body" in row for row in found):
            rows.append([codec, *(
                f"{row['encode_ns_per_body']:.0f} / {row['decode_ns_per_body']:.0f}" if row else "" for row in found
            )])
    return table(["ns a body to encode / decode", *figures.heads()], rows)


def rates_table(figures):
    rows = []
    for column in [column for column in figures.columns if column[1] == "party"]:
        cells = [figures.find("ours, visual", column, hz=hz) for hz in (60, 30, 20, 10)]
        rows.append([f"party ({column[0]})", *(f"{row['bytes_per_tick']:.0f} ({row['kbit_per_s']:.0f})" for row in cells)])
    return table(["visual, bytes a frame (kbit/s)", "60 Hz", "30 Hz", "20 Hz", "10 Hz"], rows)


def served_table(figures):
    rows = []
    for column in figures.columns:
        for profile in ("strict", "visual"):
            row = figures.find(f"served, {profile}", column)
            if row:
                rows.append([
                    f"{column[1]} ({column[0]})", profile, f"{row['messages_per_s']:.1f}",
                    f"{row['header_bytes_per_tick']:.2f}", f"{row['content_bytes_per_tick']:.2f}", row["most_held"],
                ])
    head = ["trace", "profile", "messages a second", "headers, bytes a tick", "content, bytes a tick", "most held back"]
    return table(head, rows)


def decoder_table(figures):
    rows = []
    for column in figures.columns:
        for profile in ("strict", "visual"):
            row = figures.find(f"decoder, {profile}", column)
            if not row:
                continue
            page = row["page"]
            rows.append([
                f"{column[1]} ({column[0]})", profile, f"{row['native_ns_per_body']:.0f}", f"{row['node_ns_per_body']:.0f}",
                f"{row['node_ns_per_body'] / row['native_ns_per_body']:.2f}×",
                f"{page['p50_us']:.0f} / {page['p99_us']:.0f}" if page else "no Chromium, or no answer",
            ])
    head = ["trace", "profile", "native, ns a body", "node, ns a body", "ratio", "page in Chromium, µs a frame (p50 / p99)"]
    return table(head, rows)


def write(rows, head, with_reference, seconds):
    figures = Figures(rows)
    test, training = traces.TEST, traces.TRAINING
    command = "make bench-codec" + (" REFERENCE=DIR" if with_reference else "")
    text = [
        "# Wire", "",
        f"Written by `{command}` in {seconds / 60:.0f} minutes. {head['cpu']}, {head['cores']} cores, Linux {head['linux']}; "
        f"load at the start {head['load']:.1f}. {version(['swift', '--version'])}; {version(['gcc', '--version'])}; zlib "
        f"{zlib.ZLIB_RUNTIME_VERSION}, zstd {'.'.join(map(str, zstandard.ZSTD_VERSION))}, MessagePack {'.'.join(map(str, msgpack.version))}.", "",
        f"Traces of {traces.TICKS} ticks at 60 Hz: seed {test['seed']} with {test['bodies']} bodies, which the trained tables have "
        f"not seen; only the column \"training seed\" is seed {training['seed']} with {training['bodies']} bodies, on which they were "
        "trained. \"Own\" are runs of our solver (`stickerpit bench trace`; sizes 34 to 52 pt, 16 kinds; in churn a body goes and "
        "another comes in its slot ten times a second), \"reference\" are the reference's Chipmunk runs (one size, two kinds). "
        "Bytes are payload plus 2 for the WebSocket's header, the first tick left out. Every codec decodes each frame in a second "
        "instance and compares; all but the visual profiles are lossless on the lattice of 1/16 pt and 1024 angles, so a body is "
        "within 1/32 pt. The visual profile's bound is 1/16 pt at rest and 0.5 pt in fast motion; still for 30 ticks: 1/24 pt.", "",
        "Rivals send only what changed, in the tersest form that their format has: JSON and MessagePack as lists of integers, "
        "deflate as permessage-deflate with one window for the connection, zstd with the previous frame's bytes as its prefix "
        "(level 3 on 16-bit columns; level 19 with low and high bytes apart), the bit packer with differences in four widths and a "
        "mask or relative indices, Colyseus-style fields as int16 behind a byte for each field. In brackets: bytes against ours, "
        "strict.", "",
        *bytes_table(figures), *kilobits_table(figures),
        "Ours in detail. A keyframe is what a join costs, measured every 60 ticks; a catch-up frame is for a client that has the "
        "last tick but is not in step.", "",
        *detail_table(figures), *rates_table(figures),
        "Time on one core; the general formats run in Python and are not timed. Goals, on the reference's traces: at most 250 ns a "
        "body, keyframes of at most 6300 bytes.", "",
        *time_table(figures),
        "The decoder in WebAssembly: the median message in the fastest of three passes; and all that the page does with a frame in "
        "Chromium. Goal: at most 1.4 times native.", "",
        *decoder_table(figures),
        "As served: calm frames wait for each other. Headers are the WebSocket's 2 or 4 bytes and the message's own 1 or 3. In "
        "calm, twenty phones lie in hands that tremble, and nothing is dropped.", "",
        *served_table(figures),
    ]
    return "\n".join(text)
