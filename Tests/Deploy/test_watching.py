"""Prometheus takes what deploy/ has for it."""

import json
import re
import shutil
from pathlib import Path

import pytest
from pitserver import ROOT
from programs import DEPLOY, run


def test_promtool_accepts_the_configuration():
    for name in ["prometheus.yml", "cluster.yml"]:
        checked = run("promtool", "check", "config", DEPLOY / "prometheus" / name)
        assert checked.returncode == 0, checked.stdout + checked.stderr
        assert "1 rule files found" in checked.stdout


def test_promtool_accepts_the_rules():
    checked = run("promtool", "check", "rules", DEPLOY / "prometheus/alerts.yml")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert int(re.search(r"SUCCESS: (\d+) rules found", checked.stdout)[1]) > 5


def played(tmp_path, readings, rules):
    """How promtool ends that plays a file's readings to rules."""
    shutil.copy(Path(__file__).parent / readings, tmp_path)
    (tmp_path / "alerts.yml").write_text(rules)
    return run("promtool", "test", "rules", tmp_path / readings)


@pytest.mark.parametrize("readings", ["pit_alerts.yml", "cluster_alerts.yml"])
def test_alerts_go_off_when_they_should(tmp_path, readings):
    tested = played(tmp_path, readings, (DEPLOY / "prometheus/alerts.yml").read_text())
    assert tested.returncode == 0, tested.stdout + tested.stderr


@pytest.mark.parametrize(
    "readings, right, wrong",
    [
        ("cluster_alerts.yml", 'max by (world) (stickerpit_cluster_role{role="leader"})',
         'max(stickerpit_cluster_role{role="leader"})'),
        ("cluster_alerts.yml", 'world!=""', 'world=""'),
        ("cluster_alerts.yml", "stickerpit_cluster_connected == 0", "stickerpit_cluster_connected == 1"),
        ("cluster_alerts.yml", 'up{job="sticker-pit"} == 0', "up == 2"),
        ("cluster_alerts.yml", 'role="standby"}) == 0', 'role="standby"}) == 2'),
        ("pit_alerts.yml", "increase(stickerpit_standstills_total[10m])", "stickerpit_standstills_total"),
        ("pit_alerts.yml", "increase(stickerpit_log_lines_lost_total[10m])",
         "stickerpit_log_lines_lost_total"),
        ("pit_alerts.yml", "stickerpit_stream_restarts_total[10m]) > 0",
         "stickerpit_stream_restarts_total[10m]) > 10"),
        ("pit_alerts.yml", "sum by (instance) (increase(stickerpit_keyframe_requests_total[5m]))",
         "sum(increase(stickerpit_keyframe_requests_total[5m]))"),
        ("pit_alerts.yml", "> 10 + sum by (instance) (stickerpit_clients)", "> 10"),
        ("pit_alerts.yml", "sum by (instance) (stickerpit_clients)",
         "max by (instance) (stickerpit_clients)"),
        ("pit_alerts.yml", "for: 10m", "for: 0s"),
    ],
)  # fmt: skip
def test_a_mistake_in_them_would_be_seen(tmp_path, readings, right, wrong):
    rules = (DEPLOY / "prometheus/alerts.yml").read_text()
    assert right in rules
    assert played(tmp_path, readings, rules.replace(right, wrong)).returncode != 0


def test_all_readings_of_servers_of_a_shared_world_have_its_name():
    text = (DEPLOY / "prometheus/cluster.yml").read_text()
    assert text.count("targets:") == text.count("labels: { world: ") == 1


def test_the_dashboard_has_a_row_for_shared_worlds_and_no_panel_lies_upon_another():
    panels = json.loads((DEPLOY / "grafana/sticker-pit.json").read_text())["panels"]
    row = next(panel for panel in panels if panel["type"] == "row")
    assert row["title"] == "Shared world"
    below = [p for p in panels if p["gridPos"]["y"] > row["gridPos"]["y"]]
    said = json.dumps(below)
    for name in ("role", "connected", "epoch", "waiting_ticks", "members", "rejoins_total"):
        assert f"stickerpit_cluster_{name}" in said
    taken = [
        (x, y)
        for place in (panel["gridPos"] for panel in panels)
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(taken) == len(set(taken)) and max(x for x, _ in taken) < 24
    assert len({panel["id"] for panel in panels}) == len(panels)


def words_in(text):
    return set(re.findall(r"\w+", text))


def test_the_dashboard_shows_what_is_worth_an_alarm_and_nothing_else_than_there_is():
    """`Tests/Interop/test_metrics.py` compares METRICS.md with what a server tells."""
    lines = (ROOT / "METRICS.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split("|")] for line in lines if line.startswith("| `")]
    known = {name for row in rows for name in re.findall(r"`(\w+)`", row[1])}
    alarming = {name for row in rows if row[4] for name in re.findall(r"`(\w+)`", row[1])}
    assert len(known) > 50 and len(alarming) > 25
    panels = json.loads((DEPLOY / "grafana/sticker-pit.json").read_text())["panels"]
    asked = [target["expr"] for panel in panels for target in panel.get("targets", [])]
    shown = {word for word in words_in(" ".join(asked)) if re.match("stickerpit_|process_", word)}
    assert alarming - shown == set()
    assert shown - known == set()


def test_promtool_reads_what_the_dashboard_asks(tmp_path):
    panels = json.loads((DEPLOY / "grafana/sticker-pit.json").read_text())["panels"]
    asked = [target["expr"] for panel in panels for target in panel.get("targets", [])]
    rules = [{"record": f"asked:{number}", "expr": expr} for number, expr in enumerate(asked)]
    file = tmp_path / "asked.json"
    # JSON is YAML, too.
    file.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    checked = run("promtool", "check", "rules", file)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert f"SUCCESS: {len(asked)} rules found" in checked.stdout


def test_what_the_readme_names_is_there():
    text = (DEPLOY / "README.md").read_text()
    named = set(re.findall(r"deploy/[\w.@/-]*\w", text))
    named |= {f"deploy/{path}" for path in re.findall(r"\]\(([\w@-]+/[\w.@/-]*\w)\)", text)}
    assert len(named) > 5
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
