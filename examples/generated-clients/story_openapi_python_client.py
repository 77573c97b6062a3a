"""Tells the story with the client that openapi-python-client makes."""

import json
import os
from uuid import UUID, uuid4

from platform_client import AuthenticatedClient
from platform_client.api.automations import create_automation, list_automations, save_automation_draft
from platform_client.api.datasets import create_dataset
from platform_client.api.organisations import create_role
from platform_client.api.training import get_run_metrics, watch_run_metrics
from platform_client.models import (
    Automation,
    AutomationVersionEntry,
    CreateAutomationRequest,
    CreateDatasetRequest,
    CreateRoleRequest,
    CreateRoleRequestPermissionIdsItem,
    Dataset,
    DraftStep,
    HTTPValidationError,
    PromptStep,
    PromptStepType,
    Role,
    RunLiveMetrics,
    SaveAutomationDraftRequest,
)

client = AuthenticatedClient(base_url=os.environ["GATEWAY"], token=os.environ["KEY"])
pipeline_id, run_id = UUID(os.environ["PIPELINE"]), UUID(os.environ["RUN"])
permission_ids = [CreateRoleRequestPermissionIdsItem.METRICSREAD]

slug = f"reader-{uuid4()}"
role = create_role.sync(client=client, body=CreateRoleRequest("Reader", slug, permission_ids))
assert isinstance(role, Role), role
print("role", role.slug, *role.permission_ids)

dataset = create_dataset.sync(client=client, body=CreateDatasetRequest("Orders"))
assert isinstance(dataset, Dataset), dataset
print("dataset", dataset.id, "of", dataset.created_at.year)

metrics = get_run_metrics.sync(pipeline_id, run_id, client=client)
assert isinstance(metrics, RunLiveMetrics), metrics
print("metrics", metrics.schema_version, metrics.lifecycle.phases[0].name)

automations = list_automations.sync(client=client)
assert isinstance(automations, list), automations
versions = [each.current_version for each in automations if each.current_version]
print("automation of", *[step.prompt_template["type"] for version in versions for step in version.steps])

automation = create_automation.sync(client=client, body=CreateAutomationRequest("Greet"))
assert isinstance(automation, Automation), automation
step = DraftStep("greet", "Greet", PromptStep(PromptStepType.PROMPT, "Greet {{ input.name }}"))
draft = save_automation_draft.sync(automation.id, client=client, body=SaveAutomationDraftRequest([step]))
assert isinstance(draft, AutomationVersionEntry), draft
print("draft that reads", *draft.variables)

refused = create_role.sync(client=client, body=CreateRoleRequest(" ", slug, permission_ids))
assert isinstance(refused, HTTPValidationError) and refused.detail, refused
for problem in refused.detail:
    print("refused:", *problem.loc, problem.type_)

# The function of a stream waits for its end, and cannot read it. The request that it makes can be sent by httpx instead.
with client.get_httpx_client().stream(**watch_run_metrics._get_kwargs(pipeline_id, run_id)) as response:
    first = RunLiveMetrics.from_dict(json.loads(next(response.iter_lines())))
print("stream goes on:", first.sequence >= metrics.sequence)
