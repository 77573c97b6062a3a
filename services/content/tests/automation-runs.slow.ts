import { randomUUID } from "node:crypto";
import { AutomationRunStatus } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { FeatureMemoryService } from "@aiplatform/contract/aiplatform/content/v1/feature_memory";
import { StepType } from "@aiplatform/contract/aiplatform/content/v1/step_templates";
import { eventually, failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AutomationClient, outputOf, promptStep, type WrittenStep } from "./automation-client.ts";
import { AutomationRig } from "./automation-rig.ts";
import type { ContentRig } from "./content-rig.ts";
import type { ModelServer } from "./model-server.ts";

const { SUCCEEDED, FAILED, CANCELLED, RUNNING } = AutomationRunStatus;

let automationRig: AutomationRig;
let model: ModelServer;
let rig: ContentRig;
let organisationId: string;
let automations: AutomationClient;

beforeAll(async () => {
  automationRig = await AutomationRig.start();
  ({ model, content: rig } = automationRig);
});
afterAll(() => automationRig[Symbol.asyncDispose]());
beforeEach(() => {
  organisationId = randomUUID();
  automations = new AutomationClient(rig.as({ organisationId }));
  model.answer = ({ text }) => `You said: ${text}`;
});

const steps = (...written: WrittenStep[]) => ({ steps: written });
const askedBy = (text: string) => automationRig.asked(text);
describe("a run on demand", () => {
  it("executes one step after the other, each of which reads the output of those before it", async () => {
    const automationId = await automations.published(
      steps(promptStep("look", "Look at {{ input.what }}"), promptStep("tell", "Tell: {{ steps.look.output.text }}")),
    );
    const run = await automations.ran(automationId, { what: "the sky" });
    expect(run).toMatchObject({ automationId, status: SUCCEEDED, startedBy: "demand" });
    expect(run.error).toBeUndefined();
    expect(run.steps).toMatchObject([
      { name: "Step look", type: "prompt", stepType: StepType.PROMPT, status: SUCCEEDED, attempts: 1, label: "ok" },
      { name: "Step tell", type: "prompt", stepType: StepType.PROMPT, status: SUCCEEDED, attempts: 1 },
    ]);
    expect(run.steps.map(outputOf)).toEqual([
      { text: "You said: Look at the sky" },
      { text: "You said: Tell: You said: Look at the sky" },
    ]);
  });

  it("takes the transition whose label the answer begins with", async () => {
    model.answer = ({ text }) => (text.startsWith("Is it") ? "**ODD**, I think" : "done");
    const automationId = await automations.published({
      ...steps(promptStep("ask", "Is it odd?"), promptStep("even"), promptStep("odd")),
      transitions: [
        ["ask", "even", "even"],
        ["ask", "odd", "odd"],
      ],
    });
    const run = await automations.ran(automationId);
    expect(run.steps.map(({ name, label }) => [name, label])).toEqual([
      ["Step ask", "odd"],
      ["Step odd", undefined],
    ]);
  });

  it("fails where the answer begins with no label, and names them", async () => {
    const automationId = await automations.published({
      ...steps(promptStep("ask"), promptStep("b"), promptStep("c")),
      transitions: [
        ["ask", "even", "b"],
        ["ask", "odd", "c"],
      ],
    });
    const run = await automations.ran(automationId);
    expect(run).toMatchObject({
      status: FAILED,
      error: 'Step "ask": The answer begins with none of the labels "even", "odd"',
      steps: [{ status: FAILED }],
    });
  });

  it("goes on by the label `failed` where a step has failed, and may read why", async () => {
    const automationId = await automations.published({
      ...steps(
        promptStep("ask", "{{ input.nothing }}"),
        promptStep("repair", "Because: {{ steps.ask.error }}"),
        promptStep("c"),
      ),
      transitions: [
        ["ask", "failed", "repair"],
        ["ask", "ok", "c"],
      ],
    });
    const run = await automations.ran(automationId);
    expect(run).toMatchObject({ status: SUCCEEDED, steps: [{ status: FAILED }, { status: SUCCEEDED }] });
    const why = "text: undefined variable: input.nothing, line:1, col:4";
    expect(outputOf(run.steps[1])).toEqual({ text: `You said: Because: ${why}` });
  });

  it("reads the features that its steps use", async () => {
    await rig
      .as({ organisationId })
      .client(FeatureMemoryService)
      .putFeature({ featureKey: "age", description: "in years" });
    const text = "{{ features.age }}, {{ features.age.version }}, {{ automation.name }}, {{ run.started_by }}";
    const run = await automations.ran(await automations.published(steps(promptStep("a", text))));
    expect(outputOf(run.steps[0])).toEqual({ text: "You said: in years, 1, Retrain, demand" });
  });

  it("is made once for one key", async () => {
    const automationId = await automations.published(steps(promptStep("a")));
    const wanted = { automationId, idempotencyKey: randomUUID() };
    const first = await automations.client.startAutomationRun(wanted);
    expect(await automations.client.startAutomationRun(wanted)).toEqual(first);
    await automations.ended(first.run?.id ?? "");
    expect((await automations.client.listAutomationRuns({ automationId })).runs).toHaveLength(1);
  });

  it("runs the version that was published when it was asked for", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    model.answer = async ({ text }) => {
      if (text === "first") await held;
      return text;
    };
    const automationId = await automations.published(steps(promptStep("a", "first"), promptStep("b", "old")));
    const runId = await automations.started(automationId);
    const promptTemplate = { text: JSON.stringify({ type: "prompt", text: "new" }) };
    await automations.client.saveAutomationDraft({ automationId, steps: [{ key: "a", name: "A", promptTemplate }] });
    await automations.client.publishAutomation({ automationId, ifMatch: "*" });
    release();
    const run = await automations.ended(runId);
    expect(run.steps.map(outputOf)).toEqual([{ text: "first" }, { text: "old" }]);
  });

  it.each([
    ["that is not there", () => randomUUID(), Code.NotFound, "NOT_FOUND"],
    [
      "without a published version",
      () => automations.written(steps(promptStep("a"))),
      Code.FailedPrecondition,
      "NOTHING_PUBLISHED",
    ],
  ])("is refused for an automation %s", async (_, automation, code, reason) => {
    const automationId = await automation();
    expect(await failureOf(automations.client.startAutomationRun({ automationId }))).toMatchObject({ code, reason });
  });

  it.each([
    ["no JSON object", "[1]", "JSON_OBJECT_EXPECTED"],
    ["too large", JSON.stringify({ text: "x".repeat(65_536) }), "INPUT_TOO_LARGE"],
  ])("is refused with an input that is %s", async (_, text, reason) => {
    const automationId = await automations.published(steps(promptStep("a")));
    const failure = await failureOf(automations.client.startAutomationRun({ automationId, input: { text } }));
    expect(failure).toMatchObject({ code: Code.InvalidArgument, fields: [["input", reason]] });
  });

  it("is refused while a hundred are under way", async () => {
    const automationId = await automations.published(steps(promptStep("a")));
    const collection = rig.store.database.collection<{ _id: string; [name: string]: unknown }>("automation_runs");
    const later = new Date(Date.now() + 3_600_000);
    const open = { organisation_id: organisationId, open: true, steps: [], due_at: later, created_at: new Date() };
    await collection.insertMany(Array.from({ length: 100 }, () => ({ _id: randomUUID(), ...open })));
    expect(await failureOf(automations.client.startAutomationRun({ automationId }))).toMatchObject({
      code: Code.FailedPrecondition,
      reason: "AUTOMATION_RUN_LIMIT",
    });
  });
});

