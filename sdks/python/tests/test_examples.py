"""The examples with NumPy and LightGBM, and the program that the page begins with, to their ends.

`frameworks/test_examples.py` steers and kills the examples of all frameworks.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from rig import Rig, root

finished_s = 300.0


def said_by(process: subprocess.Popen[str]) -> str:
    output, errors = process.communicate(timeout=finished_s)
    assert process.returncode == 0, errors
    return output


def test_the_ten_lines_of_the_page_train_to_their_end(rig: Rig, tmp_path: Path) -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```$", (root / "README.md").read_text(), re.M | re.S)[:1]
    (tmp_path / "ten_lines.py").write_text(program)
    assert said_by(rig.start_process(tmp_path / "ten_lines.py")) == "completed\n"
    curve = rig.platform.curve("loss")
    assert [step for step, _ in curve] == list(range(1, 20_001))
    assert curve[-1][1] < 1e-6 < curve[0][1]


def test_numpy_is_finished_by_a_command_with_a_model(rig: Rig) -> None:
    platform = rig.platform
    platform.job.declared = {"configuration": {"learning_rate": 0.001}}
    process = rig.start_process(root / "examples" / "linear_model.py")
    platform.reached(100)
    artifact = platform.outcome_of(platform.command("finish_from_checkpoint"))["applied"]["artifact"]
    assert artifact["format"] == "onnx"
    assert b"MatMul" in platform.uploads[artifact["sha256"]]
    assert said_by(process) == "finished\n"


def test_lightgbm_trains_to_its_end_and_leaves_its_model(rig: Rig) -> None:
    platform = rig.platform
    platform.job.declared = {
        "primary_metric": "valid-l2",
        "primary_metric_goal": "minimize",
        "configuration": {"steps": 40, "save_every": 10},
    }
    assert said_by(rig.start_process(root / "examples" / "lightgbm" / "train.py")) == "completed\n"
    curve = [value for _, value in platform.curve("valid-l2")]
    assert len(curve) == 40
    assert curve[-1] < curve[0]
    assert platform.job.artifact is not None
    assert platform.job.artifact["format"] == "lightgbm"
    assert platform.uploads[platform.job.artifact["sha256"]].startswith(b"tree")
