import * as client from "@aiplatform/client";
import { describe, expect, expectTypeOf, it } from "vitest";

type Wait = Extract<keyof typeof client, `settled${string}`>;
type Ids<Name extends Wait> = Parameters<(typeof client)[Name]>[1];

const ids = { pipeline_id: "p", run_id: "r", job_name: "j", command_id: "c", deployment_id: "d", draft_id: "e" };

/** Every function that waits, given ids by their names and options. */
const waits: Record<Wait, (platform: client.PlatformClient, options: client.WaitOptions) => Promise<unknown>> = {
  settledAutomationRun: (platform, options) => client.settledAutomationRun(platform, ids, options),
  settledCommand: (platform, options) => client.settledCommand(platform, ids, options),
  settledDeployment: (platform, options) => client.settledDeployment(platform, ids, options),
  settledSending: (platform, options) => client.settledSending(platform, ids, options),
};

describe("the functions that wait, whose parameters differed from one to the other", () => {
  it("take the platform, ids by their names, and options with a signal", () => {
    type Form = (platform: client.PlatformClient, named: never, options?: client.WaitOptions) => Promise<unknown>;
    expectTypeOf<(typeof client)[Wait]>().toExtend<Form>();
    expectTypeOf<{ [Name in Wait]: Ids<Name> extends object ? "named" : Name }>().toEqualTypeOf<
      Record<Wait, "named">
    >();
  });

  it.each(Object.entries(waits))("%s ends with the reason of its signal", async (_, wait) => {
    const platform = client.createPlatformClient({ baseUrl: "http://127.0.0.1:9", credential: "key" });
    const reason = new Error("given up");
    await expect(wait(platform, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
