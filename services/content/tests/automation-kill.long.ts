import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { AutomationRunStatus } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { eventually, newTestEnvironment, ServiceProcess, TestClient } from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AutomationClient, promptStep } from "./automation-client.ts";
import { everyPermission, program } from "./content-rig.ts";
import { ModelServer } from "./model-server.ts";

const { SUCCEEDED } = AutomationRunStatus;
const steps = Array.from({ length: 12 }, (_, index) => promptStep(`s${index}`, `Question ${index} of {{ run.id }}`));

let model: ModelServer;
let service: ServiceProcess;
beforeAll(async () => {
  model = await ModelServer.start();
  service = new ServiceProcess({
    program,
    home: newTestEnvironment("content"),
    settings: { ...model.settings, AUTOMATION_LEASE_MS: "300" },
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

/** What the endpoint was asked by the run: the numbers of its questions, in the order in which they arrived. */
const askedBy = (runId: string) =>
  model.asked
    .filter(({ text }) => text.endsWith(runId))
    .map(({ text, key }) => ({ number: Number(text.split(" ")[1]), key }));

/** Begins a run of twelve questions, in a process that was just started. */
async function begun() {
  await service.start();
  using caller = new TestClient(service.address, { permissions: everyPermission, organisationId: randomUUID() });
  const automations = new AutomationClient(caller);
  const runId = await automations.started(await automations.published({ steps }));
  return { runId, organisationId: caller.organisationId };
}

async function endedRun({ runId, organisationId }: { runId: string; organisationId: string }) {
  using caller = new TestClient(service.address, { permissions: everyPermission, organisationId });
  return await new AutomationClient(caller).ended(runId);
}

describe("a run whose process is killed", () => {
  it.each([
    ["before the model has answered", false],
    ["once the model has answered", true],
  ])(
    "goes on in the next process, %s",
    async (_, isAnswered) => {
      const arrived = Promise.withResolvers<void>();
      model.answer = ({ text }) => {
        const isFirst =
          text.startsWith("Question 4 ") && model.asked.filter((asked) => asked.text === text).length === 1;
        if (isFirst) arrived.resolve();
        return isFirst && !isAnswered ? new Promise(() => {}) : "yes";
      };
      const run = await begun();
      await arrived.promise;
      await service.kill();
      const before = askedBy(run.runId).length;
      await service.start();
      const ended = await endedRun(run);
      expect(ended.status).toBe(SUCCEEDED);
      expect(ended.steps.map(({ status }) => status)).toEqual(steps.map(() => SUCCEEDED));
      const asked = askedBy(run.runId);
      // Nothing that had ended was asked again: the next process began where the first one stopped, or just behind.
      expect(asked[before]?.number).toBeGreaterThanOrEqual(before - 1);
      expect(new Set(asked.map(({ key }) => key)).size).toBe(steps.length);
      expect(asked).toHaveLength(steps.length + (asked[before]?.number === before - 1 ? 1 : 0));
      await service.kill();
    },
    240_000,
  );

  it("again and again asks for each step's answer once, and once more for each kill in the middle of it", async () => {
    const kills = 6;
    model.answer = async () => {
      await pause(randomInt(0, 20));
      return "yes";
    };
    const run = await begun();
    for (let count = 0; count < kills; count++) {
      const seen = askedBy(run.runId).length;
      await eventually(
        () => askedBy(run.runId).length > seen || askedBy(run.runId).at(-1)?.number === steps.length - 1,
      );
      await pause(randomInt(0, 30));
      await service.kill();
      await service.start();
    }
    const ended = await endedRun(run);
    expect(ended.status).toBe(SUCCEEDED);
    const asked = askedBy(run.runId);
    const numbers = asked.map(({ number }) => number);
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    expect([...new Set(numbers)]).toEqual(steps.map((_, index) => index));
    expect(asked.length).toBeLessThanOrEqual(steps.length + kills);
    expect(new Set(asked.map(({ key }) => key)).size).toBe(steps.length);
    // What was begun is known, whether or not the model got to hear of it.
    const begins = ended.steps.reduce((sum, { attempts }) => sum + attempts, 0);
    expect(begins).toBeGreaterThanOrEqual(asked.length);
    await service.kill();
  }, 240_000);
});
