"""Where the server is, for those who only know its address, and how its own pages are asked."""

import collections
import json
import re
import ssl
import urllib.request

from pitserver import PATIENCE

# What `Attacker` wants to know of a server.
Target = collections.namedtuple("Target", "scheme port")

# The certificate of a soak is made for it and signed by nobody.
UNCHECKED = ssl.create_default_context()
UNCHECKED.check_hostname, UNCHECKED.verify_mode = False, ssl.CERT_NONE


def page(target, path):
    """What the server answers to a plain request."""
    url = f"{target.scheme}://127.0.0.1:{target.port}{path}"
    context = UNCHECKED if target.scheme == "https" else None
    with urllib.request.urlopen(url, timeout=PATIENCE, context=context) as answer:
        return answer.read().decode()


def health(target):
    return json.loads(page(target, "/healthz"))


def metric(text, name):
    """The sum of a metric's values over its labels, or of those with the labels in `name`."""
    name, _, labels = name.partition("{")
    found = re.findall(rf"^{re.escape(name)}(?:{{(.*)}})? (\S+)$", text, re.MULTILINE)
    wanted = [float(value) for have, value in found if labels.rstrip("}") in have]
    if not wanted:
        raise KeyError(f"the server's metrics have no {name}")
    return sum(wanted)
