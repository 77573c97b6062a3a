import { readdir } from "node:fs/promises";
import { eventually } from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DeploymentsRig } from "./deployments-rig.ts";
import { answers, filesBelow, instancesNaming, processesNaming } from "./processes-of.ts";
import { handlerSaying, ServingClient } from "./serving-client.ts";

/** As many as fit into a test's time; set ROLLOUTS=100 for a long look. */
const rollouts = Number(process.env["ROLLOUTS"] ?? 4);

let rig: DeploymentsRig;
let serving: ServingClient;

beforeAll(async () => {
  rig = await DeploymentsRig.start({ settings: { DRAIN_MS: "0" } });
  serving = new ServingClient(rig, rig.as());
}, 60_000);

afterAll(() => rig[Symbol.asyncDispose]());

const runtimes = () => instancesNaming(`--allow-fs-read=${rig.home.SERVING_DIRECTORY}`);
/** Handles that this process, which is the service as well, has open; undefined where the system does not tell. */
const handles = () =>
  readdir("/proc/self/fd").then(
    ({ length }) => length,
    () => undefined,
  );

describe("many rollouts of a deployment", () => {
  it(
    "leave the processes, ports, files and handles of one, and none once it is deleted",
    async () => {
      const id = await serving.deploy({ handler: handlerSaying("0") });
      await serving.comesTo(id, "RUNNING", "SUCCEEDED");
      const files = (await filesBelow(rig.home.SERVING_DIRECTORY)).length;
      const handlesBefore = await handles();
      const urls = new Set<string>();
      for (let number = 1; number <= rollouts; number += 1) {
        // Each third fails: what failed is to leave as little.
        const fails = number % 3 === 0;
        await serving.update(id, { handler: fails ? "throw new Error('no weights');" : handlerSaying(String(number)) });
        await serving.comesTo(id, "RUNNING", fails ? "FAILED" : "SUCCEEDED");
        for (const { url } of await serving.endpoints(id)) urls.add(url);
      }
      await eventually(async () => (await runtimes()).length === 1);
      await eventually(async () => (await filesBelow(rig.home.SERVING_DIRECTORY)).length === files);
      const live = await Promise.all([...urls].map(answers));
      expect(live.filter(Boolean)).toHaveLength(1);
      if (handlesBefore !== undefined) expect((await handles()) ?? 0).toBeLessThan(handlesBefore + 8);
      await serving.deployments.deleteDeployment({ deploymentId: id });
      await eventually(async () => (await runtimes()).length === 0);
      // The directory of the driver, and what it says of its limits.
      await eventually(async () => (await filesBelow(rig.home.SERVING_DIRECTORY)).length === 2);
    },
    60_000 + rollouts * 15_000,
  );
});

describe("a deployment that may fall to no instance", () => {
  it("does after its idle time, stays Running, and wakes up for a prediction", async () => {
    const runConfig = { min_instances: 0, idle_seconds: 2 };
    const id = await serving.deploy({ handler: handlerSaying("awake"), runConfig }, "sleeper");
    await serving.comesTo(id, "RUNNING", "SUCCEEDED");
    await eventually(async () => (await serving.endpoints(id)).length === 0 && (await runtimes()).length === 0);
    await serving.comesTo(id, "RUNNING", "SUCCEEDED");
    expect(await serving.predict(id)).toMatchObject({ status: 200, body: { output: { said: "awake" } } });
    await serving.comesTo(id, "RUNNING", "SUCCEEDED");
  }, 90_000);
});

describe("a deployment whose instance is full", () => {
  it("has another as long as there may be one", async () => {
    const handler = "export default async () => new Promise((over) => setTimeout(over, 6000, 'late'));";
    const id = await serving.deploy({ handler, runConfig: { concurrency: 1, max_instances: 2 } }, "busy");
    await serving.comesTo(id, "RUNNING", "SUCCEEDED");
    const late = serving.predict(id);
    await eventually(async () => (await serving.endpoints(id)).length === 2);
    await late;
  }, 90_000);
});

describe("a handler that does not come to an end while it is loaded", () => {
  it("ends in Failed with Timeout", async () => {
    const hasty = await DeploymentsRig.start({ settings: { ROLLOUT_TIMEOUT_MS: "5000" } });
    const client = new ServingClient(hasty, hasty.as());
    const id = await client.deploy({ handler: "for (;;);" });
    const { rolloutError } = await client.comesTo(id, "FAILED", "FAILED");
    expect(rolloutError).toMatch(/^Timeout: The version was not ready within 5 s/);
    await eventually(async () => (await processesNaming(`=${hasty.home.SERVING_DIRECTORY}`)).length === 0);
    await hasty[Symbol.asyncDispose]();
  }, 90_000);
});
