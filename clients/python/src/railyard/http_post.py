"""Sends a request with the standard library."""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit


class HttpAnswer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    """Names may have any case."""
    body: bytes


Send = Callable[[str, Mapping[str, str], bytes, int], HttpAnswer]
"""Sends a POST, given address, headers, body and milliseconds, and raises where no answer came."""


def with_lower_case_names(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def http_post(url: str, headers: Mapping[str, str], body: bytes, timeout_ms: int) -> HttpAnswer:
    """Follows no redirect: a signed request belongs to the one address that it was sent to."""
    clock = _Clock(time.monotonic() + timeout_ms / 1000)
    parts = urlsplit(url)
    tls = ssl.create_default_context() if parts.scheme == "https" else None
    connection = (
        http.client.HTTPSConnection(parts.netloc, context=tls) if tls else http.client.HTTPConnection(parts.netloc)
    )
    try:
        connection.sock = clock.connected(connection.host, connection.port, tls)
        connection.response_class = clock.response
        connection.request("POST", parts.path, body, dict(headers))
        response = connection.getresponse()
        return HttpAnswer(response.status, dict(response.getheaders()), response.read())
    finally:
        connection.close()


class _Clock:
    """Bounds a whole call. `http.client` alone gives each reading the whole time anew."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline

    def left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("The answer is too slow.")
        return left

    def connected(self, host: str, port: int, tls: ssl.SSLContext | None) -> socket.socket:
        sock = socket.create_connection((host, port), self.left())
        try:
            # The body leaves at once, without the receipt of the headers.
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.settimeout(self.left())
            if tls:
                sock = tls.wrap_socket(sock, server_hostname=host)
            sock.settimeout(self.left())
        except BaseException:
            sock.close()
            raise
        return sock

    def response(self, sock: socket.socket, *args: Any, **kwargs: Any) -> http.client.HTTPResponse:
        response = http.client.HTTPResponse(sock, *args, **kwargs)
        response.fp.close()
        response.fp = io.BufferedReader(_Reading(sock, self))
        return response


class _Reading(io.RawIOBase):
    """The bytes that a server sends, until the clock ends."""

    def __init__(self, sock: socket.socket, clock: _Clock) -> None:
        self._sock = sock
        self._clock = clock
        # Holds the socket open after the connection has let it go.
        self._raw = sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(self._clock.left())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()
