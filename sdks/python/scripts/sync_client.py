"""The blocking client, made from the one on asyncio: names change, `async` and `await` go."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

source = Path("src/aiplatform_sdk/client/_async")
target = Path("src/aiplatform_sdk/client/_sync")
names = {
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "async_gateway": "gateway",
}
dropped = {"async", "await"}
_async_name = re.compile(r"^Async(?=[A-Z])")
note = "# Generated from `client/_async` by `python scripts/generate.py`. Do not edit.\n"


def sync_files() -> Iterator[tuple[Path, str]]:
    """Each module of the blocking client: its path in the SDK's folder, and its text."""
    yield target / "__init__.py", note + '"""The client without asyncio."""\n'
    for path in sorted(source.glob("*.py")):
        if path.name != "__init__.py":
            yield target / path.name, _formatted(note + _without_async(path.read_text()), target / path.name)


def _without_async(text: str) -> str:
    """Tokens alone are changed, so texts and comments stay as they are."""
    lines = text.splitlines(keepends=True)
    changed: list[str] = []
    row, column = 1, 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.NAME or token.start < (row, column):
            continue
        changed.append(_between(lines, (row, column), token.start))
        row, column = token.end
        if token.string in dropped:
            # The space behind the word goes with it.
            column += lines[row - 1][column] == " "
        else:
            changed.append(_sync_name(token.string))
    changed.append(_between(lines, (row, column), (len(lines) + 1, 0)))
    return "".join(changed)


def _sync_name(name: str) -> str:
    return names.get(name) or _async_name.sub("", name)


def _between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """The text between two places, each a line from 1 and a column from 0."""
    (first, left), (last, right) = start, end
    if first == last:
        return lines[first - 1][left:right]
    middle = "".join(lines[first : last - 1])
    return lines[first - 1][left:] + middle + (lines[last - 1][:right] if last <= len(lines) else "")


def _formatted(text: str, path: Path) -> str:
    for arguments in (("check", "--select", "I", "--fix"), ("format",)):
        command = [
            sys.executable,
            "-m",
            "ruff",
            *arguments,
            "--quiet",
            "--no-cache",
            "--stdin-filename",
            str(path),
            "-",
        ]
        text = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    return text
