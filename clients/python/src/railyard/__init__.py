"""A merchant's client for the Railyard checkout."""

from .client import Client
from .errors import (
    BusyError,
    InvalidRequestError,
    RailyardError,
    RefusedError,
    UnknownOutcomeError,
)
from .messages import CheckedCallback, CheckedReturn
from .signatures import request_headers, sign_request, sign_session

__all__ = [
    "BusyError",
    "CheckedCallback",
    "CheckedReturn",
    "Client",
    "InvalidRequestError",
    "RailyardError",
    "RefusedError",
    "UnknownOutcomeError",
    "request_headers",
    "sign_request",
    "sign_session",
]
