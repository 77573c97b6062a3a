import { AutomationRunStatus } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { DatasetService } from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { eventually } from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AutomationClient, promptStep } from "./automation-client.ts";
import { ContentRig, everyPermission } from "./content-rig.ts";
import { IdentityBeside } from "./identity-beside.ts";
import { ModelServer } from "./model-server.ts";

const parts = new AsyncDisposableStack();
let identity: IdentityBeside;
let rig: ContentRig;

beforeAll(async () => {
  const model = parts.use(await ModelServer.start());
  identity = parts.use(await IdentityBeside.start());
  rig = parts.use(await ContentRig.start({ settings: { ...model.settings, ...identity.settings } }));
});
afterAll(async () => await parts.disposeAsync());

/** How often content could not handle an event that starts runs. */
async function failedAttempts(): Promise<number> {
  const text = await (await fetch(`${rig.services[0]?.addresses.admin}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line.startsWith("consumer_events_total{"));
  const failed = lines.find((line) => line.includes('"content-triggers"') && line.includes('"failed"'));
  return Number(failed?.split(" ").at(-1) ?? 0);
}

describe("an event that happens while identity is away", () => {
  it("starts its run when identity is back, however long that takes", async () => {
    const credentialId = await identity.newKey(rig.acme, everyPermission);
    const automations = new AutomationClient(rig.as({ credentialId }));
    const trigger = { event: "content.dataset.created" };
    const automationId = await automations.published({ steps: [promptStep("a", "{{ event.name }}")], trigger });
    await identity.awayDuring(async () => {
      await rig.as().client(DatasetService).createDataset({ name: "sales" });
      // Other failures put an event among the dead letters after five deliveries, with two attempts each.
      await eventually(async () => (await failedAttempts()) > 10, "more attempts than an event has");
    });
    const runs = async () => (await automations.client.listAutomationRuns({ automationId })).runs;
    await eventually(async () => (await runs()).length > 0, "a run");
    const [run] = await runs();
    expect((await automations.ended(run?.id ?? "")).status).toBe(AutomationRunStatus.SUCCEEDED);
  });
});
