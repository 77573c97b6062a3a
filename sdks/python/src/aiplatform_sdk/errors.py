"""What goes wrong between a program and the platform."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class SdkError(Exception):
    """Every error of this package."""


@dataclass(frozen=True)
class Problem:
    """What is wrong with one field of a request."""

    loc: tuple[str | int, ...]
    """Where, such as `("body", "name")`."""
    msg: str
    type: str
    """The rule that it breaks."""

    @property
    def field(self) -> str:
        return ".".join(str(part) for part in self.loc)


class PlatformError(SdkError):
    """The platform refused a request, or failed at it."""

    def __init__(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        members = _members_of(body)
        detail = members.get("detail")
        self.status = status
        """HTTP status."""
        self.code = str(members.get("code") or "")
        """Stable word for programs, such as `not_found`. Empty when the answer had none."""
        self.request_id = headers.get("x-request-id", "")
        """Under which the platform's logs know the request."""
        after = headers.get("retry-after", "")
        self.retry_after_s = float(after) if after.isdecimal() else None
        """Seconds after which it may be tried again, where the platform says so."""
        self.problems = tuple(_problem_of(each) for each in detail) if isinstance(detail, list) else ()
        """Of a request that breaks rules: every problem."""
        self.remedy = _remedies.get(self.code) or _remedies_by_status.get(status, "")
        """What to do, where there is general advice."""
        said = "; ".join(f"{problem.field}: {problem.msg}" for problem in self.problems)
        text = said or (detail if isinstance(detail, str) else "") or f"HTTP {status}"
        super().__init__(f"{text} ({self.remedy})" if self.remedy else text)


class PlatformUnreachableError(SdkError):
    """There was no answer."""


class SeveralProcessesError(SdkError):
    """A training runs in several processes, and what it uses does not know of them."""


class StreamFailedError(SdkError):
    """A stream ended with a failure after it had begun."""

    def __init__(self, body: bytes) -> None:
        members = _members_of(body)
        self.code = str(members.get("code") or "")
        """Stable word for programs."""
        super().__init__(str(members.get("detail") or "the stream failed"))


_remedies = {
    "attachment_lost": "another process is the job's trainer; stop this one",
    "quota_exceeded": "delete what is no longer needed, or ask the operator for a higher quota",
}
_remedies_by_status = {
    401: "check the key",
    403: "ask for a key with the permission that this needs",
    404: "check the ids; data of another organisation is answered like this, too",
    413: "send less at a time",
    429: "send fewer requests, or try again later",
}


def _members_of(body: bytes) -> Mapping[str, Any]:
    try:
        parsed = json.loads(body)
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}


def _problem_of(found: Any) -> Problem:
    members = found if isinstance(found, dict) else {}
    loc = members.get("loc")
    return Problem(
        loc=tuple(loc) if isinstance(loc, list) else (),
        msg=str(members.get("msg") or ""),
        type=str(members.get("type") or ""),
    )
