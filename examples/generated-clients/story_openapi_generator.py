"""Tells the story with the client that openapi-generator makes for Python."""

import os
from uuid import UUID, uuid4

from platform_api import (
    ApiClient,
    AutomationsApi,
    Configuration,
    CreateAutomationRequest,
    CreateDatasetRequest,
    CreateRoleRequest,
    DatasetsApi,
    DraftStep,
    HTTPValidationError,
    OrganisationsApi,
    PromptStep,
    RunLiveMetrics,
    SaveAutomationDraftRequest,
    StepTemplate,
    TrainingApi,
)
from platform_api.exceptions import UnprocessableEntityException

client = ApiClient(Configuration(host=os.environ["GATEWAY"], access_token=os.environ["KEY"]))
organisations, training, automations = OrganisationsApi(client), TrainingApi(client), AutomationsApi(client)
pipeline_id, run_id = UUID(os.environ["PIPELINE"]), UUID(os.environ["RUN"])

slug = f"reader-{uuid4()}"
role = organisations.create_role(CreateRoleRequest(name="Reader", slug=slug, permission_ids=["metrics:read"]))
print("role", role.slug, *role.permission_ids)

dataset = DatasetsApi(client).create_dataset(CreateDatasetRequest(name="Orders"))
print("dataset", dataset.id, "of", dataset.created_at.year)

metrics = training.get_run_metrics(pipeline_id, run_id)
print("metrics", metrics.schema_version, metrics.lifecycle.phases[0].name)

versions = [each.current_version for each in automations.list_automations() if each.current_version]
print("automation of", *[step.prompt_template["type"] for version in versions for step in version.steps])

automation = automations.create_automation(CreateAutomationRequest(name="Greet"))
prompt = PromptStep(type="prompt", text="Greet {{ input.name }}")
step = DraftStep(key="greet", name="Greet", prompt_template=StepTemplate(prompt))
draft = automations.save_automation_draft(automation.id, SaveAutomationDraftRequest(steps=[step]))
print("draft that reads", *draft.variables)

try:
    organisations.create_role(CreateRoleRequest(name=" ", slug=slug, permission_ids=["metrics:read"]))
except UnprocessableEntityException as refused:
    assert isinstance(refused.data, HTTPValidationError) and refused.data.detail
    for problem in refused.data.detail:
        print("refused:", *[part.actual_instance for part in problem.loc], problem.type)

# The method of a stream waits for its end. This one answers as soon as it begins, and has a message in each line.
response = training.watch_run_metrics_without_preload_content(pipeline_id, run_id)
first = RunLiveMetrics.from_json(response.readline().decode())
response.close()
print("stream goes on:", first is not None and first.sequence >= metrics.sequence)
