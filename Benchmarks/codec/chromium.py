"""Runs wasm.mjs in Chromium: what decoding costs in a real page."""
import functools
import http.server
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHROMIUM = os.environ.get("CHROMIUM", "chromium-headless-shell")
PAGE = """<!doctype html><script type="module">
import { page } from "/wasm.mjs";
const bytes = async (path) => (await fetch(path)).arrayBuffer();
const found = await page(await bytes("/pit.wasm"), await bytes("/messages"), BODIES);
await fetch("/found", { method: "POST", body: JSON.stringify(found) });
</script>"""
SECONDS = 60


class Handler(http.server.BaseHTTPRequestHandler):
    def __init__(self, files, found, *arguments):
        self.files, self.found = files, found
        super().__init__(*arguments)

    def do_POST(self):
        self.found.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

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
    found = queue.Queue()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, files, found))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen(
            [CHROMIUM, "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
             f"http://127.0.0.1:{server.server_port}/"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        try:
            return found.get(timeout=SECONDS)
        except queue.Empty:
            return None
        finally:
            browser.terminate()
            browser.wait()
            server.shutdown()
            server.server_close()
