import { randomUUID } from "node:crypto";
import { AutomationService } from "@aiplatform/contract/aiplatform/content/v1/automations";
import {
  EmbedStepMetric,
  StepTemplateSchema,
  TrainStepAction,
} from "@aiplatform/contract/aiplatform/content/v1/step_templates";
import { failureOf } from "@aiplatform/testkit";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ContentRig } from "./content-rig.ts";

type Template = MessageInitShape<typeof StepTemplateSchema>;

let rig: ContentRig;
beforeAll(async () => {
  rig = await ContentRig.start();
});
afterAll(() => rig[Symbol.asyncDispose]());

const automations = () => rig.as().client(AutomationService);
const newAutomation = async () => (await automations().createAutomation({ name: "Typed" })).automation?.id ?? "";

/** What is kept of a draft of one step. */
async function saved(step: object, typedSteps = true) {
  const automationId = await newAutomation();
  const steps = [{ key: "a", name: "A", ...step }];
  const { version } = await automations().saveAutomationDraft({ automationId, steps, typedSteps });
  return version?.version?.steps[0];
}

const datasetId = randomUUID();
const memberId = randomUUID();
const runId = randomUUID();
const modelId = randomUUID();
const value = (json: unknown) => ({ text: JSON.stringify(json) });

/** Each type of step in both forms: as a message, and as JSON. */
const forms: [string, Template, object][] = [
  [
    "a prompt",
    { type: { case: "prompt", value: { text: "Say {{ input.word }}", maxTokens: 20 } } },
    { type: "prompt", text: "Say {{ input.word }}", max_tokens: 20 },
  ],
  [
    "entries of a dictionary",
    { type: { case: "dictionary", value: { datasetId, entries: [{ name: "age", description: "In years" }] } } },
    { type: "dictionary", dataset_id: datasetId, entries: [{ name: "age", description: "In years" }] },
  ],
  [
    "entries that a run makes from a text",
    { type: { case: "dictionary", value: { datasetId, entriesTemplate: "{{ input.entries | json }}" } } },
    { type: "dictionary", dataset_id: datasetId, entries: "{{ input.entries | json }}" },
  ],
  [
    "an e-mail",
    { type: { case: "email", value: { subject: "Done", text: "It is", recipientMemberIds: [memberId] } } },
    { type: "email", subject: "Done", text: "It is", recipient_member_ids: [memberId] },
  ],
  [
    "a run to start",
    {
      type: {
        case: "train",
        value: {
          action: TrainStepAction.START_RUN,
          fromRunId: runId,
          configuration: value({ rate: 0.01, layers: [8, "{{ input.width }}"] }),
          wait: false,
        },
      },
    },
    {
      type: "train",
      action: "start_run",
      from_run_id: runId,
      configuration: { rate: 0.01, layers: [8, "{{ input.width }}"] },
      wait: false,
    },
  ],
  [
    "a version of a query",
    {
      type: {
        case: "dataset",
        value: { datasetId, sql: "SELECT * FROM t", tables: value([{ name: "t", dataset_id: "{{ input.dataset }}" }]) },
      },
    },
    {
      ...{ type: "dataset", dataset_id: datasetId, sql: "SELECT * FROM t" },
      tables: [{ name: "t", dataset_id: "{{ input.dataset }}" }],
    },
  ],
  [
    "a version of rows",
    { type: { case: "dataset", value: { name: "Answers", rows: value("{{ steps.ask.output.text }}"), wait: false } } },
    { type: "dataset", name: "Answers", rows: "{{ steps.ask.output.text }}", wait: false },
  ],
  [
    "an embedding",
    {
      type: {
        case: "embed",
        value: {
          ...{ datasetId, versionId: runId, deploymentId: modelId, input: "texts", output: "vectors" },
          ...{ column: "image", scale: 0.5, metric: EmbedStepMetric.L2 },
        },
      },
    },
    {
      ...{ type: "embed", dataset_id: datasetId, version_id: runId, deployment_id: modelId },
      ...{ input: "texts", output: "vectors", column: "image", scale: 0.5, metric: "l2" },
    },
  ],
  [
    "a run that reads a version",
    {
      type: {
        case: "train",
        value: {
          action: TrainStepAction.START_RUN,
          fromRunId: runId,
          datasets: value([{ name: "d", dataset_id: datasetId, version_id: "{{ steps.a.output.version_id }}" }]),
        },
      },
    },
    {
      ...{ type: "train", action: "start_run", from_run_id: runId },
      datasets: [{ name: "d", dataset_id: datasetId, version_id: "{{ steps.a.output.version_id }}" }],
    },
  ],
  [
    "a command to a job",
    { type: { case: "train", value: { action: TrainStepAction.FINISH_FROM_CHECKPOINT, runId, checkpointId: runId } } },
    { type: "train", action: "finish_from_checkpoint", run_id: runId, checkpoint_id: runId },
  ],
  [
    "a deployment",
    { type: { case: "deploy", value: { modelId, wait: true } } },
    { type: "deploy", model_id: modelId, wait: true },
  ],
];

