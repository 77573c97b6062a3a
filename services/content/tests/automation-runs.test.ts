import { randomUUID } from "node:crypto";
import { AutomationRunStatus } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { AutomationHands, outputOf, promptStep } from "./automation-hands.ts";
import { ContentRig } from "./content-rig.ts";
import { ModelServer } from "./model-server.ts";

let model: ModelServer;
let rig: ContentRig;
let organisationId: string;
let hands: AutomationHands;

beforeAll(async () => {
  model = await ModelServer.start();
  const settings = {
    ...model.settings,
    PROMPT_MODEL: "usual",
    PROMPT_API_KEY: "key-of-the-tests",
    AUTOMATION_RETRY_MS: "10",
  };
  rig = await ContentRig.start({ settings });
});
afterAll(async () => {
  await rig[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});
beforeEach(() => {
  organisationId = randomUUID();
  hands = new AutomationHands(rig.as({ organisationId }));
});

describe("a run on demand", () => {
  it("carries out one step after the other, each of which reads what those before it made", async () => {
    const automationId = await hands.published({
      steps: [promptStep("look", "Look at {{ input.what }}"), promptStep("tell", "Tell: {{ steps.look.output.text }}")],
    });
    const run = await hands.ran(automationId, { what: "the sky" });
    expect(run).toMatchObject({
      automationId,
      status: AutomationRunStatus.SUCCEEDED,
      startedBy: "demand",
      steps: [
        { name: "Step look", type: "prompt", status: AutomationRunStatus.SUCCEEDED, attempts: 1, label: "ok" },
        { name: "Step tell", type: "prompt", status: AutomationRunStatus.SUCCEEDED, attempts: 1 },
      ],
    });
    expect(run.error).toBeUndefined();
    expect(run.steps.map(outputOf)).toEqual([
      { text: "You said: Look at the sky" },
      { text: "You said: Tell: You said: Look at the sky" },
    ]);
  });
});
