"""Writes what is derived from the SDK's sources: `python scripts/generate.py`. With `--check` it changes nothing, names
what is stale, and ends with 1 if anything is.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from sync_client import sync_files
from sync_client import target as sync_folder

root = Path(__file__).parent.parent


def main(check: bool) -> int:
    os.chdir(root)
    stale = _stale(dict(sync_files()), set(sync_folder.glob("*.py")), check)
    # The reader of docstrings needs Python 3.11. It reads what was just written, too.
    if sys.version_info >= (3, 11):
        from api_reference import folder, reference_files

        stale += _stale(dict(reference_files()), set(folder.glob("*.md")), check)
    return 1 if check and stale else 0


def _stale(wanted: dict[Path, str], there: set[Path], check: bool) -> list[Path]:
    """The files that are not as wanted; without `check` they are afterwards."""
    stale = sorted(path for path in {*wanted, *there} if wanted.get(path) != _text_of(path))
    for path in stale:
        if check:
            print(f"{path} is stale: run `python scripts/generate.py`")
        elif path in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path])
        else:
            path.unlink()
    return stale


def _text_of(path: Path) -> str | None:
    return path.read_text() if path.exists() else None


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
