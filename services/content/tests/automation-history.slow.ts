import { randomUUID } from "node:crypto";
import { AutomationRunStatus } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { AutomationRunEndedSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import { eventually, failureOf } from "@aiplatform/testkit";
import { fromBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AutomationClient, promptStep, type WrittenStep } from "./automation-client.ts";
import { AutomationRig } from "./automation-rig.ts";
import type { ContentRig } from "./content-rig.ts";
import type { ModelServer } from "./model-server.ts";

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
const announced = async () => {
  const records = await rig.store.database.collection("outbox").find({ organisation_id: organisationId }).toArray();
  return records.map(({ type, data }) => ({ type: String(type), data: data.buffer }));
};

describe("the history of an automation", () => {
  it("is its runs, newest first, page after page, without what steps wrote", async () => {
    const automationId = await automations.published(steps(promptStep("a")));
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.unshift((await automations.ran(automationId)).id);
    const first = await automations.client.listAutomationRuns({ automationId, limit: 2 });
    const second = await automations.client.listAutomationRuns({ automationId, limit: 2, cursor: first.nextCursor });
    expect([...first.runs, ...second.runs].map(({ id, steps: written }) => [id, written])).toEqual(
      ids.map((id) => [id, []]),
    );
    expect(second.nextCursor).toBe("");
  });

  it("is the thousand latest runs", async () => {
    const automationId = await automations.published(steps(promptStep("a")));
    const collection = rig.store.database.collection<{ _id: string; [name: string]: unknown }>("automation_runs");
    const ended = { organisation_id: organisationId, automation_id: automationId, open: false, steps: [], input: "{}" };
    const old = Array.from({ length: 1_005 }, (_, index) => ({ ...ended, created_at: new Date(1_000 + index) }));
    const lately = { ended_at: new Date(), status: "succeeded" };
    await collection.insertMany(old.map((run) => ({ _id: randomUUID(), ...lately, ...run })));
    const run = await automations.ran(automationId);
    const mine = { automation_id: automationId };
    await eventually(async () => (await collection.countDocuments(mine)) === 1_000);
    expect(await collection.countDocuments({ ...mine, _id: run.id })).toBe(1);
    expect(await collection.countDocuments({ ...mine, created_at: { $lte: new Date(1_005) } })).toBe(0);
  });

  it("is not found by another organisation", async () => {
    const automationId = await automations.published(steps(promptStep("a")));
    const { id: runId } = await automations.ran(automationId);
    const stranger = new AutomationClient(rig.as({ organisationId: rig.globex })).client;
    const notFound = { code: Code.NotFound, reason: "NOT_FOUND", message: "Not found" };
    expect(await failureOf(stranger.getAutomationRun({ runId }))).toMatchObject(notFound);
    expect(await failureOf(stranger.cancelAutomationRun({ runId }))).toMatchObject(notFound);
    expect(await failureOf(stranger.listAutomationRuns({ automationId }))).toMatchObject(notFound);
    expect(await failureOf(stranger.startAutomationRun({ automationId }))).toMatchObject(notFound);
    expect(await failureOf(stranger.getAutomationSettings({ automationId }))).toMatchObject(notFound);
    expect(await failureOf(stranger.updateAutomationSettings({ automationId }))).toMatchObject(notFound);
  });

  it("is gone with the automation, and what was under way is given up", async () => {
    model.answer = () => new Promise(() => {});
    const text = `asked ${randomUUID()}`;
    const automationId = await automations.published(steps(promptStep("a", text)));
    const runId = await automations.started(automationId);
    await eventually(() => askedBy(text).length === 1);
    await automations.client.deleteAutomation({ automationId });
    await eventually(
      async () =>
        (await failureOf(automations.client.getAutomationRun({ runId })).catch(() => undefined)) !== undefined,
    );
    const ends = (await announced()).filter(({ type }) => type.endsWith("automation_run.ended.v1"));
    expect(ends.map(({ data }) => fromBinary(AutomationRunEndedSchema, data))).toMatchObject([
      {
        runId,
        automationId,
        status: "cancelled",
        runStatus: AutomationRunStatus.CANCELLED,
        error: "The automation was deleted",
      },
    ]);
  });
});

describe("failures in a row", () => {
  const failing = () => automations.published(steps(promptStep("a", "{{ input.nothing }}")));
  const settingsOf = async (automationId: string) =>
    (await automations.client.getAutomationSettings({ automationId })).settings;

  it("disable an automation until a caller enables it", async () => {
    const automationId = await failing();
    await automations.client.updateAutomationSettings({ automationId, failuresUntilDisabled: 2 });
    await automations.ran(automationId);
    expect(await settingsOf(automationId)).toMatchObject({ enabled: true, failuresInARow: 1 });
    await automations.ran(automationId);
    const disabledReason = "2 runs in a row failed";
    expect(await settingsOf(automationId)).toMatchObject({ enabled: false, failuresInARow: 2, disabledReason });
    expect(await failureOf(automations.client.startAutomationRun({ automationId }))).toMatchObject({
      reason: "AUTOMATION_DISABLED",
    });
    const { settings } = await automations.client.updateAutomationSettings({ automationId, enabled: true });
    expect(settings).toMatchObject({ enabled: true, failuresInARow: 0, failuresUntilDisabled: 2 });
    expect(settings?.disabledReason).toBeUndefined();
    await automations.ran(automationId);
    const types = (await announced()).map(({ type }) => type.replace("aiplatform.content.", ""));
    expect(types.filter((type) => type === "automation.settings_updated.v1")).toHaveLength(3);
    expect(types.filter((type) => type === "automation_run.started.v1")).toHaveLength(3);
    expect(types.filter((type) => type === "automation_run.ended.v1")).toHaveLength(3);
  });

  it("are over with a success", async () => {
    const automationId = await automations.published(steps(promptStep("a", "{{ input.word }}")));
    await automations.ran(automationId);
    await automations.ran(automationId, { word: "good" });
    expect(await settingsOf(automationId)).toMatchObject({ failuresInARow: 0 });
  });

  it("are five by default, and leave the automation itself as it was", async () => {
    const automationId = await failing();
    const before = await automations.client.getAutomation({ automationId });
    await automations.ran(automationId);
    expect(await settingsOf(automationId)).toMatchObject({
      automationId,
      failuresUntilDisabled: 5,
      draftsForOwner: false,
    });
    expect(await automations.client.getAutomation({ automationId })).toEqual(before);
  });
});
