"""Each extra that has a module has a page, which shows in a few lines how it is used."""

from __future__ import annotations

import ast
import re

import pytest
from rig import root

from aiplatform_sdk import Platform

max_lines = 15
extras = re.findall(r"^(\w+) = \[\"", (root / "pyproject.toml").read_text().partition("[project.optional")[2], re.M)
sources = {path.stem for path in (root / "src" / "aiplatform_sdk").iterdir()}
modules = sorted(sources.intersection(extras))
pages = {path.stem: path.read_text() for path in (root / "docs").glob("*.md")}
blocks = {name: re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S) for name, text in pages.items()}


def test_there_are_extras_with_modules() -> None:
    assert {"torch", "lightning", "huggingface", "keras", "xgboost", "lightgbm", "sklearn", "sweeps"} == set(modules)


@pytest.mark.parametrize("module", modules)
def test_a_page_says_how_to_install_it_and_uses_it_in_a_few_lines(module: str) -> None:
    shown = [
        (name, block)
        for name, found in blocks.items()
        for block in found
        if f"from aiplatform_sdk.{module} import" in block
    ]
    assert shown
    for name, block in shown:
        ast.parse(block)
        assert len([line for line in block.splitlines() if line]) <= max_lines
        assert f"aiplatform-sdk[{module}]" in pages[name]
        assert f"(docs/{name}.md" in (root / "README.md").read_text()


def test_the_reference_names_what_a_platform_has() -> None:
    page = (root / "docs" / "reference" / "aiplatform_sdk.md").read_text()
    for name in ("runs", "models", "deployments", "pipelines"):
        assert f"`{name}`" in page
        assert hasattr(Platform("http://127.0.0.1:9", "key"), name)
