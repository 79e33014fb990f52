"""What an event needs: a certificate that the server makes, a QR code and letters to join by."""

import ipaddress
import json
import os
import pty
import re
import signal
import socket
import ssl
import subprocess
import urllib.error
import urllib.request
import xml.etree.ElementTree

import pytest
from pitserver import PATIENCE, ROOT, STICKERPIT, until
from test_reload import Follower, certificate, presented


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


def test_what_phones_will_say_is_explained(start_pit, tmp_path):
    pit = start_pit("--data", tmp_path / "data", "--tls-self-signed")
    until(lambda: any(str(own(tmp_path)) in line for line in pit.lines))
    said = " ".join(" ".join(pit.lines).split())
    assert "each phone warns once that the connection is not private" in said
    assert "'Advanced' and 'Proceed' (Android)" in said
    assert "'Show Details' and 'visit this website' (iPhone)" in said


def subjects(file):
    """The names and the addresses that a certificate is for, as OpenSSL prints them."""
    printed = subprocess.run(
        ["openssl", "x509", "-in", file, "-noout", "-ext", "subjectAltName"],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    addresses = re.findall(r"IP Address:([0-9A-Fa-f.:]+)", printed)
    return set(re.findall(r"DNS:([^,\s]+)", printed)), set(map(ipaddress.ip_address, addresses))


def test_its_own_certificate_is_for_all_that_this_machine_is_called(start_pit, tmp_path):
    start_pit("--data", tmp_path / "data", "--tls-self-signed")
    names, addresses = subjects(own(tmp_path))
    called = socket.gethostname().lower()
    assert {called, "localhost"} <= names
    assert "." in called or called == "localhost" or f"{called}.local" in names
    # All but the loopback's, and those that count on one cable only.
    told = subprocess.run(["hostname", "-I"], check=True, capture_output=True, text=True).stdout
    others = set(map(ipaddress.ip_address, told.split()))
    assert {ipaddress.ip_address("127.0.0.1"), ipaddress.ip_address("::1")} | others <= addresses


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
    player = Follower(pit)
    assert player.certificate.strip() == before.strip() and player.follows()
    certificate(tmp_path / "tls", "two")
    after = until(lambda: (new := presented(pit)) != before and new, every=1)
    assert after.strip() == (tmp_path / "tls/cert.pem").read_text().strip()
    # Who was here goes on, over the connection that began under the old one.
    assert player.follows() and player.certificate.strip() == before.strip()
    # A pair that does not belong together is refused, and said; the one before goes on.
    (tmp_path / "tls/key.pem").write_text("no key")
    until(lambda: any("the old one stays" in line for line in pit.lines))
    assert presented(pit) == after
    assert player.follows()
    player.close()


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
    assert start_pit("--data", tmp_path).ask("/api/venue")["code"] == venue["code"]
    assert start_pit().ask("/api/venue")["code"] != venue["code"]


def asked(pit, path, host):
    """The answer to a request that names a host."""
    url = f"http://127.0.0.1:{pit.port}{path}"
    request = urllib.request.Request(url, headers={"Host": host})
    return urllib.request.urlopen(request, timeout=PATIENCE)


def test_a_screen_is_told_the_address_by_which_it_came(start_pit):
    pit = start_pit("--allowed-host", "pit.example")
    for host in (f"127.0.0.1:{pit.port}", "pit.example", "192.0.2.7:8080"):
        assert json.load(asked(pit, "/api/venue", host))["address"] == f"http://{host}"
    # A name that is not this server's gets nothing at all.
    with pytest.raises(urllib.error.HTTPError) as refused:
        asked(pit, "/api/join.svg", "elsewhere.example")
    assert refused.value.code == 421


def test_the_address_is_a_picture(start_pit):
    pit = start_pit("--public-url", "https://pit.example")
    answer = asked(pit, "/api/join.svg", "pit.example")
    assert answer.headers["Content-Type"] == "image/svg+xml"
    picture = xml.etree.ElementTree.fromstring(answer.read())
    # Version 2 has 25 modules on a side, and four of margin around them.
    assert picture.attrib["viewBox"] == "0 0 33 33"
    # That a camera reads it, `Tests/Browser/test_stage.py` sees.


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
