"""What test_readme.py does with each block of deploy/README.md: a table in the file's order."""

from dataclasses import dataclass, field

HOST = "-H 'Host: pit.example'"
EDIT_NAME = (
    "sed -i 's/\"allowed-host\": \\[\\]/\"allowed-host\": [\"pit.example\"]/'"
    " /etc/sticker-pit/serve.json\n"
    "grep -q pit.example /etc/sticker-pit/serve.json"
)
SERVES = (
    "systemctl is-active sticker-pit.service sticker-pit.socket\n"
    "systemctl is-enabled sticker-pit.service sticker-pit.socket\n"
    "curl -fsS http://127.0.0.1:8080/healthz\n"
    "curl -fsS http://127.0.0.1:8080/pit.wasm | head -c 4 | grep -qa asm\n"
    "curl -fsS http://127.0.0.1:9090/metrics | grep -q ^stickerpit_\n"
)
# Somebody asks all the time while the service is started again: not once is there nobody to answer,
# because the socket's unit holds the port. They ask less often than an address may.
RESTARTS_REFUSE_NOBODY = """
asked=$(mktemp -d)
(
  while test ! -e $asked/enough; do
    curl -sS -m 30 -o /dev/null -w '%{http_code}\\n' http://127.0.0.1:8080/ 2>&1 ||
      echo "curl ended with $?"
    sleep 0.02
  done
) > $asked/answers &
asker=$!
answered() { wc -l < $asked/answers; }
for restart in 1 2 3; do
  before=$(systemctl show -P MainPID sticker-pit.service)
  systemctl restart sticker-pit.service
  test "$(systemctl show -P MainPID sticker-pit.service)" != "$before"
  lines=$(answered)
  for try in $(seq 100); do test "$(answered)" -gt $((lines + 10)) && break; sleep 0.1; done
  test "$(answered)" -gt $((lines + 10))
done
touch $asked/enough
wait $asker
refused grep -vx 200 $asked/answers
rm -r $asked
"""
# As Let's Encrypt would put it there.
CERTIFICATE = """
folder=/etc/letsencrypt/live/pit.example
mkdir -p $folder
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=pit.example \\
  -addext subjectAltName=DNS:pit.example -keyout $folder/privkey.pem -out $folder/fullchain.pem
"""
THROUGH_TLS = """
ask="curl -sS -k --resolve pit.example:443:127.0.0.1"
for try in 1 2 3 4 5 6 7 8 9 10; do $ask -o /dev/null https://pit.example/ && break; sleep 0.5; done
$ask -f https://pit.example/ | grep -q '<title>'
test "$($ask -o /dev/null -w '%{http_code}' https://pit.example/metrics)" = 404
"""


@dataclass
class Step:
    """A block, known by its first line."""

    first: str
    # Why it can't be run here; then nothing else is said.
    not_here: str = ""
    # What is run in place of a line's beginning, and why.
    instead: dict = field(default_factory=dict)
    # What the text around the block asks the reader to do before, as root.
    before: str = ""
    # What must be true afterwards, as root. "refused" begins a command that must fail: the shell
    # goes on after "!".
    after: str = ""


NO_BUILD = "a build takes minutes: the program under test is there, with the page"
NO_ENGINE = "no container engine is here; test_docker.py runs the Dockerfile's steps without one"
FOR_EVER = "it runs until it is stopped, which timeout does with a signal"

