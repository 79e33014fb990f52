"""What an event needs: a certificate that the server makes, a QR code and letters to join by."""

import http.client
import json
import os
import pty
import re
import signal
import ssl
import subprocess
import urllib.error
import urllib.request

import pytest
from pitserver import PATIENCE, ROOT, STICKERPIT, until
from test_reload import certificate, presented


def own(tmp_path):
    return tmp_path / "data/tls/certificate.pem"


def secure(pit, path, trusted):
    """What the server answers to somebody who trusts one certificate only, and checks names."""
    context = ssl.create_default_context(cafile=trusted)
    url = f"https://localhost:{pit.port}{path}"
    with urllib.request.urlopen(url, timeout=PATIENCE, context=context) as answer:
        return answer.read()


def test_its_own_certificate_is_kept_and_counts_for_its_names(start_pit, tmp_path):
    flags = ["--data", tmp_path / "data", "--tls-self-signed"]
    pit = start_pit(*flags)
    assert pit.scheme == "https"
    assert secure(pit, "/api/venue", own(tmp_path))
    first = own(tmp_path).read_text()
    assert (own(tmp_path).parent / "key.pem").stat().st_mode & 0o077 == 0
    until(lambda: any("made just now" in line for line in pit.lines))
    assert pit.stop() == 0
    again = start_pit(*flags)
    assert presented(again).strip() == first.strip() == own(tmp_path).read_text().strip()
    until(lambda: any("kept from before" in line for line in again.lines))
    subjects = subprocess.run(
        ["openssl", "x509", "-in", own(tmp_path), "-noout", "-ext", "subjectAltName"],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert "DNS:localhost" in subjects and "IP Address:127.0.0.1" in subjects


@pytest.mark.parametrize("damage", ["other names", "expired", "no key", "cut off"])
def test_a_certificate_that_does_not_do_is_made_anew(start_pit, tmp_path, damage):
    folder = tmp_path / "data/tls"
    folder.mkdir(parents=True)
    days = "3" if damage == "expired" else "90"
    names = "DNS:else.where" if damage == "other names" else "DNS:localhost"
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", days, "-subj",
            "/CN=x", "-addext", f"subjectAltName={names}", "-keyout", folder / "key.pem",
            "-out", folder / "certificate.pem",
        ],
        check=True, capture_output=True,
    )  # fmt: skip
    if damage == "no key":
        (folder / "key.pem").unlink()
    if damage == "cut off":
        (folder / "certificate.pem").write_text("-----BEGIN CERTIFICATE-----\nMII")
    pit = start_pit("--data", tmp_path / "data", "--tls-self-signed")
    assert secure(pit, "/api/venue", own(tmp_path))


