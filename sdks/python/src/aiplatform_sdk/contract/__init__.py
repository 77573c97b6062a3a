"""Generated from docs/openapi.json. Do not edit."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

IDEMPOTENT_OPERATIONS = (
    "POST /platform/automations",
    "POST /platform/automations/{automation_id}/runs",
    "POST /platform/datasets",
    "POST /email-drafts/{draft_id}/send/",
    "POST /platform/email-drafts",
    "POST /platform/datasets/{dataset_id}/versions/{version_id}/embeddings",
    "POST /platform/datasets/{dataset_id}/versions",
    "POST /platform/datasets/{dataset_id}/versions/{version_id}/successors",
    "POST /deployments/",
    "POST /deployments/custom-serving/",
    "POST /platform/deployments/{deployment_id}/rollouts",
    "POST /platform/deployments/{deployment_id}/rollback",
    "POST /platform/deployments/{deployment_id}/promote",
    "POST /platform/models",
    "POST /external-oauth/socialnet/start",
    "POST /platform/external-oauth/{provider}/start",
    "POST /organisations/roles/",
    "POST /workspaces/enable-from-proposal/",
    "POST /platform/assets",
    "POST /platform/pipelines",
    "POST /platform/pipelines/{pipeline_id}/runs",
)
"""Method and path of each operation that takes an `Idempotency-Key`."""


class Checkpoint(TypedDict):
    """A saved training state."""

    id: str
    step: int
    segment_index: int
    metrics: dict[str, float]
    uri: str
    sha256: str
    size_bytes: int
    created_at: str | None
    pruned_at: str | None
    verified_at: str | None
    verification: CheckpointVerification | None


class CustomServingDeployment(TypedDict):
    """A deployment with its rollout."""

    id: str
    name: str
    description: str
    service_name: str
    organisation_id: str
    model_id: str | None
    model_version_id: str | None
    status: DeploymentStatus
    annotations: dict[str, Any]
    created_at: str
    updated_at: str
    target_model_version_id: str | None
    rollout_status: RolloutStatus
    rollout_error: str | None
    rollout_request_id: str
    rollout_queued_at: str
    serverless_run_config: dict[str, Any] | None
    current_deployment_version_id: str | None
    lower_env_deployment_id: str | None
    higher_env_deployment_id: str | None


class Deployment(TypedDict):
    """A deployment as operation 6 answers it."""

    id: str
    name: str
    description: str
    service_name: str
    organisation_id: str
    model_id: str | None
    model_version_id: str | None
    status: DeploymentStatus
    annotations: dict[str, Any]
    created_at: str
    updated_at: str


class JobArtifact(TypedDict):
    """The result of a job."""

    uri: str
    sha256: str
    size_bytes: int
    format: str
    checkpoint_id: str | None


class JobRead(TypedDict):
    """A job as it stands."""

    job: TrainingJob | None
    state: JobState
    last_sequence: int
    position: int
    artifact: JobArtifact | None
    detail: str


class Model(TypedDict):
    """A model."""

    id: str
    name: str
    description: str
    organisation_id: str
    pipeline_id: str | None
    newest_ready_version_id: str | None
    created_at: str
    updated_at: str


class ModelVersion(TypedDict):
    """A version of a model."""

    id: str
    model_id: str
    number: int
    status: ModelVersionStatus
    status_detail: str | None
    format: str
    artifact_sha256: str
    size_bytes: int
    source: ModelVersionSource | None
    deployment_ids: list[str]
    created_at: str


class ModelVersionSource(TypedDict):
    """Where a version came from."""

    pipeline_id: str
    run_id: str
    job_name: str
    checkpoint_id: str | None


class Pipeline(TypedDict):
    """A pipeline."""

    id: str
    name: str
    created_at: str | None
    description: str
    annotations: dict[str, Any]
    updated_at: str
    archived_at: str | None


class Run(TypedDict):
    """A run."""

    id: str
    pipeline_id: str
    name: str
    jobs: list[JobRead]
    created_at: str | None
    tags: dict[str, str]
    notes: str
    parameters: dict[str, Any]
    updated_at: str
    archived_at: str | None
    datasets: list[RunDataset]


class RunDataset(TypedDict):
    """A version of a dataset that a run reads."""

    name: str
    dataset_id: str
    version_id: str
    number: int
    content_sha256: str
    row_count: int
    size_bytes: int


class RunLifecycle(TypedDict):
    """Phases and signs of life of a job."""

    current_phase: str
    phase_started_at: str | None
    elapsed_seconds: int
    heartbeat_at: str | None
    heartbeat_source: str | None
    latest_log: RunLogLine | None
    phases: list[RunPhase]


class RunLiveMetrics(TypedDict):
    """A run as it is now."""

    status: str
    lifecycle: RunLifecycle
    schema_version: str
    sequence: int
    updated_at: str | None
    metrics: dict[str, Any]
    series: dict[str, Any]
    primary_metric: dict[str, Any]
    active_segment: int
    segments: list[RunSegment]
    resources: dict[str, Any]


class RunLogLine(TypedDict):
    """A line of a trainer's log."""

    message: str
    source: str
    timestamp: str