describe("many runs at once", () => {
  it("are each executed once, whichever replica takes them", async () => {
    const text = `asked ${randomUUID()} by {{ run.id }}`;
    const automationId = await automations.published(steps(promptStep("a", text), promptStep("b", text)));
    const ids = await Promise.all(Array.from({ length: 20 }, () => automations.started(automationId)));
    const runs = await Promise.all(ids.map((id) => automations.ended(id)));
    expect(runs.filter(({ status }) => status !== SUCCEEDED)).toEqual([]);
    for (const id of ids) expect(askedBy(text.replace("{{ run.id }}", id))).toHaveLength(2);
  }, 60_000);

  it("of one organisation leave room for another's", async () => {
    // As many as two replicas execute at once; none of them gets an answer.
    model.answer = ({ text }) => (text === "never" ? new Promise(() => {}) : "at once");
    const stuck = await automations.published(steps(promptStep("a", "never")));
    const ids = await Promise.all(Array.from({ length: 40 }, () => automations.started(stuck)));
    const other = new AutomationClient(rig.as({ organisationId: randomUUID() }));
    const run = await other.ran(await other.published(steps(promptStep("a", "quick"))));
    expect(run.status).toBe(SUCCEEDED);
    for (const runId of ids) await automations.client.cancelAutomationRun({ runId });
  }, 60_000);
});

