# Generated from `client/_async` by `python scripts/generate.py`. Do not edit.
"""Models, deployments and predictions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from ...contract import CustomServingDeployment, ModelVersion
from ...contract import Model as ModelRead
from ..requests import Deadline, Json, Progress, quoted
from ..tensors import arrays_of, request_of
from .connection import Connection

rolling_out = {"Queued", "InProgress"}
on_the_way = {"Pending", "Deploying", "Updating"}
poll_s = 0.5


class Models:
    """What training has produced."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(
        self, *, filter: str | None = None, order_by: str | None = None, limit: int | None = None
    ) -> Iterator[ModelRead]:
        query = {"filter": filter, "order_by": order_by}
        return self._connection.pages("/platform/models", query, limit=limit)

    def get(self, model_id: str) -> ModelRead:
        return cast(ModelRead, self._connection.json("GET", f"/platform/models/{quoted(model_id)}"))

    def versions(self, model_id: str, *, limit: int | None = None) -> Iterator[ModelVersion]:
        """Newest first."""
        return self._connection.pages(f"/platform/models/{quoted(model_id)}/versions", limit=limit)

    def wait_for_pipeline(self, pipeline_id: str, *, within_s: float = 60.0) -> ModelRead:
        """The model of a pipeline once it has a version that is ready. Raises NotSettledError after `within_s`."""
        deadline = Deadline(within_s)
        while True:
            for model in self.list():
                if model["pipeline_id"] == pipeline_id and model["newest_ready_version_id"] is not None:
                    return model
            deadline.check(f"no version of pipeline {pipeline_id} is ready")
            self._connection.pause(poll_s)


class Deployments:
    """Models that answer."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def create(self, model_id: str) -> Deployment:
        """Deploys the newest version of a model that is ready."""
        created = self._connection.json("POST", "/deployments/", body={"model_id": model_id})
        return self.get(created["id"])

    def get(self, deployment_id: str) -> Deployment:
        path = f"/platform/deployments/{quoted(deployment_id)}"
        return Deployment(self._connection, self._connection.json("GET", path))


class Deployment:
    """A deployment. `read` is what the platform has answered last."""

    def __init__(self, connection: Connection, read: CustomServingDeployment) -> None:
        self._connection = connection
        self.read = read

    @property
    def id(self) -> str:
        return self.read["id"]

    @property
    def status(self) -> str:
        return self.read["status"]

    @property
    def _path(self) -> str:
        return f"/platform/deployments/{quoted(self.id)}"

    @property
    def _model_path(self) -> str:
        return f"{self._path}/v2/models/{quoted(self.read['service_name'])}"

    def refresh(self) -> Deployment:
        self.read = self._connection.json("GET", self._path)
        return self

    def wait(
        self, *, within_s: float | None = 300.0, on_progress: Progress[CustomServingDeployment] | None = None
    ) -> Deployment:
        """Returns when the latest rollout has ended, well or badly. Raises NotSettledError after `within_s`.

        `on_progress` is called with what each look has found.
        """
        deadline = Deadline(within_s)
        while self.read["rollout_status"] in rolling_out or self.status in on_the_way:
            deadline.check(f"deployment {self.id} is {self.status}")
            self._connection.pause(poll_s)
            self.refresh()
            if on_progress is not None:
                on_progress(self.read)
        return self

    def describe(self) -> Json:
        """The tensors that the model takes and gives."""
        return cast(Json, self._connection.json("GET", self._model_path))

    def predict(self, inputs: Mapping[str, Any] | None = None, **named: Any) -> dict[str, Any]:
        """Outputs by their names, for arrays by the names of the inputs. It needs NumPy."""
        data, headers = request_of({**(inputs or {}), **named})
        answer = self._connection.request("POST", f"{self._model_path}/infer", data=data, headers=headers)
        return arrays_of(answer)

    def delete(self) -> None:
        self.read = self._connection.json("DELETE", self._path)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id} {self.status}>"
