import { randomUUID } from "node:crypto";
import { AutomationRunStatus } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { ApiKeyService } from "@aiplatform/contract/aiplatform/identity/v1/api_keys";
import { JobState, RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { connectDocumentStore } from "@aiplatform/document-store";
import { readConfig as readIdentityConfig, startIdentityService } from "@aiplatform/identity";
import { createMeshTransport } from "@aiplatform/service-host";
import {
  contextSigningKey,
  dropDatabase,
  environmentOf,
  eventually,
  failureOf,
  newTestEnvironment,
  TestClient,
  type TestEnvironment,
} from "@aiplatform/testkit";
import { readConfig as readTrainingConfig, startTrainingService } from "@aiplatform/training";
import { type Client, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AutomationClient, outputOf } from "./automation-client.ts";
import { ContentRig } from "./content-rig.ts";

const secret = "delegation-secret-of-the-tests-0123456789";
const permissions = [
  "apikeys:manage",
  "automations:read",
  "automations:run",
  "automations:write",
  "metrics:read",
  "metrics:report",
  "training:command",
  "training:write",
];
const parts = new AsyncDisposableStack();
let rig: ContentRig;
let automations: AutomationClient;
/** Options of a call by the key in whose name everything is done. */
let asKey: { headers: { authorization: string } };
let runs: Client<typeof RunService>;
let trainers: Client<typeof TrainerService>;
let pipelineId: string;

beforeAll(async () => {
  const identity = await startIdentityService(
    readIdentityConfig(
      environmentOf(droppedAfterwards("identity"), {
        CONTEXT_SIGNING_KEY: contextSigningKey,
        API_KEY_HASH_SECRET: "hash-secret-of-the-tests-0123456789abcdef",
        DELEGATION_SECRET: secret,
      }),
    ),
  );
  parts.use(identity);
  const identityAddress = identity.addresses.grpc;
  const known = { IDENTITY_ADDRESS: identityAddress };
  const training = await startTrainingService(readTrainingConfig(environmentOf(droppedAfterwards("training"), known)));
  parts.use(training);
  const trainingAddress = training.addresses.grpc;
  const settings = { ...known, DELEGATION_SECRET: secret, TRAINING_ADDRESS: trainingAddress };
  rig = parts.use(await ContentRig.start({ settings }));
  const organisationId = rig.acme;
  using administrator = new TestClient(identityAddress, { organisationId, permissions });
  const made = await administrator.client(ApiKeyService).createApiKey({ name: "t", permissionIds: permissions });
  asKey = { headers: { authorization: `Bearer ${made.secret}` } };
  automations = new AutomationClient(rig.as({ permissions, credentialId: made.apiKey?.id ?? "" }));
  const transport = createMeshTransport({ addresses: trainingAddress });
  parts.defer(() => transport.close());
  runs = createClient(RunService, transport);
  trainers = createClient(TrainerService, transport);
  pipelineId = (await runs.createPipeline({ name: "p" }, asKey)).pipeline?.id ?? "";
});
afterAll(async () => await parts.disposeAsync());

/** A home for a service, whose database goes with the tests. */
function droppedAfterwards(service: string): TestEnvironment {
  const home = newTestEnvironment(service);
  parts.defer(async () => {
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = home;
    await using store = await connectDocumentStore({ uri, database, appName: "content tests" });
    await dropDatabase(store);
  });
  return home;
}

const job = { name: "train", primary_metric: "accuracy", primary_metric_goal: "maximize", configuration: { seed: 1 } };
const start = (more: object = {}) => ({
  steps: [{ key: "a", json: { type: "train", action: "start_run", pipeline_id: pipelineId, jobs: [job], ...more } }],
});
const commanding = (runId: string, action: string, more: object = {}) => ({
  steps: [{ key: "a", json: { type: "train", action, run_id: runId, ...more } }],
});

/** The newest run of the pipeline once there are so many. */
async function newestOf(count: number) {
  const look = async () => (await runs.listRuns({ pipelineId }, asKey)).runs;
  await eventually(async () => (await look()).length >= count);
  return (await look())[0];
}

const countOf = async () => (await runs.listRuns({ pipelineId }, asKey)).runs.length;

/** A run of one job that no trainer works on. */
async function idleRun(): Promise<string> {
  const { run } = await runs.createRun({ pipelineId, name: "idle", jobs: [{ name: "train" }] }, asKey);
  return run?.id ?? "";
}

/** Attaches to the job of a run, and says that it is in these states one after the other. */
async function trained(runId: string, ...states: { state: JobState; detail?: string; artifact?: object }[]) {
  const address = { runId, jobName: "train", attachmentId: randomUUID() };
  const over = new AbortController();
  const stream = trainers.attach(address, { ...asKey, signal: over.signal })[Symbol.asyncIterator]();
  await stream.next();
  const columns = [{ name: "accuracy", steps: [1], values: [0.75] }];
  const batch = async function* () {
    yield { ...address, counter: 1, columns };
  };
  for await (const _ of trainers.report(batch(), asKey));
  for (const state of states) await trainers.reportJobState({ ...address, ...state }, asKey);
  over.abort();
}

const { PREPARING, RUNNING, COMPLETED, FAILED } = JobState;
const artifact = { uri: "file:///a.onnx", sha256: "a".repeat(64), sizeBytes: 3n, format: "onnx" };

describe("a step that starts a training run", () => {
  it("waits for its end, and knows what came of it", async () => {
    const before = await countOf();
    const runId = await automations.started(await automations.published(start()));
    const made = await newestOf(before + 1);
    expect(made).toMatchObject({ name: "Retrain", jobs: [{ job: { name: "train", primaryMetric: "accuracy" } }] });
    await trained(made?.id ?? "", { state: PREPARING }, { state: RUNNING }, { state: COMPLETED, artifact });
    const { status, steps } = await automations.ended(runId);
    expect([status, steps[0]?.label]).toEqual([AutomationRunStatus.SUCCEEDED, "completed"]);
    const { uri, sha256, format } = artifact;
    expect(outputOf(steps[0])).toEqual({
      run_id: made?.id,
      pipeline_id: pipelineId,
      job_name: "train",
      job_state: "completed",
      metrics: { accuracy: 0.75 },
      primary_metric: "accuracy",
      artifact: { uri, sha256, format, size_bytes: 3, checkpoint_id: null },
    });
    expect(await countOf()).toBe(before + 1);
  });

  it("starts it once, though the process ended before that was kept", async () => {
    const before = await countOf();
    const runId = await automations.started(await automations.published(start()));
    const made = await newestOf(before + 1);
    await eventually(async () => (await automations.run(runId)).status === AutomationRunStatus.WAITING);
    const kept = rig.store.database.collection<{ _id: string; status: string; holder: string | null }>(
      "automation_runs",
    );
    const begun = { status: "running", "steps.0.status": "running", "steps.0.state": null, due_at: new Date() };
    await eventually(async () => {
      const { matchedCount } = await kept.updateOne({ _id: runId, status: "waiting", holder: null }, { $set: begun });
      return matchedCount === 1;
    });
    await eventually(async () => (await automations.run(runId)).steps[0]?.attempts === 2);
    await trained(made?.id ?? "", { state: PREPARING }, { state: RUNNING }, { state: COMPLETED });
    const { steps } = await automations.ended(runId);
    expect(outputOf(steps[0])).toMatchObject({ run_id: made?.id, job_state: "completed", artifact: null });
    expect(await countOf()).toBe(before + 1);
  });

  it("fails when the job does, with the reason", async () => {
    const before = await countOf();
    const runId = await automations.started(await automations.published(start()));
    const made = await newestOf(before + 1);
    await trained(made?.id ?? "", { state: PREPARING }, { state: FAILED, detail: "out of memory" });
    const { status, error } = await automations.ended(runId);
    expect(status).toBe(AutomationRunStatus.FAILED);
    expect(error).toContain(`The job train of the run ${made?.id} ended failed: out of memory`);
  });

  it("takes the jobs of an earlier run, with a configuration of its own, and waits for nothing if it is told so", async () => {
    const more = { jobs: undefined, pipeline_id: undefined, from_run_id: await idleRun(), wait: false };
    const before = await countOf();
    const written = start({
      ...more,
      name: "Again with {{ input.seed }}",
      configuration: { seed: "{{ input.seed }}" },
    });
    const { status, steps } = await automations.ran(await automations.published(written), { seed: 7 });
    const made = await newestOf(before + 1);
    expect(status).toBe(AutomationRunStatus.SUCCEEDED);
    expect(outputOf(steps[0])).toEqual({ run_id: made?.id, pipeline_id: pipelineId, job_name: "train" });
    expect(made).toMatchObject({ name: "Again with 7", jobs: [{ job: { configuration: { text: '{"seed":7}' } } }] });
  });

  it("fails for jobs that training does not take", async () => {
    const before = await countOf();
    const { status, error } = await automations.ran(await automations.published(start({ jobs: [job, job] })));
    expect([status, error]).toEqual([AutomationRunStatus.FAILED, expect.stringContaining("jobs")]);
    expect(await countOf()).toBe(before);
  });
});

describe("a step that commands a job", () => {
  it("fails with the reason for which the command is rejected", async () => {
    const { error } = await automations.ran(await automations.published(commanding(await idleRun(), "rollback")));
    expect(error).toContain("The command was rejected: ");
  });

  it("is content with having given it where it is told not to wait", async () => {
    const { status, steps } = await automations.ran(
      await automations.published(commanding(await idleRun(), "resume", { wait: false })),
    );
    expect(status).toBe(AutomationRunStatus.SUCCEEDED);
    expect(outputOf(steps[0])).toMatchObject({ job_name: "train", command_id: expect.any(String) });
  });

  it("fails for a run that is none of the organisation's", async () => {
    const { error } = await automations.ran(await automations.published(commanding(randomUUID(), "abort")));
    expect(error).toMatch(/^Step "a": /);
  });
});

describe("a draft with a step that trains", () => {
  it.each([
    ["without an action", { action: undefined }, "action"],
    ["with neither jobs nor a run to take them from", { jobs: undefined }, "from_run_id"],
    ["with both", { from_run_id: randomUUID() }, "jobs"],
    ["with no pipeline to start it in", { pipeline_id: undefined }, "pipeline_id"],
    ["that commands no run", { action: "pause" }, "run_id"],
  ])("%s is refused with the place", async (_, more, name) => {
    const { fields } = await failureOf(automations.written(start(more)));
    expect(fields.map(([field]) => field)).toEqual([`steps[0].prompt_template.${name}`]);
  });
});
