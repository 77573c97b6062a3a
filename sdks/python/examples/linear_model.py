"""Fits a linear model by gradient descent, until a command ends it; its result is an ONNX model."""

from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save_model

from aiplatform_sdk import DictState, Trainer

truth = np.array([1.0, -2.0, 0.5])
values = {"weights": np.zeros(3), "numbers": np.random.default_rng(1)}


def export(path: Path) -> str:
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n"])
    weights = numpy_helper.from_array(values["weights"].astype(np.float32), "weights")
    graph = helper.make_graph([helper.make_node("MatMul", ["x", "weights"], ["y"])], "linear", [x], [y], [weights])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    save_model(model, str(path))
    return "onnx"


with Trainer.attach() as job:
    for step in job.steps(total=100_000_000, state=DictState(values), checkpoint_every=5_000, export=export):
        x = values["numbers"].normal(size=(32, 3))
        error = x @ (values["weights"] - truth)
        values["weights"] = values["weights"] - job.settings["learning_rate"] * x.T @ error / 32
        if step % 100 == 0:
            job.log(loss=np.mean(error**2), learning_rate=job.settings["learning_rate"])
print(job.outcome)
