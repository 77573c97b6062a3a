"""The pages of `docs` show code that there is."""

from __future__ import annotations

import ast
import importlib
import os
import re
from pathlib import Path

import pytest

os.environ["KERAS_BACKEND"] = "torch"
pages = sorted((Path(__file__).parent.parent.parent / "docs").glob("*.md"))


@pytest.mark.parametrize("page", pages, ids=lambda page: page.stem)
def test_a_page_imports_what_the_sdk_has(page: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    imports = [node for block in blocks for node in ast.walk(ast.parse(block)) if isinstance(node, ast.ImportFrom)]
    assert imports
    for each in imports:
        assert each.module
        module = importlib.import_module(each.module)
        assert all(hasattr(module, name.name) for name in each.names)
