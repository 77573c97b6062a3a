from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from trainer_process import Bench


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--driver", required=True, help="The command that runs the driver of a trainer.")


@pytest.fixture
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(shlex.split(request.config.getoption("--driver")), tmp_path / "job")
    with bench.platform:
        try:
            yield bench
        finally:
            bench.end()