describe("organisations that have more runs due than ever end", () => {
  /** Runs of an automation as events leave them; none of them gets an answer. */
  async function addStuckRuns(count: number): Promise<string> {
    const noisy = randomUUID();
    const owner = new AutomationClient(rig.as({ organisationId: noisy }));
    const automationId = await owner.published(steps(promptStep("a", "never")));
    const first = await owner.started(automationId);
    const collection = rig.store.database.collection<{ _id: string; [name: string]: unknown }>("automation_runs");
    const made = await collection.findOne({ _id: first });
    const due = { ...made, status: "queued", steps: [], holder: null, due_at: new Date(0) };
    await collection.insertMany(Array.from({ length: count }, () => ({ ...due, _id: randomUUID() })));
    return noisy;
  }

  it("do not keep the single run of another waiting", async () => {
    model.answer = ({ text }) => (text === "never" ? new Promise(() => {}) : "at once");
    // Two of them had all the room there was.
    const noisy = [await addStuckRuns(10_000), await addStuckRuns(1_000), await addStuckRuns(1_000)];
    await eventually(() => askedBy("never").length >= 30);
    const quiet = new AutomationClient(rig.as({ organisationId: randomUUID() }));
    const run = await quiet.ran(await quiet.published(steps(promptStep("a", "quick"))));
    expect(run.status).toBe(SUCCEEDED);
    await rig.store.database.collection("automation_runs").deleteMany({ organisation_id: { $in: noisy } });
  }, 60_000);
});

describe("a step that was begun, and of which nothing else is known", () => {
  /** What a process leaves that was killed behind the last step's effect, and before that was stored. */
  async function abandon(runId: string, attempts = 1) {
    const collection = rig.store.database.collection<{ _id: string }>("automation_runs");
    const step = { "steps.0.status": "running", "steps.0.ended_at": null, "steps.0.attempts": attempts };
    const open = { status: "running", open: true, holder: "gone", due_at: new Date(0) };
    await collection.updateOne({ _id: runId }, { $set: { ...open, ...step }, $unset: { ended_at: true } });
  }

  it("is begun once more, as the same question", async () => {
    const text = `asked ${randomUUID()}`;
    const { id } = await automations.ran(await automations.published(steps(promptStep("a", text))));
    await abandon(id);
    expect(await automations.ended(id)).toMatchObject({ status: SUCCEEDED, steps: [{ attempts: 2 }] });
    expect(askedBy(text).map(({ key }) => key)).toEqual([expect.any(String), askedBy(text)[0]?.key]);
  });

  it("is given up after twenty attempts", async () => {
    const { id } = await automations.ran(await automations.published(steps(promptStep("a"))));
    await abandon(id, 20);
    const error = expect.stringContaining("It was begun 20 times");
    expect(await automations.ended(id)).toMatchObject({ status: FAILED, error });
  });
});

