import { randomUUID } from "node:crypto";
import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { OrganisationQuotasSetSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { connectEventStream, type EventStream, eventRecord } from "@aiplatform/event-stream";
import { limitsMessage, OrganisationLimitStore, type QuotaLimits } from "@aiplatform/quotas";
import { eventually, failureOf, serviceKeys } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DeploymentsRig } from "./deployments-rig.ts";

let parts: AsyncDisposableStack;
let rig: DeploymentsRig;
let identity: EventStream;
let organisationLimits: OrganisationLimitStore;
const organisationId: string = randomUUID();
beforeAll(async () => {
  parts = new AsyncDisposableStack();
  const settings = {
    QUOTAS: JSON.stringify({ deployments: 1 }),
    ORGANISATION_QUOTAS: JSON.stringify({ [organisationId]: { deployments: 2, instance_memory_mb: 1_024 } }),
  };
  rig = parts.use(await DeploymentsRig.start({ settings }));
  organisationLimits = new OrganisationLimitStore(rig.store);
  const { NATS_URL: servers, NATS_STREAM: streamName } = rig.home;
  const keys = serviceKeys("identity");
  identity = await connectEventStream({ servers, keys, name: "identity of the tests", streamName });
  parts.defer(() => identity.close());
  const isThere = () =>
    identity.ping().then(
      () => true,
      () => false,
    );
  await eventually(isThere, "the stream");
});
afterAll(() => parts.disposeAsync());

/** Announces limits, and waits until they are known. */
async function announced(revision: number, limits: QuotaLimits): Promise<void> {
  const message = create(OrganisationQuotasSetSchema, { organisationId, revision, limits: limitsMessage(limits) });
  const facts = { organisationId, entityId: organisationId, time: new Date() };
  await identity.publish([eventRecord(OrganisationQuotasSetSchema, message, facts)]);
  const known = async () => (await organisationLimits.find(organisationId)).revision === revision;
  await eventually(known, `revision ${revision}`);
}

function deploy(memoryMb: number): Promise<unknown> {
  const config = { min_instances: 0, max_instances: 1, memory_mb: memoryMb };
  return rig
    .as({ organisationId })
    .client(DeploymentService)
    .createCustomServingDeployment({
      name: "Prices",
      servingBundle: {
        schemaVersion: "serving.v1",
        runtime: { type: "prebuilt", value: "node" },
        interface: { input: { text: "{}" }, output: { text: "{}" } },
        name: "prices",
        artifacts: [{ name: "handler", path: "handler.mjs", kind: "file" }],
      },
      artifacts: [
        {
          name: "handler",
          content: { text: '"export default (input) => input"' },
          contentType: "text/javascript",
        },
      ],
      serverlessRunConfig: { text: JSON.stringify(config) },
    });
}

describe("an organisation to which the settings and the operation give limits", () => {
  it("has those of the operation, and those of the settings for what the operation does not name", async () => {
    await announced(1, { deployments: 3 });
    for (let count = 0; count < 3; count++) await deploy(64);
    expect((await failureOf(deploy(64))).metadata).toMatchObject({ quota: "deployments", limit: "3", used: "3" });
    await announced(2, { deployments: 4, instance_memory_mb: 300 });
    const refused = await failureOf(deploy(128));
    expect(refused.metadata).toEqual({ quota: "instance_memory_mb", limit: "300", used: "192", asked: "128" });
    await announced(3, { deployments: 4 });
    await deploy(128);
    await announced(4, {});
    expect((await failureOf(deploy(64))).metadata).toMatchObject({ quota: "deployments", limit: "2", used: "4" });
  });
});
