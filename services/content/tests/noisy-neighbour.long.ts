import { AutomationService } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { DatasetService, SampleFormat } from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { EmailDraftService } from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import { failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSample } from "../src/datasets/samples/read-sample.ts";
import { templateViolations } from "../src/email-drafts/templates.ts";
import { ContentRig } from "./content-rig.ts";

let rig: ContentRig;
beforeAll(async () => {
  rig = await ContentRig.start({ settings: { WORKER_QUEUE_LENGTH: "3" } });
});
afterAll(() => rig?.[Symbol.asyncDispose]());

const loops = `${"{% for i in (1..1000) %}".repeat(3)}${"{% endfor %}".repeat(3)}`;
const outputs = JSON.stringify({ type: "prompt", text: "{{ input.a }}".repeat(30) });

const drafts = () => rig.as().client(EmailDraftService);
const loopingDraft = () => failureOf(drafts().createEmailDraft({ subject: loops, text: loops, html: loops }));

async function automationDraft(): Promise<unknown> {
  const automations = rig.as().client(AutomationService);
  const { automation } = await automations.createAutomation({ name: "Busy" });
  const automationId = automation?.id ?? "";
  const keys = Array.from({ length: 50 }, (_, index) => `s${index}`);
  const steps = keys.map((key) => ({ key, name: key, promptTemplate: { text: outputs } }));
  const stepTransitions = keys.slice(1).map((target, index) => ({ source: `s${index}`, label: "ok", target }));
  return automations.saveAutomationDraft({ automationId, steps, stepTransitions });
}

const row = (of: string) => Array.from({ length: 100 }, (_, index) => `${of}${index}`).join(",");
const sample = Buffer.from([row("c"), ...Array.from({ length: 999 }, () => row("12345"))].join("\n"));

async function largeSample(): Promise<unknown> {
  const datasets = rig.as().client(DatasetService);
  const { dataset } = await datasets.createDataset({ name: "large" });
  return datasets.inferDatasetColumns({ datasetId: dataset?.id ?? "", format: SampleFormat.CSV, sample });
}

/** Processor time of this thread, ms. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * The most processor time of the event loop, ms, for which another organisation had to wait for an answer until something was
 * over. Processor time, not time: a busy machine does not change it.
 */
async function maxWait(over: Promise<unknown>): Promise<number> {
  const datasets = rig.as({ organisationId: rig.globex }).client(DatasetService);
  let isOver = false;
  void over.finally(() => {
    isOver = true;
  });
  let longest = 0;
  while (!isOver) {
    const before = cpuMs();
    await datasets.listDatasets({});
    longest = Math.max(longest, cpuMs() - before);
  }
  return longest;
}

describe("an organisation whose request takes much computation", () => {
  it.each<[string, () => Promise<unknown>, () => unknown]>([
    [
      "nested loops in subject, text and html of an e-mail draft",
      loopingDraft,
      () => templateViolations({ subject: loops, text: loops, html: loops }),
    ],
    ["a large CSV sample", largeSample, () => readSample({ format: "csv", bytes: sample })],
  ])("does not stop the service for another organisation: %s", async (_, ask, compute) => {
    compute();
    const before = cpuMs();
    compute();
    const cost = cpuMs() - before;
    // The first requests of a process are slow by themselves.
    await maxWait(ask());
    const asked = Promise.all([ask(), ask()]);
    const longest = await maxWait(asked);
    await asked;
    expect(longest).toBeLessThan(cost * 0.8);
  });

  it("has 50 prompts of 30 outputs read in a worker thread", async () => {
    await automationDraft();
    const answer = await fetch(`${rig.services[0]?.addresses.admin}/metrics`);
    expect(await answer.text()).toMatch(/worker_task_duration_seconds_count\{.*task="readDraft".*outcome="done".*\} 1/);
  });

  it("is told which template takes too long", async () => {
    expect(await loopingDraft()).toMatchObject({
      code: Code.InvalidArgument,
      fields: [
        ["subject", "TEMPLATE_INVALID"],
        ["text", "TEMPLATE_INVALID"],
        ["html", "TEMPLATE_INVALID"],
      ],
    });
  });

  it("is told to try again when too many of its requests wait", async () => {
    const refused = await Promise.all(Array.from({ length: 6 }, loopingDraft));
    const reasons = refused.map(({ code, reason }) => `${Code[code]} ${reason}`);
    expect(reasons).toContain("Unavailable WORKER_QUEUE_FULL");
    expect(reasons).toContain("InvalidArgument FIELDS_INVALID");
  });
});
