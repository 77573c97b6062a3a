"""Declares a run for `linear_model.py` and prints where it is, as variables of a shell."""

import uuid

from aiplatform_sdk import Platform

platform = Platform()
pipeline = platform.pipelines.create(f"Linear model {uuid.uuid4().hex[:8]}")
job = {
    "name": "train",
    "primary_metric": "loss",
    "primary_metric_goal": "minimize",
    "configuration": {"learning_rate": 0.001},
    "overrides": [{"key": "learning_rate", "type": "number", "class": "hot", "minimum": 0, "maximum": 1}],
}
run = platform.runs.create(pipeline["id"], "first try", jobs=[job])
print(f"export PIPELINE_ID={run.pipeline_id} RUN_ID={run.id} JOB_NAME={run.job_name}")
