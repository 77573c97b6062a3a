import { eventually } from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DeploymentsRig } from "./deployments-rig.ts";
import { handlerSaying, ServingClient } from "./serving-client.ts";

let rig: DeploymentsRig;
let serving: ServingClient;

beforeAll(async () => {
  // A caller who was told of the version before reaches it within the time of the drain, also on a busy machine.
  rig = await DeploymentsRig.start({ settings: { DRAIN_MS: "2000", ROLLOUT_TIMEOUT_MS: "20000" } });
  serving = new ServingClient(rig, rig.as());
}, 60_000);

afterAll(() => rig[Symbol.asyncDispose]());

const said = (word: string) => ({ status: 200, body: expect.objectContaining({ output: { said: word } }) });

describe("a bundle that was deployed", () => {
  it("answers predictions once it is Running", async () => {
    const id = await serving.deploy({ handler: handlerSaying("one") });
    const deployment = await serving.comesTo(id, "RUNNING", "SUCCEEDED");
    expect(await serving.predict(id)).toEqual(said("one"));
    expect(deployment.rolloutError).toBeUndefined();
    expect(deployment.currentDeploymentVersionId).toBeDefined();
  }, 60_000);

  it("is answered by its new version after an update, without a gap", async () => {
    const id = await serving.deploy({ handler: handlerSaying("one") });
    await serving.comesTo(id, "RUNNING", "SUCCEEDED");
    const answers = new Set<unknown>();
    await serving.update(id, { handler: handlerSaying("two") });
    const last = await eventually(async () => {
      const answer = await serving.predict(id);
      answers.add(answer?.status);
      return JSON.stringify(answer?.body).includes("two") && answer;
    });
    expect(last).toEqual(said("two"));
    expect([...answers]).toEqual([200]);
  }, 60_000);
});

const failures = [
  {
    situation: "a handler that throws when it is loaded",
    bundle: { handler: "throw new Error('no weights');" },
    error: /^(InvalidBundle|ModelLoadFailed): .*no weights/,
  },
  {
    situation: "a handler that is no program",
    bundle: { handler: "export default async (" },
    error: /^(InvalidBundle|ModelLoadFailed): /,
  },
];

describe.each(failures)("$situation", ({ bundle, error }) => {
  it("ends in Failed, with a reason", async () => {
    const id = await serving.deploy(bundle);
    const deployment = await serving.comesTo(id, "FAILED", "FAILED");
    expect(deployment.rolloutError).toMatch(error);
  }, 60_000);

  it("leaves what serves as it was", async () => {
    const id = await serving.deploy({ handler: handlerSaying("one") });
    const before = await serving.comesTo(id, "RUNNING", "SUCCEEDED");
    const endpoints = await serving.endpoints(id);
    await serving.update(id, bundle);
    const after = await serving.comesTo(id, "RUNNING", "FAILED");
    expect(after.rolloutError).toMatch(error);
    expect(after.currentDeploymentVersionId).toBe(before.currentDeploymentVersionId);
    expect(await serving.endpoints(id)).toEqual(endpoints);
  }, 60_000);
});
