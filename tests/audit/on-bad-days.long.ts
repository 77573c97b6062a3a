import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { ownPlatform, withoutCredentialLimit } from "../infra/own-platform.ts";
import { ask, type Json, until } from "../mesh/rest.ts";
import { AuditEnvironment } from "./audit-environment.ts";

let platform: LocalPlatform;
let environment: AuditEnvironment;

// It counts all refusals of the platform.
ownPlatform((started) => (platform = started), { separate: "services", settings: withoutCredentialLimit });
beforeAll(async () => {
  environment = await AuditEnvironment.of(platform, platform.directory);
});

interface Sent {
  requestId: string;
  /** Records it has to leave. */
  records: 0 | 1;
  code: string;
}

const job = () => {
  const { pipeline_id: pipelineId, run_id: runId, job_name: jobName } = environment.platform.description;
  return { pipelineId, runId, jobName };
};

/** What callers do all day, and how many records each request has to leave when it is answered as expected. */
const kinds: { name: string; input: () => Json; bearer?: string; code: string; records: 0 | 1 }[] = [
  { name: "RunService/CreatePipeline", input: () => ({ name: "p" }), code: "ok", records: 1 },
  {
    name: "RoleService/CreateRole",
    input: () => ({ name: "r", slug: `r${randomUUID()}` }),
    code: "ok",
    records: 1,
  },
  {
    name: "ControlCommandService/CreateTrainingControlCommand",
    input: () => ({ ...job(), action: "TRAINING_CONTROL_ACTION_CONTINUE", idempotencyKey: randomUUID() }),
    code: "ok",
    records: 1,
  },
  { name: "RunService/GetRun", input: () => ({ runId: randomUUID() }), code: "not_found", records: 1 },
  {
    name: "RoleService/ListRoles",
    input: () => ({}),
    bearer: `aip_${"y".repeat(43)}`,
    code: "unauthenticated",
    records: 1,
  },
  { name: "RoleService/ListRoles", input: () => ({}), code: "ok", records: 0 },
  { name: "RunService/CreatePipeline", input: () => ({ name: "" }), code: "invalid_argument", records: 0 },
];

async function send(count: number, atOnce: number): Promise<Sent[]> {
  const sent: Sent[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const kind = kinds[next++ % kinds.length];
      if (!kind) return;
      const shown = kind.bearer === undefined ? {} : { bearer: kind.bearer };
      const { requestId, code } = await environment.call(kind.name, kind.input(), shown);
      sent.push({ requestId, code, records: code === kind.code ? kind.records : 0 });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return sent;
}

/** Every write has a record of its own. */
function expectedOf(sent: readonly Sent[]): Map<string, number> {
  const writes = sent.filter(({ code, records }) => code === "ok" && records > 0);
  return new Map(writes.map(({ requestId, records }) => [requestId, records]));
}

/** Waits until the records of refusals have grown by these, and the three by which it was seen that all is there. */
async function expectCounted(sent: readonly Sent[], before: number): Promise<void> {
  const refused = sent.filter(({ code, records }) => code !== "ok" && records > 0).length;
  const wanted = before + refused + 3;
  const total = await until(
    "the refusals",
    60,
    () => environment.refusals(),
    (calls) => calls >= wanted,
  );
  expect(total).toBe(wanted);
}

const byKey = (counts: Map<string, number>) => [...counts].toSorted(([a], [b]) => a.localeCompare(b));

describe("some hundred mixed requests at once", () => {
  it("leave a record for each write, and records that count each refusal, and nothing else", async () => {
    const before = await environment.refusals();
    const sent = await send(420, 24);
    expect(sent.map(({ code }) => code).toSorted()).toEqual(
      Array.from({ length: 420 }, (_, n) => kinds[n % kinds.length]?.code ?? "").toSorted(),
    );
    await environment.settled();
    const writes = sent.filter(({ code }) => code === "ok");
    const counts = await environment.counts(writes.map(({ requestId }) => requestId));
    expect(byKey(counts)).toEqual(byKey(expectedOf(sent)));
    await expectCounted(sent, before);
  });
});

describe("while NATS is away", () => {
  it("writes and refusals go on, and each is recorded once when it is back", async () => {
    const before = await environment.refusals();
    await environment.platform.kill("nats");
    const sent = await send(35, 4);
    expect(expectedOf(sent).size).toBe(15);
    await environment.platform.restart("nats");
    await environment.settled(60);
    const writes = sent.filter(({ code }) => code === "ok");
    const counts = await environment.counts(writes.map(({ requestId }) => requestId));
    expect(byKey(counts)).toEqual(byKey(expectedOf(sent)));
    await expectCounted(sent, before);
  }, 120_000);
});

describe("when identity is killed while it follows the events", () => {
  it("nothing is missing and nothing is there twice", async () => {
    const writes = async (count: number) =>
      await Promise.all(
        Array.from({ length: count }, async (): Promise<Sent> => {
          const { requestId, code } = await environment.call("RunService/CreatePipeline", { name: "p" });
          return { requestId, code, records: code === "ok" ? 1 : 0 };
        }),
      );
    const before = await writes(50);
    const [during] = await Promise.all([writes(50), environment.platform.kill("identity")]);
    await environment.platform.restart("identity");
    const alive = () => ask(environment.platform.description, { path: "/platform/roles" });
    await until("identity to answer", 30, alive, ({ status }) => status === 200);
    await environment.settled(60);
    const sent = [...before, ...during];
    expect(before.every(({ records }) => records === 1)).toBe(true);
    const requestIds = sent.map(({ requestId }) => requestId);
    const answered = [...expectedOf(sent).keys()];
    // What the killed process had fetched is delivered again when its time is up.
    const probe = () => environment.counts(requestIds);
    const counts = await until("every record", 60, probe, (seen) => answered.every((requestId) => seen.has(requestId)));
    // A write whose answer was lost may have been done, and then it has its one record as well.
    expect([...counts.values()].every((records) => records === 1)).toBe(true);
  }, 120_000);
});