describe("a step written as a message", () => {
  it.each(forms)("is %s in JSON, too", async (_, template, json) => {
    const step = await saved({ template });
    expect(JSON.parse(step?.promptTemplate?.text ?? "")).toEqual(json);
    expect(step?.template).toEqual(create(StepTemplateSchema, template));
  });

  it("is the same draft again when it is saved once more", async () => {
    const automationId = await newAutomation();
    const steps = [{ key: "a", name: "A", template: forms[0]?.[1] ?? {} }];
    const first = await automations().saveAutomationDraft({ automationId, steps });
    expect(await automations().saveAutomationDraft({ automationId, steps })).toEqual(first);
  });

  it("keeps all digits of its JSON", async () => {
    const seed = "12345678901234567890";
    const configuration = { text: `{"seed":${seed}}` };
    const train = { action: TrainStepAction.START_RUN, fromRunId: runId, configuration };
    const step = await saved({ template: { type: { case: "train", value: train } } });
    expect(step?.promptTemplate?.text).toContain(`{"seed":${seed}}`);
  });
});

describe("a step written as JSON", () => {
  it.each(forms)("is %s as a message, where typed steps are asked for", async (_, template, json) => {
    const step = await saved({ promptTemplate: value(json) });
    expect(step?.template).toEqual(create(StepTemplateSchema, template));
  });

  it("has no message where none is asked for", async () => {
    expect((await saved({ promptTemplate: value(forms[0]?.[2]) }, false))?.template).toBeUndefined();
  });

  it("has a message without the members that its type does not know", async () => {
    const step = await saved({ promptTemplate: value({ type: "prompt", text: "Hello", colour: "blue" }) });
    expect(step?.template?.type).toMatchObject({ case: "prompt", value: { text: "Hello" } });
  });
});

describe("typed steps", () => {
  it("are in every answer with steps that asks for them", async () => {
    const automationId = await newAutomation();
    const steps = [{ key: "a", name: "A", promptTemplate: value(forms[0]?.[2]) }];
    await automations().saveAutomationDraft({ automationId, steps });
    await automations().publishAutomation({ automationId, ifMatch: "*" });
    const asked = { typedSteps: true };
    const { automation } = await automations().getAutomation({ automationId, ...asked });
    const { automations: listed } = await automations().listAutomations(asked);
    const { versions } = await automations().listAutomationVersions({ automationId, ...asked });
    const current = listed.find(({ id }) => id === automationId)?.currentVersion;
    for (const version of [automation?.currentVersion, current, versions[0]?.version])
      expect(version?.steps[0]?.template?.type.case).toBe("prompt");
  });
});

describe("a step with a mistake in its message", () => {
  const deep = { text: `${"[".repeat(50_000)}${"]".repeat(50_000)}` };
  const train = (fields: object): Template => ({
    type: { case: "train", value: { action: TrainStepAction.START_RUN, fromRunId: runId, ...fields } },
  });

  it.each<[string, object, string, string]>([
    ["without either form", {}, "prompt_template", "MISSING"],
    ["with both forms", { promptTemplate: value({}), template: forms[0]?.[1] }, "template", "VALUE_ERROR"],
    ["without a type", { template: {} }, "template", "MISSING"],
    [
      "without a text",
      { template: { type: { case: "prompt", value: {} } } },
      "template.prompt.text",
      "STRING_TOO_SHORT",
    ],
    [
      "with a template that cannot be read",
      { template: { type: { case: "prompt", value: { text: "{{ input" } } } },
      "template.prompt.text",
      "TEMPLATE_INVALID",
    ],
    ["without an action", { template: train({ action: 0 }) }, "template.train.action", "LITERAL_ERROR"],
    ["with an action unknown here", { template: train({ action: 99 }) }, "template.train.action", "LITERAL_ERROR"],
    [
      "with JSON that is too deep",
      { template: train({ configuration: deep }) },
      "template.train.configuration[0]",
      "JSON_TOO_DEEP",
    ],
  ])("%s is refused at its place", async (_, step, field, reason) => {
    const failure = await failureOf(saved(step));
    expect(failure.code).toBe(Code.InvalidArgument);
    const [place, why] = failure.fields[0] ?? [];
    expect(place).toMatch(`steps[0].${field}`);
    expect(why).toBe(reason);
  });
});
