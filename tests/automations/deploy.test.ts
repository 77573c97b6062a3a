import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Json, until } from "../mesh/rest.ts";

let platform: LocalPlatform;
sharedPlatform(
  (started) => {
    platform = started;
  },
  { trainer: true },
);

async function asked(path: string, body?: Json, method?: string, headers: Record<string, string> = {}): Promise<Json> {
  const wanted = { path, headers, ...(body ? { body } : {}), ...(method ? { method } : {}) };
  const answer = await ask(platform.description, wanted);
  if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

/** A run of an automation of one step that deploys, once it has ended. */
async function deployed(members: object): Promise<Json> {
  const { id } = await asked("/platform/automations", { name: "Deploy" });
  const step = { key: "deploy", name: "Deploy", prompt_template: { type: "deploy", ...members } };
  await asked(`/platform/automations/${id}/draft`, { steps: [step] }, "PUT");
  await asked(`/platform/automations/${id}/publish`, undefined, "POST", { "if-match": "*" });
  const run = await asked(`/platform/automations/${id}/runs`, {});
  return await until(
    "the end of the run",
    120,
    () => asked(`/platform/automation-runs/${run.id}`),
    ({ ended_at }) => ended_at !== null,
  );
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
    expect(await asked(`/platform/deployments/${deployment_id}`)).toMatchObject({ status: "Running" });

    const again = await deployed({ deployment_id });
    expect(again).toMatchObject({ status: "succeeded", error: null });
    const second = again.steps[0].output;
    expect(second).toMatchObject({ deployment_id, status: "Running" });
    expect(second.rollout_id).not.toBe(output.rollout_id);
  }, 240_000);

  it("fails for a model that there is none of", async () => {
    const { status, error } = await deployed({ model_id: "0190c0de-0000-7000-8000-000000000001" });
    expect({ status, error }).toEqual({ status: "failed", error: 'Step "deploy": Not found' });
  });
});
