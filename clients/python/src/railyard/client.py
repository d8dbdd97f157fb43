"""A client for one merchant of a checkout."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NoReturn, TypedDict
from urllib.parse import urlsplit

from .errors import (
    BusyError,
    ErrorAnswer,
    FieldIssue,
    InvalidRequestError,
    RefusedError,
    UnknownOutcomeError,
)
from .http_post import HttpAnswer, Send, http_post, with_lower_case_names
from .messages import CheckedCallback, CheckedReturn, check_callback, check_return
from .signatures import for_order, request_headers, sign_request, signature_of, signed_fields


class _OrderNeeds(TypedDict):
    number: str
    currency: str
    description: str


class Order(_OrderNeeds, total=False):
    amount: str


class _SessionNeeds(TypedDict):
    operation: str
    order: Order
    success_url: str


class Session(_SessionNeeds, total=False):
    """A session as the protocol has it; key and hash are added."""

    methods: Sequence[str]
    cancel_url: str
    expiry_url: str
    error_url: str
    auth: bool
    recurring_init: bool
    customer: Mapping[str, str]
    billing_address: Mapping[str, str]
    parameters: Mapping[str, Mapping[str, Any]]
    custom_data: Mapping[str, Any]


class CreatedSession(TypedDict):
    redirect_url: str
    warnings: list[FieldIssue]


class OnPayment(TypedDict):
    payment_id: str


class AmountOnPayment(OnPayment):
    amount: str


class OnOrder(TypedDict):
    order_id: str


class ChargedOrder(TypedDict):
    number: str
    amount: str
    description: str


class _RecurringChargeNeeds(TypedDict):
    recurring_init_trans_id: str
    recurring_token: str
    order: ChargedOrder


class RecurringCharge(_RecurringChargeNeeds, total=False):
    customer: Mapping[str, str]
    custom_data: Mapping[str, Any]


class _CardCreditNeeds(TypedDict):
    order_id: str
    order_amount: str
    order_currency: str
    order_description: str


class CardCredit(_CardCreditNeeds, total=False):
    """A payout to a card: to its number, or to a saved one."""

    card_number: str
    card_token: str
    payee_first_name: str
    payee_last_name: str
    payee_email: str
    payee_ip: str
    channel_id: str
    custom_data: Mapping[str, Any]


class _PaymentStatusNeeds(TypedDict):
    payment_id: str
    date: str
    status: str
    order: Order


class PaymentStatus(_PaymentStatusNeeds, total=False):
    reason: str
    captured_amount: str
    refunded_amount: str
    recurring_init_trans_id: str
    recurring_token: str


class Accepted(TypedDict):
    """Accepted and begun. A callback reports the outcome."""

    payment_id: str
    result: Literal["accepted"]


class _VoidedNeeds(TypedDict):
    status: Literal["SUCCESS", "FAIL", "WAITING", "UNDEFINED"]
    payment_status: str
    payment_id: str
    date: str
    order: Order


class Voided(_VoidedNeeds, total=False):
    reason: str


class RequestKey(TypedDict):
    id: str
    secret: str


_STATUS = ("payment_id", "date", "status")
_ACCEPTED = ("payment_id", "result")


class Client:
    """A client for one merchant of a checkout.

    Calls return the protocol's own answers. Everything else is raised as a `RailyardError`: `InvalidRequestError`,
    `RefusedError`, `BusyError` or `UnknownOutcomeError`. Amounts are strings, sent and signed byte for byte. With
    `idempotency_key` a repeat of the same request gets the first answer again, for 24 hours. `timeout_ms` of a call
    replaces the client's.
    """

    def __init__(
        self,
        *,
        base_url: str,
        merchant_key: str,
        password: str | None = None,
        request_key: RequestKey | None = None,
        digest: Literal["md5", "sha256"] = "md5",
        callback_secret: str | Sequence[str] = (),
        timeout_ms: int = 60_000,
        send: Send = http_post,
    ) -> None:
        """
        base_url: where the checkout is: `https://pay.example.com`.
        password: signs and is never sent. Not needed beside a `request_key`, which signs more.
        request_key: signs each request in its headers; payouts need it.
        digest: the digest agreed with the checkout. Default: `md5`.
        callback_secret: `whsec_…`, for `verify_callback`; both while it is being replaced.
        timeout_ms: how many milliseconds a call waits for its answer; looking up the host's name is not counted.
            Default: 60 000.
        send: sends the requests. Default: the standard library.
        """
        url = urlsplit(base_url)
        if url.scheme not in ("http", "https") or not url.hostname or "@" in url.netloc or url.query or url.fragment:
            raise ValueError("base_url: expected an address such as https://pay.example.com.")
        if not merchant_key:
            raise ValueError("merchant_key: expected the key that the checkout gave you.")
        if password == "" or (password is None and request_key is None):
            raise ValueError("password: expected the password that the checkout gave you, or a request_key.")
        if request_key is not None and not re.fullmatch("[!-~]+", request_key["id"]):
            raise ValueError("request_key: expected the id that the checkout gave you.")
        if digest not in ("md5", "sha256"):
            raise ValueError("digest: expected md5 or sha256.")
        self._base_url = base_url.rstrip("/")
        self._merchant_key = merchant_key
        self._password = password
        self._request_key = request_key
        self._digest = digest
        self._secrets = (callback_secret,) if isinstance(callback_secret, str) else tuple(callback_secret)
        self._timeout_ms = _checked_timeout(timeout_ms)
        self._send = send
        # Found out here, and not by the first callback or request.
        for secret in (*self._secrets, *([request_key["secret"]] if request_key else [])):
            signature_of(secret, b"")

    def create_session(
        self, session: Session, *, idempotency_key: str | None = None, timeout_ms: int | None = None
    ) -> CreatedSession:
        """Creates a session; send the payer to its `redirect_url`."""
        order = _order_of(session)
        body = {**session, "hash": self._hash(for_order("session", order), order)}
        answer = self._ask("/session", body, ("redirect_url",), idempotency_key, timeout_ms)
        warnings = [_issue_of(each) for each in answer.get("warnings") or []]
        return {"redirect_url": answer["redirect_url"], "warnings": warnings}

    def status(self, payment: OnPayment, *, timeout_ms: int | None = None) -> PaymentStatus:
        """The status of a payment."""
        return self._signed("/payment/status", "status_by_payment", payment, _STATUS, None, timeout_ms)

    def order_status(self, order: OnOrder, *, timeout_ms: int | None = None) -> PaymentStatus:
        """The status of the newest payment of an order."""
        return self._signed("/payment/status", "status_by_order", order, _STATUS, None, timeout_ms)

    def capture(
        self, payment: AmountOnPayment, *, idempotency_key: str | None = None, timeout_ms: int | None = None
    ) -> Accepted:
        """Takes money that is held, whole or in part. A callback reports the outcome."""
        return self._signed("/payment/capture", "capture", payment, _ACCEPTED, idempotency_key, timeout_ms)

    def refund(
        self, payment: AmountOnPayment, *, idempotency_key: str | None = None, timeout_ms: int | None = None
    ) -> Accepted:
        """Gives money back, whole or in part. A callback reports the outcome."""
        return self._signed("/payment/refund", "refund", payment, _ACCEPTED, idempotency_key, timeout_ms)

    def void(
        self, payment: OnPayment, *, idempotency_key: str | None = None, timeout_ms: int | None = None
    ) -> Voided:
        """Takes a settled payment back, before the banks have cleared it.

        `WAITING` and `UNDEFINED` are not final: a callback follows.
        """
        needs = ("payment_id", "status", "payment_status")
        return self._signed("/payment/void", "void", payment, needs, idempotency_key, timeout_ms)

    def recurring(
        self, charge: RecurringCharge, *, idempotency_key: str | None = None, timeout_ms: int | None = None
    ) -> PaymentStatus:
        """Charges again what a first payment agreed to. `pending` also covers an outcome that is not known yet."""
        body = {**charge, "hash": self._hash("recurring", {**charge, **_order_of(charge)})}
        return self._ask("/payment/recurring", body, _STATUS, idempotency_key, timeout_ms)

    def retry(
        self, payment: OnPayment, *, idempotency_key: str | None = None, timeout_ms: int | None = None
    ) -> Accepted:
        """Tries a charge again that was declined softly. A callback reports the outcome."""
        return self._signed("/payment/retry", "retry", payment, _ACCEPTED, idempotency_key, timeout_ms)

    def credit(
        self, payout: CardCredit, *, idempotency_key: str | None = None, timeout_ms: int | None = None
    ) -> Accepted:
        """Pays out to a card, to its number or to a saved one. A callback reports the outcome."""
        body = {**payout, "hash": self._hash("card_credit", payout)}
        return self._ask("/payment/card/credit", body, _ACCEPTED, idempotency_key, timeout_ms)

    def verify_callback(
        self, body: bytes | str, headers: Mapping[str, str], *, now: float | None = None
    ) -> CheckedCallback:
        """Checks that a callback comes from the checkout, whole and unchanged, and reads it.

        `body` is as it came, before anything parsed it. Keep each `webhook_id` that you have handled: the same callback
        can come again. `now` is seconds since 1970; default: now.
        """
        if not self._secrets:
            raise ValueError("callback_secret: the client was given none.")
        data = body.encode() if isinstance(body, str) else body
        return check_callback(data, headers, self._secrets, time.time() if now is None else now)

    def verify_return(self, query: str, order: Order, *, now: float | None = None) -> CheckedReturn:
        """Checks that a return names a payment of this order, and with the `callback_secret` what its status was.

        Deliver on a callback, not on a return. Without the secret only a session that was signed with a to z alone
        upper-cased is recognised, as this client signs. `order` is your own record. `now` is seconds since 1970; default: now.
        """
        return check_return(
            query,
            order,
            merchant_key=self._merchant_key,
            secrets=self._secrets,
            password=self._password,
            digest=self._digest,
            now=time.time() if now is None else now,
        )

    def _hash(self, formula: str, fields: Mapping[str, Any]) -> str | None:
        signed = signed_fields(formula, fields)
        return None if self._password is None else sign_request(formula, signed, self._password, self._digest)

    def _signed(
        self,
        path: str,
        formula: str,
        given: Mapping[str, Any],
        needs: Sequence[str],
        idempotency_key: str | None,
        timeout_ms: int | None,
    ) -> Any:
        """A call that sends exactly the fields that it signs."""
        body = {**signed_fields(formula, given), "hash": self._hash(formula, given)}
        return self._ask(path, body, needs, idempotency_key, timeout_ms)

    def _ask(
        self,
        path: str,
        body: Mapping[str, Any],
        needs: Sequence[str],
        idempotency_key: str | None,
        timeout_ms: int | None,
    ) -> Any:
        if idempotency_key is not None and not re.fullmatch("[!-~]{1,255}", idempotency_key):
            raise ValueError("idempotency_key: expected 1 to 255 visible ASCII characters.")
        path = f"/api/v1{path}"
        fields = {"merchant_key": self._merchant_key, **body}
        data = json.dumps({name: value for name, value in fields.items() if value is not None}).encode()
        headers = {"content-type": "application/json"}
        if idempotency_key is not None:
            headers["idempotency-key"] = idempotency_key
        if self._request_key is not None:
            headers |= request_headers(self._request_key["id"], self._request_key["secret"], path, data)
        call = f"POST {path}"
        timeout = _checked_timeout(self._timeout_ms if timeout_ms is None else timeout_ms)
        answer = _read_answer(call, self._answer_of(call, path, headers, data, timeout))
        if not all(isinstance(answer.get(name), str) for name in needs):
            told = ErrorAnswer(call, 200, None, _text_of(answer, "request_id"))
            raise UnknownOutcomeError("HTTP 200, and not an answer of this call.", told)
        return answer

    def _answer_of(self, call: str, path: str, headers: Mapping[str, str], data: bytes, timeout_ms: int) -> HttpAnswer:
        deadline = time.monotonic() + timeout_ms / 1000
        try:
            return self._send(self._base_url + path, headers, data, timeout_ms)
        except Exception as failed:
            # By the clock: each library has its own error for a time-out.
            timed_out = time.monotonic() >= deadline
            why = f"No answer came within {timeout_ms} ms." if timed_out else "The connection failed before an answer came."
            raise UnknownOutcomeError(why, ErrorAnswer(call), timed_out=timed_out) from failed


def _read_answer(call: str, answer: HttpAnswer) -> dict[str, Any]:
    """The body of a good answer; what the service says of any other is raised."""
    try:
        body = json.loads(answer.body)
    except ValueError:
        body = None
    if answer.status == 200 and isinstance(body, dict):
        return body
    _raise_for(call, answer, body if isinstance(body, dict) else {})


def _raise_for(call: str, answer: HttpAnswer, body: Mapping[str, Any]) -> NoReturn:
    status, reason, request_id = answer.status, _text_of(body, "error_message"), _text_of(body, "request_id")
    if reason is None:
        told = ErrorAnswer(call, status, None, request_id)
        raise UnknownOutcomeError(f"HTTP {status}, and not an answer of a checkout.", told)
    told = ErrorAnswer(call, status, str(body.get("error_code", status)), request_id)
    if status in (409, 429):
        after = with_lower_case_names(answer.headers).get("retry-after", "")
        seconds = int(after) if re.fullmatch("[0-9]{1,9}", after) else 1
        raise BusyError(f"HTTP {status}: {reason}", seconds, told)
    if not 400 <= status < 500:
        raise UnknownOutcomeError(f"HTTP {status}: {reason}", told)
    errors = body.get("errors")
    if isinstance(errors, list) and errors:
        raise InvalidRequestError([_issue_of(each) for each in errors], told)
    raise RefusedError(reason, told, hint=_text_of(body, "hint"))


def _issue_of(entry: object) -> FieldIssue:
    """An entry of `errors` or `warnings`: `<path>: <text>`. A path has no spaces, a text without one has."""
    given = entry if isinstance(entry, dict) else {}
    text = str(given.get("error_message", ""))
    code = str(given.get("error_code", 0))
    parts = re.fullmatch(r"([^\s:]+): (.*)", text, re.DOTALL)
    path, message = (parts[1], parts[2]) if parts else ("", text)
    return FieldIssue(path, message, int(code) if re.fullmatch("[0-9]{1,9}", code) else 0, _text_of(given, "hint"))


def _text_of(fields: Mapping[str, Any], name: str) -> str | None:
    value = fields.get(name)
    return value if isinstance(value, str) else None


def _order_of(request: Mapping[str, Any]) -> Mapping[str, Any]:
    order = request.get("order")
    if not isinstance(order, Mapping):
        raise TypeError("order: is missing.")
    return order


def _checked_timeout(timeout_ms: int) -> int:
    if timeout_ms < 1:
        raise ValueError("timeout_ms: expected milliseconds above 0.")
    return timeout_ms
