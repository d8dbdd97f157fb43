"""The signatures of the protocol: the hash of a request, and the HMAC of requests, callbacks and returns."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets as random
import time
from collections.abc import Mapping, Sequence

from .formulas import FORMULAS


def sign_request(formula: str, fields: Mapping[str, object], password: str, digest: str = "md5") -> str:
    """The `hash` of a request, a callback or a return: 40 lower-case hex digits.

    `fields` are the signed ones, as the strings that are sent. `digest` is `md5`, or `sha256` where the checkout has
    agreed to it.
    """
    if password == "":
        raise ValueError("A merchant password must not be empty.")
    text = "".join(signed_fields(formula, fields).values()) + password
    # Of bytes a to z alone are upper-cased, as PHP does it. The service accepts such hashes.
    inner = hashlib.new(digest, text.encode().upper()).hexdigest()
    return hashlib.sha1(inner.encode()).hexdigest()


def sign_session(order: Mapping[str, object], password: str, digest: str = "md5") -> str:
    """The `hash` of a session. The order has no amount where the payer chooses it."""
    return sign_request(for_order("session", order), order, password, digest)


def for_order(formula: str, order: Mapping[str, object]) -> str:
    """The name of the formula for an order, which may have no amount."""
    return formula if order.get("amount") is not None else f"{formula}_without_amount"


def signed_fields(formula: str, fields: Mapping[str, object]) -> dict[str, str]:
    """The fields that a formula signs, in their order."""
    signed: dict[str, str] = {}
    for name in FORMULAS[formula]:
        value = fields.get(name)
        if not isinstance(value, str):
            example = ' such as "10.00"' if name.endswith("amount") else ""
            wrong = "is missing." if value is None else f"expected a string{example}, got {type(value).__name__}."
            raise TypeError(f"{name}: {wrong}")
        signed[name] = value
    return signed


def request_headers(key: str, secret: str, path: str, body: bytes) -> dict[str, str]:
    """The headers of a signed request. Made anew for each sending: the checkout accepts an id once.

    `secret` is `whsec_` and Base64; `path` stands behind the address of the checkout: `/api/v1/session`.
    """
    request_id = random.token_hex(16)
    timestamp = str(int(time.time()))
    signed = f"{request_id}.{timestamp}.POST {path}\n".encode() + body
    return {
        "request-key": key,
        "request-id": request_id,
        "request-timestamp": timestamp,
        "request-signature": signature_of(secret, signed),
    }


def signature_of(secret: str, signed: bytes) -> str:
    """`v1,` and the Base64 of HMAC-SHA256."""
    made = hmac.new(_key_of(secret), signed, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(made).decode()}"


def is_made_by(header: str, secrets: Sequence[str], signed: bytes) -> bool:
    """Whether one of the signatures, with spaces between them, was made by one of the secrets."""
    given = [each.encode() for each in header.split(" ")]
    expected = [signature_of(secret, signed).encode() for secret in secrets]
    return any([hmac.compare_digest(mine, theirs) for mine in expected for theirs in given])


def _key_of(secret: str) -> bytes:
    text = secret.removeprefix("whsec_")
    if not re.fullmatch(r"[A-Za-z0-9+/]{16,}={0,2}", text):
        raise ValueError('A secret is "whsec_" and Base64.')
    return base64.b64decode(text + "=" * (-len(text) % 4))
