"""The archives of a version: the same bytes each time, true sums, and a bill that names it all."""

import hashlib
import json
import re
import subprocess
import tarfile

import pytest
from packages import dist
from pitserver import ROOT, STICKERPIT

PLUGIN = "libwebsockets-evlib_ev.so"


@pytest.fixture(scope="module")
def made(archives, tmp_path_factory):
    """The folders of two runs; somebody who commits in between makes them differ."""
    second = tmp_path_factory.mktemp("dist")
    ended = dist(second)
    assert ended.returncode == 0, ended.stderr
    return archives, second


@pytest.fixture
def bill(made):
    return json.loads(next(made[0].glob("*.spdx.json")).read_text())


def test_two_runs_give_the_same_bytes(made):
    first, second = ({path.name: path.read_bytes() for path in each.iterdir()} for each in made)
    assert len(first) == 4
    assert first == second


def test_the_sums_are_true(made):
    lines = (made[0] / "SHA256SUMS").read_text().splitlines()
    told = {name: digest for digest, name in (line.split("  ") for line in lines)}
    assert set(told) == {path.name for path in made[0].iterdir()} - {"SHA256SUMS"}
    for name, digest in told.items():
        assert hashlib.sha256((made[0] / name).read_bytes()).hexdigest() == digest


def test_the_archives_hold_what_they_should(made):
    source, binary = sorted(made[0].glob("*.tar.gz"), key=lambda path: len(path.name))
    seen = {}
    for path in (source, binary):
        with tarfile.open(path) as archive:
            members = archive.getmembers()
        assert {(each.uid, each.gid, each.uname) for each in members} == {(0, 0, "root")}
        assert len({each.mtime for each in members}) == 1
        seen[path] = {each.name.partition("/")[2] for each in members if each.isfile()}
    listed = ["git", "-C", str(ROOT), "ls-tree", "-r", "-z", "--name-only", "HEAD"]
    committed = subprocess.run(listed, capture_output=True, text=True, check=True).stdout
    assert seen[source] == set(committed.rstrip("\0").split("\0"))
    wanted = {"bin/stickerpit", "web/pit.wasm", "web/index.html", "README.md", "NOTICES"}
    assert wanted <= seen[binary]
    units = {f"systemd/{path.name}" for path in (ROOT / "deploy/systemd").iterdir()}
    assert units == {path for path in seen[binary] if path.startswith("systemd/")}


def test_the_bill_has_what_spdx_asks_for(bill):
    assert bill["spdxVersion"] == "SPDX-2.3"
    assert bill["dataLicense"] == "CC0-1.0"
    assert bill["SPDXID"] == "SPDXRef-DOCUMENT"
    assert bill["name"] and re.fullmatch(r"https://[^#\s]+", bill["documentNamespace"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", bill["creationInfo"]["created"])
    creators = bill["creationInfo"]["creators"]
    assert creators and all(re.match(r"(Tool|Person|Organization): \S", each) for each in creators)
    names = [each["SPDXID"] for each in bill["packages"]]
    assert len(names) == len(set(names))
    for each in bill["packages"]:
        assert re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", each["SPDXID"])
        for field in ("name", "versionInfo", "downloadLocation", "licenseConcluded"):
            assert each[field]
        assert each["licenseDeclared"] and each["copyrightText"] and each["filesAnalyzed"] is False
    known = {*names, "SPDXRef-DOCUMENT"}
    for each in bill["relationships"]:
        assert {each["spdxElementId"], each["relatedSpdxElement"]} <= known
    assert {each["relatedSpdxElement"] for each in bill["relationships"]} == set(names)


def test_the_bill_names_every_swift_package(bill):
    listed = {each["name"]: each for each in bill["packages"]}
    pins = json.loads((ROOT / "Package.resolved").read_text())["pins"]
    assert pins
    for pin in pins:
        each = listed[pin["identity"]]
        assert each["versionInfo"] == pin["state"]["version"]
        assert each["downloadLocation"].endswith("@" + pin["state"]["revision"])
        assert re.match("Apache-2.0|MIT", each["licenseDeclared"])


def test_the_bill_names_every_linked_library(bill):
    linked = subprocess.run(["ldd", STICKERPIT], capture_output=True, text=True, check=True).stdout
    files = {found[1] for found in re.finditer(r"/([^/\s]+) \(0x", linked)}
    named = {
        file
        for each in bill["packages"]
        if each.get("comment", "").startswith("libraries: ")
        for file in each["comment"].removeprefix("libraries: ").split(", ")
    }
    assert "libc.so.6" in files
    assert files | {PLUGIN} <= named


def test_the_bill_tells_the_licence_of_every_library(bill):
    """By SPDX's names, or by a text of its own that the bill holds."""
    texts = {each["licenseId"]: each["extractedText"] for each in bill["hasExtractedLicensingInfos"]}
    told = {each["name"]: each["licenseDeclared"] for each in bill["packages"]}
    # The project itself has no licence file.
    del told["sticker-pit"]
    meant = set()
    for name, licence in told.items():
        assert re.fullmatch(r"\(?[A-Za-z0-9.+-]+\)?( (AND|OR|WITH) \(?[A-Za-z0-9.+-]+\)?)*", licence), name
        assert "NOASSERTION" not in licence, name
        meant |= set(re.findall(r"LicenseRef-[A-Za-z0-9.-]+", licence))
    assert meant == set(texts) and all(len(each) > 500 for each in texts.values())
    assert (told["zlib1g"], told["libqrencode4"]) == ("Zlib", "LGPL-2.1-or-later")
    assert told["libev4"] == "(BSD-2-Clause OR GPL-2.0-or-later)"
    # What is no machine-readable file, and what has words that SPDX has no name for.
    assert told["libc6"] == "LicenseRef-Debian-libc6"
    assert "GNU LIBRARY" in texts["LicenseRef-Debian-libc6"].upper()
    assert told["libssl3"] == "Apache-2.0 AND LicenseRef-Debian-libssl3"


@pytest.mark.parametrize(
    "flags, says",
    [
        (["--binary", "/nowhere"], "/nowhere is missing"),
        (["--resolved", "/nowhere"], "no resolved packages in /nowhere"),
        (["--checkouts", "/nowhere"], "no packages in /nowhere"),
        (["--colour"], "unrecognized arguments: --colour"),
    ],
)
def test_wrong_input_is_told(flags, says, tmp_path):
    ended = dist(tmp_path, *flags)
    assert ended.returncode != 0
    assert says in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not list(tmp_path.iterdir())