STEPS = [
    # The Debian package.
    Step(
        "make deb",
        instead={"make deb": ("mv first.deb .build-static/deb/sticker-pit_1_amd64.deb", NO_BUILD)},
        after=SERVES
        + f"refused curl -fsS {HOST} http://127.0.0.1:8080/\n"
        + RESTARTS_REFUSE_NOBODY,
    ),
    Step(
        "stickerpit serve --config /etc/sticker-pit/serve.json --print-config",
        before=EDIT_NAME,
        after=f"curl -fsS {HOST} http://127.0.0.1:8080/ | grep -q '<title>'",
    ),
    Step(
        "make deb",
        instead={
            "make deb": (
                "rm .build-static/deb/*.deb\n"
                "mv second.deb .build-static/deb/sticker-pit_2_amd64.deb #",
                NO_BUILD,
            )
        },
        after=SERVES + "dpkg-query -W -f '${Version}' sticker-pit | grep -q '+1$'\n"
        "journalctl --sync\njournalctl -u sticker-pit | grep -q 'the world goes on'\n"
        "grep -q pit.example /etc/sticker-pit/serve.json",
    ),
    Step(
        "sudo apt remove sticker-pit",
        after="refused systemctl is-active sticker-pit.service\n"
        "refused systemctl is-active sticker-pit.socket\n"
        "refused pgrep stickerpit\n"
        "refused id sticker-pit\n"
        "test ! -e /var/lib/sticker-pit -a ! -e /etc/sticker-pit -a ! -e /usr/bin/stickerpit",
    ),
    Step(
        "make dist",
        instead={"make dist": ("mv archives .build-static/dist", NO_BUILD)},
    ),
    # By hand, on a machine that has no library of it.
    Step(
        "make build web SWIFT_BUILD_FLAGS=--static-swift-stdlib",
        before="apt-get autoremove -qq\nrefused dpkg-query -W libwebsockets17",
        instead={"make build web": ("test -x .build/release/stickerpit # ", NO_BUILD)},
        after="stickerpit --version",
    ),
    Step("sudo systemctl daemon-reload", before=EDIT_NAME, after=SERVES),
    # Behind nginx or Caddy.
    Step(
        "sudo systemctl edit sticker-pit.socket",
        before="sed -i 's|// \"trusted-proxy\"|\"trusted-proxy\"|' /etc/sticker-pit/serve.json",
        instead={
            "sudo systemctl edit": (
                "sudo install -d /etc/systemd/system/sticker-pit.socket.d\n"
                "printf '[Socket]\\nListenStream=\\nListenStream=127.0.0.1:8080\\n' |"
                " sudo tee /etc/systemd/system/sticker-pit.socket.d/override.conf\n"
                "sudo systemctl daemon-reload #",
                "it wants a terminal, and does just that",
            )
        },
        after=SERVES + "refused curl -sS http://127.0.0.2:8080/\n"
        "stickerpit serve --config /etc/sticker-pit/serve.json --print-config |"
        " grep -q '\"trusted-proxy\": \\[\"127.0.0.1\"\\]'",
    ),
    Step(
        "sudo apt-get install nginx-light",
        before=CERTIFICATE,
        instead={
            "sudo nginx -t": (
                "sudo sed -i 's/worker_connections 768;/worker_connections 16384;/;"
                " 1i worker_rlimit_nofile 32768;' /etc/nginx/nginx.conf\nsudo nginx -t",
                "the text has this file edited, which the block's first line brings",
            )
        },
        after=THROUGH_TLS + "grep -q 'worker_connections 16384' /etc/nginx/nginx.conf",
    ),
    Step(
        "sudo apt-get install caddy",
        before="systemctl stop nginx\n"
        # Without a network there is no authority that would give it a certificate.
        "sed -i 's/^{$PIT_NAME:pit.example} {$/&\\n\\ttls internal/' deploy/caddy/Caddyfile\n"
        "grep -q 'tls internal' deploy/caddy/Caddyfile",
        after=THROUGH_TLS,
    ),
    # With Docker.
    Step(
        "PIT_NAME=pit.example docker compose -f deploy/docker/compose.yml up --build --detach",
        not_here=NO_ENGINE,
    ),
    Step("docker build -f deploy/docker/Dockerfile -t sticker-pit .", not_here=NO_ENGINE),
    # Several pits.
    Step(
        "sudo install -m 644 deploy/systemd/serve.json /etc/sticker-pit/hall.json",
        # What the comment of the block says, by the editor that sudoedit takes.
        before="""cat > /usr/bin/editor <<'END'
#!/bin/sh
for file; do :; done
sed -i 's/"admin-listen".*/"port": 8081, "admin-listen": "127.0.0.1:9191",/' "$file"
sed -i 's/^}/"host": "127.0.0.1"}/' "$file"
END
chmod 755 /usr/bin/editor""",
        after="systemctl is-active sticker-pit@hall\n"
        "curl -fsS http://127.0.0.1:8081/healthz\n"
        "curl -fsS http://127.0.0.1:9191/metrics | grep -q ^stickerpit_\n"
        "test $(stat -c %U:%a /var/lib/sticker-pit-hall) = sticker-pit:700\n" + SERVES,
    ),
    # Watching.
    Step(
        "stickerpit serve --admin-listen 127.0.0.1:9090",
        before="systemctl stop sticker-pit.socket sticker-pit.service",
        instead={
            "stickerpit serve": ("ended timeout 3 stickerpit serve", FOR_EVER),
            "prometheus --config.file": ("ended timeout 3 prometheus --config.file", FOR_EVER),
        },
        after="journalctl --sync\njournalctl -u sticker-pit | grep -q ticking",
    ),
]
