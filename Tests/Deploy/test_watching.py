"""Prometheus takes what deploy/ has for it."""

import re

from pitserver import ROOT
from programs import DEPLOY, run


def test_promtool_accepts_the_configuration():
    checked = run("promtool", "check", "config", DEPLOY / "prometheus/prometheus.yml")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "1 rule files found" in checked.stdout


def test_promtool_accepts_the_rules():
    checked = run("promtool", "check", "rules", DEPLOY / "prometheus/alerts.yml")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert int(re.search(r"SUCCESS: (\d+) rules found", checked.stdout)[1]) > 5


def test_what_the_readme_names_is_there():
    text = (DEPLOY / "README.md").read_text()
    named = set(re.findall(r"deploy/[\w.@/-]*\w", text))
    named |= {f"deploy/{path}" for path in re.findall(r"\]\(([\w@-]+/[\w.@/-]*\w)\)", text)}
    assert len(named) > 5
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
