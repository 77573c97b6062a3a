import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import type { Json } from "../mesh/rest.ts";
import { Automations } from "./automations.ts";

let platform: LocalPlatform;
sharedPlatform(
  (started) => {
    platform = started;
  },
  { trainer: true },
);

const automations = new Automations(() => platform);

/** A run of an automation of one step that deploys, once it has ended. */
async function deployed(members: object): Promise<Json> {
  return await automations.ran(await automations.published([{ type: "deploy", ...members }]));
}

describe("a step that deploys", () => {
  it("makes a model answer predictions, and begins a rollout of what it has deployed", async () => {
    const { model_id } = platform.description;
    const first = await deployed({ model_id });
    expect(first).toMatchObject({ status: "succeeded", error: null });
    const { output, label } = first.steps[0];
    expect(label).toBe("completed");
    expect(output).toMatchObject({ status: "Running", model_id, version_id: expect.any(String) });
    const { deployment_id } = output;
    expect(await automations.asked(`/platform/deployments/${deployment_id}`)).toMatchObject({ status: "Running" });

    const again = await deployed({ deployment_id });
    expect(again).toMatchObject({ status: "succeeded", error: null });
    const second = again.steps[0].output;
    expect(second).toMatchObject({ deployment_id, status: "Running" });
    expect(second.rollout_id).not.toBe(output.rollout_id);
  }, 240_000);

  it("fails for a model that there is none of", async () => {
    const { status, error } = await deployed({ model_id: "0190c0de-0000-7000-8000-000000000001" });
    expect({ status, error }).toEqual({ status: "failed", error: 'Step "s0": Not found' });
  });
});
