"""Sends a request with the standard library."""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit


class HttpAnswer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


Send = Callable[[str, Mapping[str, str], bytes, int], HttpAnswer]
"""Sends a POST, given address, headers, body and milliseconds, and raises where no answer came."""


def http_post(url: str, headers: Mapping[str, str], body: bytes, timeout_ms: int) -> HttpAnswer:
    """Follows no redirect: a signed request belongs to the one address that it was sent to."""
    deadline = time.monotonic() + timeout_ms / 1000
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.netloc, timeout=timeout_ms / 1000)
    try:
        connection.request("POST", parts.path, body, dict(headers))
        response = connection.getresponse()
        chunks: list[bytes] = []
        while chunk := response.read1(65_536):
            chunks.append(chunk)
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError("The answer is too slow.")
            if connection.sock is not None:
                connection.sock.settimeout(left)
        names = {name.lower(): value for name, value in response.getheaders()}
        return HttpAnswer(response.status, names, b"".join(chunks))
    finally:
        connection.close()
