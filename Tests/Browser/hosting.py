"""A pit with a host: the server with its token, and the host's page."""

import urllib.request

TOKEN = "sixteen-letters-or-more"

# The token lies where the page keeps it, as if it had been typed before.
KNOWS_TOKEN = f"sessionStorage.setItem('stickerpit.host', '{TOKEN}')"


class HostedPit:
    """`stickerpit serve` with a host's token."""

    def __init__(self, start_pit, folder, *flags, token=TOKEN, **options):
        file = folder / "token"
        file.write_text(token + "\n")
        file.chmod(0o600)
        self.server = start_pit(
            "--bodies", 40, "--seed", 1, "--admin-token-file", file, *flags, **options
        )
        self.url = f"http://127.0.0.1:{self.server.port}/"

    def ask(self, path, method="GET"):
        """The host's interface, as the page uses it; raises `HTTPError` for a refusal."""
        request = urllib.request.Request(f"{self.url}api/host/{path}", method=method)
        request.add_header("Authorization", f"Bearer {TOKEN}")
        with urllib.request.urlopen(request) as answer:
            return answer.read().decode()

    def act(self, path):
        return self.ask(path, "POST")


def host_page(new_page, pit, *size, **options):
    """The page of a host who has shown the token."""
    page = new_page(*size, **options)
    page.page.add_init_script(KNOWS_TOKEN)
    page.join(pit.url + "?host")
    page.page.locator("#host [role=tablist]").wait_for()
    return page


def choose(page, tab):
    page.page.get_by_role("tab", name=tab).click()


def unfold(page, somebody):
    """Shows what can be done about the person of another page."""
    choose(page, "People")
    row = page.page.locator(f"#host li:has(#host-person-{somebody.get('pit.id')})")
    row.locator(".person").click()
    return row


def shows(page, words):
    page.page.locator("#host .message", has_text=words).wait_for()
