"""A module as the job's result."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch


def onnx_export(module: torch.nn.Module, *example: torch.Tensor, names: tuple[str, ...] = ()) -> Callable[[Path], str]:
    """For `steps(export=…)`: writes the module, as it answers in evaluation, as an ONNX model.

    `example` are inputs as the module takes them; their first dimension is that of the batch, and may differ in
    requests. `names` are those of the inputs, and of the output after them; default: `x`, `x2`, …, and `y`.
    Needs the packages of `aiplatform-sdk[onnx]`.
    """
    inputs = [f"x{number + 1}" if number else "x" for number in range(len(example))]
    named = list(names or (*inputs, "y"))

    def export(path: Path) -> str:
        training = module.training
        module.eval()
        try:
            device = next((each.device for each in module.parameters()), torch.device("cpu"))
            batch: Any = torch.export.Dim.DYNAMIC
            torch.onnx.export(
                module,
                tuple(each.to(device) for each in example),
                str(path),
                input_names=named[: len(example)],
                output_names=named[len(example) :],
                dynamic_shapes=tuple({0: batch} for _ in example),
                dynamo=True,
                external_data=False,
                verbose=False,
            )
        finally:
            module.train(training)
        return "onnx"

    return export
