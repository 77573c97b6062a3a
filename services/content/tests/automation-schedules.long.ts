import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { MissedRunPolicy } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { connectDocumentStore, type DocumentStore } from "@aiplatform/document-store";
import { eventually, newTestEnvironment, ServiceProcess, TestClient, type TestEnvironment } from "@aiplatform/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AutomationClient, promptStep } from "./automation-client.ts";
import { program } from "./content-rig.ts";
import { IdentityBeside } from "./identity-beside.ts";
import { ModelServer } from "./model-server.ts";
import { daysAfter, dueThisMinute, KeptSchedules, movedOn, nextRunAt, ranAt } from "./schedule-rig.ts";

const hourMs = 3_600_000;
const permissions = ["automations:read", "automations:write", "automations:run"];
const missed = MissedRunPolicy.CATCH_UP;

const parts = new AsyncDisposableStack();
let home: TestEnvironment;
let settings: Record<string, string>;
let identity: IdentityBeside;
let store: DocumentStore;
let schedules: KeptSchedules;
let right: ServiceProcess;
let organisationId: string;
let credentialId: string;

beforeAll(async () => {
  home = newTestEnvironment("content");
  const model = parts.use(await ModelServer.start());
  identity = parts.use(await IdentityBeside.start());
  settings = { ...model.settings, ...identity.settings, AUTOMATION_LEASE_MS: "1000", LOG_LEVEL: "info" };
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = home;
  store = parts.use(await connectDocumentStore({ uri, database, appName: "content tests" }));
  schedules = new KeptSchedules(store);
  right = parts.use(new ServiceProcess({ program, home, settings }));
});
afterAll(async () => await parts.disposeAsync());

beforeEach(async () => {
  organisationId = randomUUID();
  credentialId = await identity.newKey(organisationId, permissions);
  await right.start();
});

/** Automations at the process that is right, as it runs now. */
async function asked<R>(ask: (automations: AutomationClient) => Promise<R>): Promise<R> {
  using caller = new TestClient(right.address, { organisationId, permissions, credentialId });
  return await ask(new AutomationClient(caller));
}

const published = (cron: string) =>
  asked((automations) =>
    automations.published({ steps: [promptStep("a")], trigger: { event: "schedule", schedule: { cron, missed } } }),
  );

/** Looks for due schedules that a process has made. */
async function looksOf({ admin }: ServiceProcess): Promise<number> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  const [, looks] = /^worker_rounds_total\{.*worker="automation-schedules".*outcome="done".*\} (\d+)/m.exec(text) ?? [];
  return Number(looks ?? 0);
}

describe("schedules whose process is killed again and again", () => {
  it("start one run for each due time, and miss none", async () => {
    const { cron, today } = dueThisMinute();
    const due = Array.from({ length: 10 }, (_, index) => daysAfter(today, index - 9));
    const ids = await Promise.all(Array.from({ length: 20 }, () => published(cron)));
    const runs = () => store.database.collection("automation_runs").countDocuments({ organisation_id: organisationId });
    for (const id of ids) await schedules.standAt(id, due[0] ?? today);
    const all = ids.length * due.length;
    for (let kills = 0; kills < 12 && (await runs()) < all; kills++) {
      const seen = await runs();
      await eventually(async () => (await runs()) > seen);
      // At any point of what follows.
      await pause(randomInt(0, 40));
      await right.kill();
      await right.start();
    }
    expect(right.kills).toBeGreaterThan(1);
    const expected = due.map((time) => time.toISOString());
    for (const id of ids) {
      await asked((automations) => movedOn(automations, id));
      expect(await asked((automations) => ranAt(automations, id))).toEqual(expected);
    }
    await right.kill();
  }, 600_000);
});

describe("a replica whose clock is two hours ahead", () => {
  it("starts no run before its due time, nor counts one as missed", async () => {
    await using ahead = await new ServiceProcess({ program, home, settings, clockAheadMs: 2 * hourMs }).start();
    const { cron, today } = dueThisMinute(new Date(Date.now() + hourMs));
    const later = await published(cron);
    const before = await looksOf(ahead);
    await eventually(async () => (await looksOf(ahead)) >= before + 5, "looks of the replica that is ahead");
    expect(await asked((automations) => ranAt(automations, later))).toEqual([]);
    expect(await asked((automations) => nextRunAt(automations, later))).toEqual(today);
    const now = dueThisMinute();
    const due = await published(now.cron);
    await schedules.standAt(due, now.today);
    await asked((automations) => movedOn(automations, due));
    expect(await asked((automations) => ranAt(automations, due))).toEqual([now.today.toISOString()]);
    expect(await asked((automations) => nextRunAt(automations, due))).toEqual(daysAfter(now.today, 1));
    await right.kill();
  }, 120_000);
});
