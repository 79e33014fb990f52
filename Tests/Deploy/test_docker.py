"""The Dockerfile and the compose file, read line by line, and what can be run of them without a
container engine: the builder's folder, without the build, and the last stage in a Debian of its own
(which needs root). No engine says here whether the image can be built."""

import json
import os
import re
import shutil
import subprocess

import pytest
from installed import InstalledPit
from machine import Debian
from pitserver import ROOT, STICKERPIT, until
from programs import DEPLOY, run

FOLDER = DEPLOY / "docker"
NAME = "pit.example"


def instructions():
    """The Dockerfile's stages, each a list of instruction and rest."""
    text = re.sub(r"^\s*#.*\n", "", (FOLDER / "Dockerfile").read_text(), flags=re.MULTILINE)
    stages = []
    for line in text.replace("\\\n", " ").splitlines():
        if line.strip():
            word, rest = line.split(maxsplit=1)
            if word == "FROM":
                stages.append([])
            stages[-1].append((word, " ".join(rest.split())))
    return stages


def packages(stage):
    found = []
    for word, rest in stage:
        for listed in re.findall(r"apt-get install ([^&]*)", rest if word == "RUN" else ""):
            found += [word for word in listed.split() if not word.startswith("-")]
    return found


def copies(stage):
    """Sources of each COPY from the repository."""
    rests = [rest for word, rest in stage if word == "COPY" and "--from=" not in rest]
    return [source for rest in rests for source in rest.split()[:-1]]


def first(stage, word):
    return next(rest for instruction, rest in stage if instruction == word)


@pytest.fixture(scope="module")
def stages():
    builder, final = instructions()
    return builder, final