describe("a prompt", () => {
  it("says which model, how long, and which step it is of, and shows the key", async () => {
    const text = `asked ${randomUUID()}`;
    const automationId = await automations.published(
      steps(promptStep("a", text, { model: "{{ input.model }}", max_tokens: 7 }), promptStep("b", text)),
    );
    await automations.ran(automationId, { model: "large" });
    const asked = askedBy(text);
    const same = { path: "/v1/chat/completions", authorization: "Bearer key-of-the-tests" };
    expect(asked).toMatchObject([
      { ...same, model: "large", maxTokens: 7 },
      { ...same, model: "usual", maxTokens: undefined },
    ]);
    expect(new Set(asked.map(({ key }) => key)).size).toBe(2);
  });

  it.each([429, 500, 503])("is asked again after a %d, as the same question", async (status) => {
    const text = `asked ${randomUUID()}`;
    model.answer = () => (askedBy(text).length < 3 ? { status } : "at last");
    const run = await automations.ran(await automations.published(steps(promptStep("a", text))));
    expect(outputOf(run.steps[0])).toEqual({ text: "at last" });
    expect(new Set(askedBy(text).map(({ key }) => key)).size).toBe(1);
  });

  it.each([
    ["says no", { status: 400, body: { error: { message: "no such model" } } }, "answered 400: no such model", 1],
    ["is away for long", { status: 503 }, "answered 503", 4],
    ["answers something else", { status: 200, body: { choices: [] } }, "is not a chat completion", 1],
    ["leads elsewhere", { status: 302, headers: { location: "http://127.0.0.1:1/" } }, "cannot be reached", 4],
  ])("fails where the endpoint %s", async (_, answer, error, times) => {
    const text = `asked ${randomUUID()}`;
    model.answer = () => answer;
    const run = await automations.ran(await automations.published(steps(promptStep("a", text))));
    expect(run).toMatchObject({ status: FAILED, error: expect.stringContaining(error) });
    expect(askedBy(text)).toHaveLength(times);
  });

  it("keeps 64 KiB of an answer, and says that it was cut", async () => {
    model.answer = () => "ü".repeat(100_000);
    const run = await automations.ran(await automations.published(steps(promptStep("a"))));
    const output = run.steps[0]?.output?.text ?? "";
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(64 * 1024);
    expect(JSON.parse(output)).toEqual({ text: expect.stringMatching(/^ü{30000,}$/), cut: true });
  });

  it("fails in a second where its template would never end, and the others run on", async () => {
    const bomb = "{% for i in (1..100000) %}{% for j in (1..100000) %}x{% endfor %}{% endfor %}";
    const bombed = await automations.started(await automations.published(steps(promptStep("a", bomb))));
    const other = await automations.ran(await automations.published(steps(promptStep("a", "still here"))));
    expect(other.status).toBe(SUCCEEDED);
    expect(await automations.ended(bombed)).toMatchObject({
      status: FAILED,
      error: expect.stringContaining("limit exceeded"),
    });
  });
});

describe("a run that is given up", () => {
  it("ends at once, with the step that is under way", async () => {
    model.answer = () => new Promise(() => {});
    const text = `asked ${randomUUID()}`;
    const automationId = await automations.published(steps(promptStep("a", text), promptStep("b")));
    const runId = await automations.started(automationId);
    await eventually(() => askedBy(text).length === 1);
    expect(await automations.run(runId)).toMatchObject({ status: RUNNING, steps: [{ status: RUNNING }] });
    const { run } = await automations.client.cancelAutomationRun({ runId });
    const given = { status: CANCELLED, error: "Cancelled on request", steps: [{ status: CANCELLED }] };
    expect(run).toMatchObject(given);
    expect((await automations.client.cancelAutomationRun({ runId })).run).toEqual(run);
    expect(await automations.run(runId)).toEqual(run);
    const { settings } = await automations.client.getAutomationSettings({ automationId });
    expect(settings?.failuresInARow).toBe(0);
  });

  it("stays as it is when it has ended", async () => {
    const run = await automations.ran(await automations.published(steps(promptStep("a"))));
    expect((await automations.client.cancelAutomationRun({ runId: run.id })).run).toEqual(run);
  });
});