class RunPhase(TypedDict):
    """A phase of a job."""

    name: str
    status: str
    started_at: str | None
    finished_at: str | None
    elapsed_seconds: int


class RunSegment(TypedDict):
    """A stretch of training without a break."""

    index: int
    kind: SegmentKind
    parent_index: int | None
    start_step: int
    end_step: int | None
    checkpoint_id: str | None
    command_id: str | None
    command_sequence: int | None
    archived_from_step: int | None
    overrides: dict[str, Any]
    started_at: str
    ended_at: str | None


class TrainingControlCommandRead(TypedDict):
    """A command as it stands."""

    id: str
    sequence: int
    action: TrainingControlAction
    checkpoint_id: str | None
    status: TrainingControlCommandStatus
    idempotency_key: str
    requested_by_member_id: str | None
    detail: str | None
    runtime_overrides: dict[str, Any]
    created_at: str
    applied_at: str | None


class TrainingJob(TypedDict):
    """A job as declared when its run is created."""

    name: str
    overrides: list[OverrideDeclaration]
    primary_metric: str
    primary_metric_goal: MetricGoal | None
    stall_timeout_seconds: int
    heartbeat_timeout_seconds: int
    lease_expiry_policy: LeaseExpiryPolicy
    configuration: dict[str, Any] | None

CheckpointVerification = Literal["intact", "damaged", "missing", "running"]

DeploymentStatus = Literal["Pending", "Deploying", "Running", "Updating", "Unhealthy", "Stopped", "Failed", "Deleting"]

JobState = Literal["queued", "preparing", "running", "held", "pausing", "paused", "restoring", "finishing", "aborting", "completed", "failed", "aborted"]

LeaseExpiryPolicy = Literal["keep", "pause"]

MetricGoal = Literal["maximize", "minimize"]

ModelVersionStatus = Literal["pending", "ready", "failed"]

OverrideClass = Literal["hot", "cold", "resources"]

OverrideDeclaration = TypedDict(
    "OverrideDeclaration",
    {
        "key": "str",
        "type": "OverrideType",
        "class": "OverrideClass",
        "minimum": "float | None",
        "maximum": "float | None",
        "allowed": "list[str]",
    },
)

OverrideType = Literal["number", "integer", "boolean", "string"]

RolloutStatus = Literal["Queued", "InProgress", "Succeeded", "Failed", "RolledBack", "Superseded"]

SegmentKind = Literal["initial", "resume", "rollback", "warm_restart"]

TrainingControlAction = Literal["continue", "pause", "resume", "rollback", "warm_restart", "finish_from_checkpoint", "abort"]

TrainingControlCommandStatus = Literal["pending", "applied", "rejected"]