def test_what_is_copied_is_in_the_repository_and_is_not_ignored(stages):
    let_in = re.findall(r"^!(.*)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    sources = copies(stages[0]) + copies(stages[1])
    assert len(sources) >= 4
    for source in sources:
        tracked = subprocess.run(
            ["git", "ls-files", source], cwd=ROOT, capture_output=True, text=True, check=True
        )
        assert tracked.stdout, f"{source} is not in the repository"
        assert source.split("/")[0] in let_in, f".dockerignore leaves {source} out"


def test_the_manifest_finds_every_folder_that_it_names(stages):
    """SwiftPM builds nothing while a target's folder is missing."""
    manifest = (ROOT / "Package.swift").read_text()
    folders = {path.split("/")[0] for path in re.findall(r'path: "([^"]+)"', manifest)}
    assert folders | {"Sources", "Tests"} <= set(copies(stages[0]))


def context(sources, folder):
    """What an engine would copy of these into a folder, without what .dockerignore leaves out."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    out = [line.removeprefix("**/") for line in lines if line and line[0] not in "!#*/"]
    out += ["__pycache__"]
    listed = subprocess.run(
        ["git", "ls-files", "-z", *sources], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for path in listed.stdout.rstrip("\0").split("\0"):
        if not any(f"/{path}/".find(f"/{each}/") >= 0 for each in out):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, folder / path)


def test_the_package_manager_takes_the_builders_folder(stages, tmp_path):
    """All targets are there, and no more is looked for. What follows is the build of `make deb`."""
    context(copies(stages[0]), tmp_path)
    assert (tmp_path / "web/index.html").exists() and not (tmp_path / "Tests/Fuzz").exists()
    describe = ["package", "--package-path", tmp_path, "describe"]
    described = run("swift", *describe)
    assert described.returncode == 0, described.stderr
    assert re.search(r"Name: stickerpit\b", described.stdout)
    shutil.rmtree(tmp_path / "Tests")
    assert run("swift", *describe).returncode != 0


def test_dependencies_are_fetched_before_the_sources_come(stages):
    order = [rest for word, rest in stages[0] if word in ("COPY", "RUN")]
    resolved = order.index("swift package resolve")
    assert "Package.swift ./" in order[:resolved] and "Sources Sources" in order[resolved:]


def test_what_comes_from_the_builder_is_made_there(stages):
    made = " ".join(rest for _, rest in stages[0])
    for word, rest in stages[1]:
        if word == "COPY":
            assert rest.startswith("--from=builder ")
            source = rest.split()[1]
            place = source.removeprefix(first(stages[0], "WORKDIR") + "/")
            assert source in made or f" {place} " in made or made.endswith(place), source


@pytest.mark.parametrize("number", [0, 1], ids=["builder", "final"])
def test_debian_has_the_packages(stages, number):
    wanted = packages(stages[number])
    assert len(wanted) > 5
    for package in wanted:
        shown = run("apt-cache", "show", package)
        assert shown.returncode == 0, f"no package {package}; 'apt-get update' may be missing"


def test_the_builder_has_what_setup_installs(stages):
    wanted = re.search(r'^run="([^"]*)"', (ROOT / "scripts/setup").read_text(), re.MULTILINE)[1]
    assert set(wanted.split()) <= set(packages(stages[0]))


def package_of(library):
    # Debian lists a file where the package put it, which may be below /usr.
    for path in (library, f"/usr{library}"):
        found = run("dpkg", "-S", path)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    raise AssertionError(f"{library} belongs to no package")


def brought_by(names):
    """The packages and all that they depend on."""
    only_what_they_need = [
        f"--no-{kind}" for kind in
        ("recommends", "suggests", "conflicts", "breaks", "replaces", "enhances")
    ]  # fmt: skip
    listed = run("apt-cache", "depends", "--recurse", *only_what_they_need, *names)
    assert listed.returncode == 0, listed.stderr
    return {line for line in listed.stdout.splitlines() if not line.startswith((" ", "<"))}


def test_the_final_stage_has_the_libraries_of_the_server(stages):
    listed = run("ldd", STICKERPIT)
    assert listed.returncode == 0 and "not found" not in listed.stdout, listed.stdout
    libraries = re.findall(r"=> (/\S+)", listed.stdout)
    assert len(libraries) > 5
    of_swift = [path for path in libraries if "/swift/linux/" in path]
    builds = [rest for word, rest in stages[0] if word == "RUN" and "swift build" in rest]
    if of_swift:
        assert "--static-swift-stdlib" in builds[0]
    needed = {package_of(path) for path in libraries if path not in of_swift}
    listed = set(packages(stages[1]))
    assert needed - brought_by(listed) == set()
    # Loaded while it runs, so ldd does not know of it.
    assert "libwebsockets-evlib-ev" in listed


def test_the_readme_installs_the_same_libraries(stages):
    text = (DEPLOY / "README.md").read_text()
    named = set(re.search(r"sudo apt-get install (lib.*)\n", text)[1].split())
    # These are on every Debian, or are brought by the others.
    assert set(packages(stages[1])) - named <= {"libssl3", "libstdc++6", "zlib1g", "curl"}


def test_both_stages_are_of_the_same_debian(stages):
    assert "bookworm" in first(stages[0], "FROM") and "bookworm" in first(stages[1], "FROM")


def test_the_image_runs_without_root_and_tells_how_it_is(stages, stickerpit):
    final = stages[1]
    assert first(final, "USER") == "sticker-pit"
    assert first(final, "EXPOSE") == "8080"
    check = first(final, "HEALTHCHECK")
    assert "http://127.0.0.1:8080/readyz" in check and "curl" in packages(final)
    assert json.loads(first(final, "ENTRYPOINT")) == ["/usr/bin/stickerpit"]
    taken = stickerpit(*json.loads(first(final, "CMD")), "--print-config")
    assert taken.returncode == 0, taken.stderr


def test_the_final_stage_serves(stages, base):
    """Its steps, one after the other, in a Debian that has no more of ours than an image would."""
    final = dict(stages[1])
    debian = Debian(base, "docker")
    try:
        for word, rest in stages[1]:
            if word == "RUN":
                debian.run("sh", "-e", "-c", rest)
            elif word == "COPY":
                _, source, place = rest.split()
                if source == "/usr/bin/stickerpit":
                    shutil.copy(STICKERPIT, debian.path(place))
                else:
                    shutil.copytree(ROOT / source.removeprefix("/source/"), debian.path(place))
        command = [*json.loads(final["ENTRYPOINT"]), *json.loads(final["CMD"])]
        pit = InstalledPit(debian, *command, "--port", "0", user=final["USER"])
        until(lambda: pit.health()["tick"] > 0)
        # From where the image says that it looks.
        check = json.loads(final["HEALTHCHECK"].partition(" CMD ")[2])
        check = [word.replace(":8080/", f":{pit.port}/") for word in check]
        assert f":{pit.port}/" in check[-1]
        debian.run(*check)
        assert debian.path(final["VOLUME"] + "/journal.sqlite").exists()
        assert pit.stop() == 0
        ended = subprocess.run(debian.command(*check))
        assert ended.returncode != 0
    finally:
        debian.remove()


@pytest.fixture(scope="module")
def compose():
    # PyYAML comes with Debian's python3-yaml, for Debian's Python.
    read = "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)"
    text = (FOLDER / "compose.yml").read_text()
    text = re.sub(r"\$\{PIT_NAME:\?[^}]*\}", NAME, text)
    assert "${" not in text
    done = subprocess.run(
        ["/usr/bin/python3", "-c", read], input=text, capture_output=True, text=True
    )
    assert done.returncode == 0, f"python3-yaml may be missing: {done.stderr}"
    return json.loads(done.stdout)


def test_the_compose_file_names_what_is_there(compose):
    build = compose["services"]["pit"]["build"]
    context = (FOLDER / build["context"]).resolve()
    assert context == ROOT and (context / build["dockerfile"]).samefile(FOLDER / "Dockerfile")
    kept, bound = set(), 0
    for service in compose["services"].values():
        assert set(service.get("networks", [])) <= set(compose["networks"])
        for volume in service["volumes"]:
            source = volume.split(":")[0]
            if source.startswith("."):
                assert (FOLDER / source).exists(), source
                bound += 1
            else:
                kept.add(source)
    assert bound == 2 and kept == set(compose["volumes"])


def test_every_service_has_no_more_rights_than_it_needs(compose):
    for name, service in compose["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
    pit = compose["services"]["pit"]
    assert pit["ulimits"]["rtprio"] == 2 and "cap_add" not in pit
    assert "world:/var/lib/sticker-pit" in pit["volumes"]


def test_the_server_takes_its_environment(compose, stages):
    environment = compose["services"]["pit"]["environment"]
    command = [STICKERPIT, *json.loads(first(stages[1], "CMD")), "--print-config"]
    taken = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | environment
    )
    assert taken.returncode == 0, taken.stderr
    said = json.loads(taken.stdout)
    assert said["allowed-host"] == [NAME]
    assert said["trusted-proxy"] == [compose["networks"]["edge"]["ipam"]["config"][0]["subnet"]]


def test_metrics_are_for_this_machine_and_where_prometheus_looks(compose):
    published = compose["services"]["pit"]["ports"]
    assert published == ["127.0.0.1:9090:9090"]
    assert compose["services"]["pit"]["environment"]["STICKERPIT_ADMIN_LISTEN"].endswith(":9090")
    assert compose["services"]["prometheus"]["network_mode"] == "host"
    assert '"127.0.0.1:9090"' in (DEPLOY / "prometheus/prometheus.yml").read_text()
    assert compose["services"]["edge"]["environment"]["PIT_ADDRESS"] == "pit:8080"
