"""What an operator's monitoring reads: Debian's own Prometheus takes it."""

import json
import os
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest
from pitserver import PATIENCE, ROOT, until
from ports import free_port

# `make setup-test` unpacks Debian's package here, because installing it would start a server.
PLACES = [os.environ.get("PATH", ""), str(ROOT / ".run/prometheus/usr/bin")]

CONFIGURATION = """
global: {{ scrape_interval: 1s, scrape_timeout: 1s }}
scrape_configs:
  - job_name: pit
    static_configs: [{{ targets: ["127.0.0.1:{port}"] }}]
"""


def program(name):
    """Where it is. A machine without it fails the test: nothing is skipped silently."""
    found = shutil.which(name, path=os.pathsep.join(PLACES))
    assert found, f"{name} is missing: run 'make setup-test'"
    return found


def text(pit, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{pit.port}{path}", timeout=PATIENCE) as answer:
        return answer.headers, answer.read().decode()


def test_promtool_accepts_every_line(pit):
    until(lambda: pit.health()["tick"] > 60)
    headers, metrics = text(pit, "/metrics")
    assert headers["Content-Type"].startswith("text/plain; version=0.0.4")
    checked = subprocess.run(
        [program("promtool"), "check", "metrics"], input=metrics, capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "stickerpit_tick_duration_seconds{quantile=\"0.99\"}" in metrics
    for name in ["stickerpit_people", "process_open_fds", "stickerpit_sent_bytes_total"]:
        assert f"\n# HELP {name} " in metrics


def test_there_is_a_network_thread_for_each_processor(start_pit):
    _, metrics = text(start_pit(), "/metrics")
    threads = set(re.findall(r'stickerpit_backlog_ticks{thread="(\d+)"}', metrics))
    assert len(threads) == min(8, len(os.sched_getaffinity(0)))


def test_the_document_lists_every_metric(start_pit, tmp_path):
    pit = start_pit("--data", tmp_path)
    until(lambda: pit.health()["journal"]["tick"] > 0)
    _, metrics = text(pit, "/metrics")
    told = {}
    for line in metrics.splitlines():
        if line.startswith("# TYPE "):
            told[line.split()[2]] = set()
        elif not line.startswith("#"):
            name, labels = re.match(r"(\w+)(?:{(.*)})?", line).groups()
            if name in told:
                told[name].update(re.findall(r"(\w+)=", labels or ""))
    documented = {}
    for line in (ROOT / "METRICS.md").read_text(encoding="utf-8").splitlines():
        cells = line.split("|")
        if len(cells) > 4 and "`" in cells[1]:
            labels = set(re.findall(r"`(\w+)`", cells[2]))
            documented |= {name: labels for name in re.findall(r"`(\w+)`", cells[1])}
    # Servers that share a world tell more; test_cluster.py looks at those.
    documented = {name: labels for name, labels in documented.items() if "_cluster_" not in name}
    # Labels of what did not happen yet are not told: nobody has made a TLS handshake here.
    assert documented.keys() == told.keys()
    assert {name: told[name] - documented[name] for name in told if told[name] - documented[name]} == {}


def value(metrics, name):
    """Of a metric, which is named with all of its labels."""
    return float(re.search(rf"^{re.escape(name)} (\S+)$", metrics, re.MULTILINE)[1])


def test_the_process_is_told_as_the_system_knows_it(start_pit):
    # Nothing is decoded in between, and nobody plays: what it takes is the same for a while.
    pit = start_pit(checks_frames=False)
    until(lambda: pit.health()["tick"] > 120)
    proc = Path(f"/proc/{pit.process.pid}")
    _, metrics = text(pit, "/metrics")
    resident = int(re.search(r"VmRSS:\s+(\d+) kB", (proc / "status").read_text())[1]) * 1024
    assert abs(value(metrics, "process_resident_memory_bytes") - resident) < 4_000_000 < resident
    limit = re.search(r"Max open files\s+(\d+)", (proc / "limits").read_text())[1]
    assert value(metrics, "process_max_fds") == int(limit)
    threads = len(list((proc / "task").iterdir()))
    # One more or less: the system's own threads for work come and go.
    assert abs(value(metrics, "process_threads") - threads) <= 2 < threads
    # The connection that asks is one of them, and is over now.
    descriptors = len(list((proc / "fd").iterdir()))
    assert abs(value(metrics, "process_open_fds") - descriptors) <= 3 < descriptors
    spent = value(metrics, "process_cpu_seconds_total")
    assert 0 < spent <= pit.processor_seconds() + 0.05


def test_the_server_says_that_it_is_ready(pit):
    until(lambda: pit.health()["tick"] > 0)
    _, answer = text(pit, "/readyz")
    assert answer == "ready\n"
    lost = pit.health()["ticks_lost"]
    ends = time.monotonic() + 12

    def lately_late():
        _, metrics = text(pit, "/metrics")
        worst = value(metrics, 'stickerpit_tick_lateness_seconds{quantile="1"}')
        # A tick is 16.7 ms; summaries round.
        return worst > 0.016 or pit.health()["ticks_lost"] > lost

    # Of a tick that came late it speaks for ten seconds. On a machine that is busy all the time the
    # next one is late before these are over: then its metrics must say so, too.
    until(
        lambda: pit.health()["status"] == "ok" or (time.monotonic() > ends and lately_late())
    )


@pytest.fixture
def prometheus(pit, tmp_path):
    """A Prometheus that scrapes the pit every second; asks it for a query's values."""
    (tmp_path / "prometheus.yml").write_text(CONFIGURATION.format(port=pit.port))
    port = free_port()
    log = (tmp_path / "log").open("w")
    process = subprocess.Popen(
        [
            program("prometheus"), f"--config.file={tmp_path}/prometheus.yml",
            f"--storage.tsdb.path={tmp_path}/data", f"--web.listen-address=127.0.0.1:{port}",
        ],
        stdout=log,
        stderr=log,
    )

    def ask(query):
        url = f"http://127.0.0.1:{port}/api/v1/query?" + urllib.parse.urlencode({"query": query})
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
                return [float(row["value"][1]) for row in json.load(answer)["data"]["result"]]
        except (urllib.error.URLError, ConnectionError):
            assert process.poll() is None, (tmp_path / "log").read_text()
            return []

    yield ask
    process.terminate()
    process.wait()


def test_a_real_prometheus_scrapes_it(pit, prometheus):
    assert until(lambda: prometheus('up{job="pit"} == 1')) == [1]
    first = until(lambda: prometheus("stickerpit_ticks_total"))[0]
    # After a scrape that came too late for its second there is no value until the next one.
    until(lambda: (prometheus("stickerpit_ticks_total") or [0])[0] >= first + 120)
    until(lambda: prometheus("stickerpit_bodies") == [pit.health()["bodies"]])
    quantile = until(lambda: prometheus('stickerpit_tick_duration_seconds{quantile="0.99"}'))[0]
    assert 0 < quantile < 10
    until(lambda: len(prometheus("stickerpit_clients")) >= 8)