def test_a_folder_that_takes_no_certificate_is_said(stickerpit, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data/tls").write_text("no folder")
    done = stickerpit("serve", "--port", 0, "--data", tmp_path / "data", "--tls-self-signed")
    assert done.returncode == 1 and "certificate" in done.stderr and "data/tls" in done.stderr


def test_two_certificates_are_one_too_many(stickerpit):
    done = stickerpit("serve", "--tls-self-signed", "--tls-cert", "a.pem", "--tls-key", "b.pem")
    assert done.returncode == 2 and "leave one of them out" in done.stderr


def test_a_certificate_that_changes_is_presented_without_a_word(start_pit, tmp_path):
    certificate(tmp_path / "tls", "one")
    files = ["--tls-cert", tmp_path / "tls/cert.pem", "--tls-key", tmp_path / "tls/key.pem"]
    pit = start_pit(*files)
    before = presented(pit)
    idle = http.client.HTTPSConnection(
        "127.0.0.1", pit.port, context=ssl._create_unverified_context(), timeout=PATIENCE
    )
    idle.request("GET", "/readyz")
    idle.getresponse().read()
    certificate(tmp_path / "tls", "two")
    after = until(lambda: (new := presented(pit)) != before and new, every=1)
    assert after.strip() == (tmp_path / "tls/cert.pem").read_text().strip()
    # A pair that does not belong together is refused, and said; the one before goes on.
    (tmp_path / "tls/key.pem").write_text("no key")
    until(lambda: any("the old one stays" in line for line in pit.lines))
    assert presented(pit) == after


def on_terminal(*flags):
    """What a server says on a terminal until its world runs."""
    process, terminal = pty.fork()
    if process == 0:
        os.execv(STICKERPIT, [STICKERPIT, "serve", "--port", "0", *map(str, flags)])
    said = b""
    while b"ticking" not in said:
        said += os.read(terminal, 4096)
    os.kill(process, signal.SIGTERM)
    while True:
        try:
            if not os.read(terminal, 4096):
                break
        except OSError:
            break
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    os.close(terminal)
    return said.decode()


def read_qr(said, folder):
    """What a camera reads from the terminal's picture."""
    rows = re.findall("\x1b\\[30;107m(.*?)\x1b\\[0m", said)
    pixels = [
        "".join(("1" if block in "█" + half else "0") * 8 for block in row)
        for row in rows for half in "▀▄" for _ in range(8)
    ]  # fmt: skip
    picture = folder / "code.pbm"
    picture.write_text(f"P1\n{len(pixels[0])} {len(pixels)}\n" + "\n".join(pixels) + "\n")
    command = ["zbarimg", "--quiet", "--raw", picture]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def test_a_terminal_shows_a_code_that_a_camera_reads(tmp_path):
    web = ROOT / "web"
    said = on_terminal("--web", web, "--public-url", "https://Pit.example:8443")
    assert read_qr(said, tmp_path) == "https://pit.example:8443/"
    assert re.search(r"to join +https://pit\.example:8443/j/[A-Z]{4}\b", said)


def test_where_nobody_looks_there_is_no_code(start_pit):
    pit = start_pit("--public-url", "https://pit.example")
    until(lambda: any("/j/" in line for line in pit.lines))
    assert not any("█" in line for line in pit.lines)


class Staying(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


def follow(pit, path):
    """Status and aim of an answer that leads elsewhere."""
    try:
        opener = urllib.request.build_opener(Staying)
        answer = opener.open(f"http://127.0.0.1:{pit.port}{path}", timeout=PATIENCE)
    except urllib.error.HTTPError as refused:
        answer = refused
    return answer.status, answer.headers["Location"]


def test_the_letters_lead_to_the_page(start_pit, tmp_path):
    pit = start_pit("--data", tmp_path)
    venue = pit.ask("/api/venue")
    assert re.fullmatch("[B-DF-HJ-NP-TV-Z]{4}", venue["code"]) and "url" not in venue
    assert follow(pit, f"/j/{venue['code']}") == (302, "/")
    assert follow(pit, f"/j/{venue['code'].lower()}") == (302, "/")
    for other in ("", "AAAA", venue["code"] + "X", "%00", "../x"):
        assert follow(pit, f"/j/{other}")[0] in (400, 404), other
    assert pit.stop() == 0
    assert start_pit("--data", tmp_path).ask("/api/venue") == venue
    assert start_pit().ask("/api/venue") != venue


def test_the_public_address_is_told_and_let_in(start_pit):
    pit = start_pit("--public-url", "https://pit.example")
    assert pit.ask("/api/venue")["url"] == "https://pit.example"
    request = urllib.request.Request(
        f"http://127.0.0.1:{pit.port}/api/venue", headers={"Host": "pit.example"}
    )
    assert json.load(urllib.request.urlopen(request, timeout=PATIENCE))["url"]


@pytest.mark.parametrize("url", ["pit.example", "https://pit.example/x", "ftp://pit.example", ""])
def test_a_public_address_that_is_none_is_refused(stickerpit, url):
    done = stickerpit("serve", "--public-url", url)
    assert done.returncode == 2 and "--public-url must be an address such as" in done.stderr
