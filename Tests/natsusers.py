"""Credentials as NATS' operators give them out: keys (nkeys) and signed claims (JWT), made with openssl's
Ed25519. nats-server's own tool for it, `nsc`, is not in Debian."""

import base64
import json
import subprocess
import tempfile
import time

# The first byte of each kind of key (nats-io/nkeys, "Prefix"), and of a secret one.
OPERATOR, ACCOUNT, USER, SECRET = 14 << 3, 0, 20 << 3, 18 << 3


def openssl(*arguments, given=None):
    return subprocess.run(["openssl", *arguments], check=True, capture_output=True, input=given).stdout


def checksum(data):
    """CRC-16/XMODEM, the lower byte first."""
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc.to_bytes(2, "little")


def text(data):
    return base64.b32encode(data + checksum(data)).decode().rstrip("=")


def url_safe(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Key:
    """A pair of keys of a kind, which can sign claims."""

    def __init__(self, kind):
        self._pem = openssl("genpkey", "-algorithm", "ed25519")
        secret = openssl("pkey", "-outform", "DER", given=self._pem)[-32:]
        public = openssl("pkey", "-pubout", "-outform", "DER", given=self._pem)[-32:]
        self.public = text(bytes([kind]) + public)
        self.seed = text(bytes([SECRET | kind >> 5, (kind & 31) << 3]) + secret)

    def sign(self, name, subject, **claims):
        """Claims of this key about a subject's, as a JWT."""
        head = {"typ": "JWT", "alg": "ed25519-nkey"}
        body = {
            "jti": name, "iat": int(time.time()), "iss": self.public, "name": name,
            "sub": subject.public, "nats": claims | {"version": 2},
        }  # fmt: skip
        signed = ".".join(url_safe(json.dumps(part).encode()) for part in (head, body))
        with tempfile.NamedTemporaryFile() as key, tempfile.NamedTemporaryFile() as content:
            key.write(self._pem)
            content.write(signed.encode())
            key.flush(), content.flush()
            arguments = ["pkeyutl", "-sign", "-rawin", "-inkey", key.name, "-in", content.name]
            return f"{signed}.{url_safe(openssl(*arguments))}"


class Operator:
    """An operator with an account that may keep streams; gives credentials to its users."""

    UNLIMITED = {
        name: -1
        for name in (
            "subs", "data", "payload", "imports", "exports", "conn", "leaf", "mem_storage",
            "disk_storage", "streams", "consumer",
        )
    }  # fmt: skip

    def __init__(self):
        self._key, system = Key(OPERATOR), Key(ACCOUNT)
        self._account = Key(ACCOUNT)
        limits = {"limits": self.UNLIMITED, "type": "account"}
        accounts = {
            system.public: self._key.sign("SYS", system, type="account"),
            self._account.public: self._key.sign("PIT", self._account, **limits),
        }
        operator = self._key.sign("operator", self._key, type="operator")
        loaded = "\n".join(f'{key}: "{claims}"' for key, claims in accounts.items())
        self.lines = f"""
            operator: "{operator}"
            system_account: {system.public}
            resolver: MEMORY
            resolver_preload {{
            {loaded}
            }}
            """

    def credentials(self, account=None):
        """A user's file; signed by another account's key it is worth nothing."""
        user = Key(USER)
        limits = {"subs": -1, "data": -1, "payload": -1, "pub": {}, "sub": {}}
        claims = (account or self._account).sign("server", user, type="user", **limits)
        return (
            f"-----BEGIN NATS USER JWT-----\n{claims}\n------END NATS USER JWT------\n\n"
            f"-----BEGIN USER NKEY SEED-----\n{user.seed}\n------END USER NKEY SEED------\n"
        )
