"""The errors of a call. None carries a password, a secret, a hash or the body of a request."""

from __future__ import annotations

import copyreg
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class FieldIssue:
    """One thing that is wrong with a request."""

    path: str
    """Dotted: `order.amount`. Empty where the service names no field."""
    message: str
    code: int
    hint: str | None = None
    """The values that the field takes, where they are known."""


@dataclass(frozen=True)
class ErrorAnswer:
    """The call and its answer, which every error names."""

    call: str
    """The request: `POST /api/v1/payment/refund`."""
    status: int | None = None
    """The HTTP status of the answer, where one came."""
    error_code: str | None = None
    """`error_code` of the answer: `101000` for a payment that does not exist."""
    request_id: str | None = None
    """The service's own name for the request; quote it when you ask its operator."""


class RailyardError(Exception):
    """An error of a call. `kind` is `invalid`, `refused`, `busy` or `unknown`."""

    kind: ClassVar[str]

    def __init__(self, message: str, told: ErrorAnswer) -> None:
        super().__init__(f"{told.call}: {message}")
        self.call = told.call
        self.status = told.status
        self.error_code = told.error_code
        self.request_id = told.request_id

    def __reduce__(self) -> tuple[object, ...]:
        """Also pickles: Exception would call the class with the message alone."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__


class InvalidRequestError(RailyardError):
    """Fields are wrong. Nothing was done: correct them and send the request again."""

    kind = "invalid"

    def __init__(self, issues: list[FieldIssue], told: ErrorAnswer) -> None:
        lines = (f"{each.path}: {each.message}" if each.path else each.message for each in issues)
        super().__init__(" ".join(lines), told)
        self.issues = issues


class RefusedError(RailyardError):
    """The request is well formed and cannot be done: a duplicate, a refund above the rest. Nothing was done.

    `hint` says more about the refusal, where the service says more.
    """

    kind = "refused"

    def __init__(self, reason: str, told: ErrorAnswer, *, hint: str | None = None) -> None:
        super().__init__(reason, told)
        self.reason = reason
        self.hint = hint


class BusyError(RailyardError):
    """Too many requests, or one with this idempotency key is still being handled.

    Send it again after `retry_after_seconds`.
    """

    kind = "busy"

    def __init__(self, message: str, retry_after_seconds: int, told: ErrorAnswer) -> None:
        super().__init__(message, told)
        self.retry_after_seconds = retry_after_seconds


class UnknownOutcomeError(RailyardError):
    """No answer came, or none that can be read: the outcome is unknown, and it is never a decline.

    Ask for the status, or send the request again with the same `idempotency_key`, which has an effect once at most.
    `timed_out` says that no answer came within `timeout_ms`.
    """

    kind = "unknown"

    def __init__(self, why: str, told: ErrorAnswer, *, timed_out: bool = False) -> None:
        super().__init__(f"{why} Whether anything was done is unknown.", told)
        self.timed_out = timed_out
