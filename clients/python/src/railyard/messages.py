"""The checks of callbacks and returns."""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict
from urllib.parse import parse_qsl

from .http_post import with_lower_case_names
from .signatures import for_order, is_made_by, sign_request

CallbackProblem = Literal["no-signature", "too-old", "too-new", "wrong-signature", "unreadable"]
ReturnProblem = Literal["no-signature", "other-order", "wrong-hash", "wrong-state", "expired-state"]


class Callback(TypedDict):
    """A callback whose signature is right. Keep the ids that you have handled: the same can come again."""

    webhook_id: str
    signed_at: int
    version: int | None
    fields: dict[str, Any]


class VerifiedReturn(TypedDict, total=False):
    """The payment that a return names; `status` only where `state` was checked."""

    payment_id: str
    trans_id: str
    order_id: str
    status: str


class RightCallback(TypedDict):
    ok: Literal[True]
    callback: Callback


class RefusedCallback(TypedDict):
    ok: Literal[False]
    reason: CallbackProblem


RightReturn = TypedDict("RightReturn", {"ok": Literal[True], "return": VerifiedReturn})


class RefusedReturn(TypedDict):
    ok: Literal[False]
    reason: ReturnProblem


CheckedCallback = RightCallback | RefusedCallback
CheckedReturn = RightReturn | RefusedReturn

_CALLBACK_FIELDS = (
    "id",
    "order_number",
    "order_amount",
    "order_currency",
    "order_description",
    "order_status",
    "type",
    "status",
    "hash",
)
_IDS = ("payment_id", "trans_id", "order_id")
_TOLERANCE_SECONDS = 300


def check_callback(
    body: bytes, headers: Mapping[str, str], secrets: Sequence[str], now: float
) -> CheckedCallback:
    given = with_lower_case_names(headers)
    webhook_id, timestamp, signature = (
        given.get(name, "") for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if not webhook_id or not signature or not re.fullmatch("[0-9]{1,12}", timestamp):
        return {"ok": False, "reason": "no-signature"}
    signed_at = int(timestamp)
    if abs(signed_at - now) > _TOLERANCE_SECONDS:
        return {"ok": False, "reason": "too-old" if signed_at < now else "too-new"}
    if not is_made_by(signature, secrets, f"{webhook_id}.{timestamp}.".encode() + body):
        return {"ok": False, "reason": "wrong-signature"}
    fields = _fields_of(body)
    if fields is None or not all(isinstance(fields.get(name), str) for name in _CALLBACK_FIELDS):
        return {"ok": False, "reason": "unreadable"}
    version = given.get("x-payment-version", "")
    callback: Callback = {
        "webhook_id": webhook_id,
        "signed_at": signed_at,
        "version": int(version) if re.fullmatch("[0-9]{1,15}", version) else None,
        "fields": fields,
    }
    return {"ok": True, "callback": callback}


def check_return(
    query: str,
    order: Mapping[str, object],
    *,
    merchant_key: str,
    secrets: Sequence[str],
    password: str | None,
    digest: str,
    now: float,
) -> CheckedReturn:
    """With secrets `state` is checked, without them the legacy hash."""
    pairs = [
        (name, value)
        for name, value in parse_qsl(query.removeprefix("?"), keep_blank_values=True)
        if name in (*_IDS, "state", "hash")
    ]
    found = dict(pairs)
    proof = found.get("state" if secrets else "hash")
    if len(found) < len(pairs) or proof is None or not all(name in found for name in _IDS):
        return {"ok": False, "reason": "no-signature"}
    if found["order_id"] != order.get("number"):
        return {"ok": False, "reason": "other-order"}
    ids: VerifiedReturn = {
        "payment_id": found["payment_id"],
        "trans_id": found["trans_id"],
        "order_id": found["order_id"],
    }
    if secrets:
        return _by_state(ids, proof, merchant_key, secrets, now)
    if password is None:
        raise ValueError("verify_return: give the client a callback_secret or a password.")
    expected = sign_request(for_order("return", order), {**order, **ids}, password, digest)
    if not hmac.compare_digest(expected.encode(), proof.encode()):
        return {"ok": False, "reason": "wrong-hash"}
    return {"ok": True, "return": ids}


def _by_state(
    ids: VerifiedReturn, state: str, merchant_key: str, secrets: Sequence[str], now: float
) -> CheckedReturn:
    parts = re.fullmatch(r"([a-z]{1,32})\.([0-9]{1,12})\.(v1,[A-Za-z0-9+/]+=*)", state)
    if parts is None:
        return {"ok": False, "reason": "wrong-state"}
    status, expires, signature = parts[1], int(parts[2]), parts[3]
    lines = ("return", merchant_key, ids["payment_id"], ids["trans_id"], ids["order_id"], status, str(expires))
    if not is_made_by(signature, secrets, "\n".join(lines).encode()):
        return {"ok": False, "reason": "wrong-state"}
    if expires < now:
        return {"ok": False, "reason": "expired-state"}
    return {"ok": True, "return": {**ids, "status": status}}


def _fields_of(body: bytes) -> dict[str, Any] | None:
    """The fields of a form or of JSON; None for a body that is neither, or a form that gives a name twice."""
    try:
        text = body.decode()
        if text.startswith("{"):
            return json.loads(text)
        return _form(parse_qsl(text, keep_blank_values=True))
    except ValueError:
        return None


def _form(pairs: Sequence[tuple[str, str]]) -> dict[str, Any] | None:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        nested = re.fullmatch(r"(custom_data|extended_data)\[(.*)\]", name, re.DOTALL)
        *groups, last = [nested[1], *nested[2].split("][")] if nested else [name]
        at: Any = fields
        for key in groups:
            at = at.setdefault(key, {})
            if not isinstance(at, dict):
                return None
        if last in at:
            return None
        at[last] = value
    return fields
