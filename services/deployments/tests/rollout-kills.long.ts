import { randomUUID } from "node:crypto";
import { eventually, ServiceProcess, type TestClient } from "@aiplatform/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DeploymentsRig, program } from "./deployments-rig.ts";
import { answers, filesBelow, instancesNaming } from "./processes-of.ts";
import { handlerSaying, ServingClient } from "./serving-client.ts";

const settings = { DRAIN_MS: "100", ROLLOUT_LEASE_MS: "1000", ROLLOUT_TIMEOUT_MS: "30000" };

let rig: DeploymentsRig;
let service: ServiceProcess;
let caller: TestClient;
let serving: ServingClient;

beforeEach(async () => {
  rig = await DeploymentsRig.start({ replicas: 0 });
  service = await new ServiceProcess({ program, home: rig.home, settings }).start();
  connect();
}, 60_000);

afterEach(async () => {
  caller[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

const runtimes = () => instancesNaming(`--allow-fs-read=${rig.home.SERVING_DIRECTORY}`);

/** A connection that has seen the service die waits longer than we would. */
function connect(): void {
  caller = rig.clientAt(service.address);
  serving = new ServingClient(rig, caller);
}

async function again(): Promise<void> {
  await service.kill();
  await eventually(async () => (await runtimes()).length === 0);
  await service.start();
  caller[Symbol.dispose]();
  connect();
}

const answersWith = (id: string, word: string) =>
  eventually(async () => JSON.stringify((await serving.predict(id).catch(() => undefined))?.body)?.includes(word));

interface Written {
  status: string;
  rollout: { status: string };
  instances: { state: string }[];
}

/** The deployment as it is stored. */
async function written(id: string): Promise<Written | undefined> {
  const found = await rig.store.database.collection<{ _id: string } & Written>("deployments").findOne({ _id: id });
  return found ?? undefined;
}

/** Moments of a rollout at which the service is killed. */
const moments: { when: string; isThere: (id: string) => Promise<boolean> }[] = [
  { when: "at once after the request", isThere: async () => true },
  {
    when: "when the rollout has begun",
    isThere: async (id) => (await written(id))?.rollout.status === "InProgress",
  },
  {
    when: "when the instance's process runs",
    isThere: async (id) => ((await written(id))?.instances.length ?? 0) > 0,
  },
  {
    when: "when the rollout has succeeded",
    isThere: async (id) => (await written(id))?.rollout.status === "Succeeded",
  },
];

describe.each(moments)("a service that is killed $when", ({ isThere }) => {
  it("goes on where it was: what served comes back, what was to serve does, and nothing of before is left", async () => {
    const id = await serving.deploy({ handler: handlerSaying("one") });
    await eventually(() => isThere(id));
    await again();
    await serving.comesTo(id, "RUNNING", "SUCCEEDED");
    await answersWith(id, "one");
    expect(await runtimes()).toHaveLength(1);
    const { rolloutRequestId } = await serving.get(id);
    await serving.update(id, { handler: handlerSaying("two") });
    await eventually(async () => (await serving.get(id)).rolloutRequestId !== rolloutRequestId && (await isThere(id)));
    await again();
    await answersWith(id, "two");
    await serving.comesTo(id, "RUNNING", "SUCCEEDED");
    await eventually(async () => (await runtimes()).length === 1);
  }, 120_000);
});

describe("a service that is killed while a deployment is deleted", () => {
  it("deletes it, and leaves neither processes nor files", async () => {
    const id = await serving.deploy({ handler: handlerSaying("one") });
    await serving.comesTo(id, "RUNNING", "SUCCEEDED");
    await serving.deployments.deleteDeployment({ deploymentId: id });
    await again();
    await eventually(async () => (await written(id)) === undefined);
    expect(await runtimes()).toEqual([]);
    expect((await filesBelow(rig.home.SERVING_DIRECTORY)).filter((path) => path.includes("handler.mjs"))).toEqual([]);
  }, 120_000);
});

describe("two replicas", () => {
  it("take over what the other managed, and what its processes served is served again", async () => {
    const id = await serving.deploy({ handler: handlerSaying("one") });
    await serving.comesTo(id, "RUNNING", "SUCCEEDED");
    const before = await serving.endpoints(id);
    await using other = await new ServiceProcess({ program, home: rig.home, settings }).start();
    using otherCaller = rig.clientAt(other.address);
    const theirs = new ServingClient(rig, otherCaller);
    await service.kill();
    const after = await eventually(async () => {
      const found = await theirs.endpoints(id);
      return found.length > 0 && found[0]?.url !== before[0]?.url && found;
    });
    expect(after).toHaveLength(1);
    expect(await answers(before[0]?.url ?? "")).toBe(false);
    expect(await theirs.predict(id)).toMatchObject({ status: 200 });
    expect(await runtimes()).toHaveLength(1);
  }, 120_000);

  it("share the work so that one of them reconciles each deployment", async () => {
    await using other = await new ServiceProcess({ program, home: rig.home, settings }).start();
    using otherCaller = rig.clientAt(other.address);
    const theirs = new ServingClient(rig, otherCaller);
    const ids = await Promise.all(
      [serving, theirs, serving, theirs].map((each) => each.deploy({ handler: handlerSaying("one") }, randomUUID())),
    );
    for (const id of ids) await serving.comesTo(id, "RUNNING", "SUCCEEDED");
    await eventually(async () => (await runtimes()).length === ids.length);
    for (const id of ids) expect(await theirs.predict(id)).toMatchObject({ status: 200 });
  }, 120_000);
});
