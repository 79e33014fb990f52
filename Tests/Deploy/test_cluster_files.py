"""What deploy/ has for servers that share a world, as far as it can be tried without a container engine."""

import json
import os
import re
import subprocess

import pytest
from pitserver import ROOT, STICKERPIT

DEPLOY = ROOT / "deploy"
NAME = "pit.example"


@pytest.fixture(scope="module")
def compose():
    read = "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)"
    text = (DEPLOY / "docker/cluster.yml").read_text()
    text = re.sub(r"\$\{PIT_NAME:\?[^}]*\}", NAME, text)
    assert "${" not in text
    done = subprocess.run(
        ["/usr/bin/python3", "-c", read], input=text, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("service", ["leader", "standby", "edge"])
def test_servers_take_their_environment(compose, service):
    settings = compose["services"][service]
    done = subprocess.run(
        [STICKERPIT, *settings["command"], "--print-config"],
        capture_output=True, text=True, env=os.environ | settings["environment"],
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["nats"] == "nats://nats:4222" and said["world"] == "hall"
    assert said["allowed-host"] == [NAME]


def test_no_service_has_more_rights_than_it_needs(compose):
    for name, service in compose["services"].items():
        assert service["read_only"] is True and service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert set(service.get("networks", [])) <= set(compose["networks"])


def test_prometheus_reads_all_servers(compose):
    text = (DEPLOY / "prometheus/cluster.yml").read_text()
    ports = [
        port for service in ["leader", "standby", "edge"]
        for port in compose["services"][service]["ports"] if port.startswith("127.0.0.1")
    ]  # fmt: skip
    assert len(ports) == 3
    for port in ports:
        assert f'"{port.rsplit(":", 1)[0]}"' in text
