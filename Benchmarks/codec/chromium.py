"""Runs wasm.mjs in Chromium: what decoding costs in a real page."""
import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHROMIUM = os.environ.get("CHROMIUM", "chromium")
PAGE = """<!doctype html><pre id="found"></pre><script type="module">
import { page } from "/wasm.mjs";
const bytes = async (path) => (await fetch(path)).arrayBuffer();
const found = await page(await bytes("/pit.wasm"), await bytes("/messages"), BODIES);
document.getElementById("found").textContent = JSON.stringify(found);
</script>"""


class Handler(http.server.BaseHTTPRequestHandler):
    def __init__(self, files, *arguments):
        self.files = files
        super().__init__(*arguments)

    def do_GET(self):
        if self.path not in self.files:
            return self.send_error(404)
        kind, content = self.files[self.path]
        self.send_response(200)
        # Isolated pages have a clock of 5 µs, others one of 100.
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


def is_there():
    return shutil.which(CHROMIUM) is not None


def measure(messages, bodies, module):
    """Decodes the recorded messages in the page's module; microseconds a frame."""
    files = {
        "/": ("text/html", PAGE.replace("BODIES", str(bodies)).encode()),
        "/wasm.mjs": ("text/javascript", (HERE / "wasm.mjs").read_bytes()),
        "/pit.wasm": ("application/wasm", Path(module).read_bytes()),
        "/messages": ("application/octet-stream", Path(messages).read_bytes()),
    }
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, files))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with tempfile.TemporaryDirectory() as profile:
            text = subprocess.run(
                [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
                 "--timeout=60000", "--dump-dom", f"http://127.0.0.1:{server.server_port}/"],
                capture_output=True, text=True, timeout=120,
            ).stdout
    finally:
        server.shutdown()
        server.server_close()
    found = re.search(r'<pre id="found">(\{.*?\})</pre>', text)
    return json.loads(found[1]) if found else None
