import { randomUUID } from "node:crypto";
import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { failureOf, type TestCaller } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DeploymentsRig } from "./deployments-rig.ts";

/** An organisation to which the operator gave a limit of its own. */
const preferred: string = randomUUID();

let rig: DeploymentsRig;
beforeAll(async () => {
  const quotas = { deployments: 3, instance_memory_mb: 4_096 };
  const settings = {
    QUOTAS: JSON.stringify(quotas),
    ORGANISATION_QUOTAS: JSON.stringify({ [preferred]: { deployments: 1 } }),
  };
  rig = await DeploymentsRig.start({ settings });
});
afterAll(() => rig?.[Symbol.asyncDispose]());

let organisations = 0;
/** An organisation that has nothing yet. */
const newOrganisation = (): TestCaller => ({
  organisationId: `00000000-0000-4000-8000-${String(++organisations).padStart(12, "0")}`,
});
const deployments = (caller: TestCaller) => rig.as(caller).client(DeploymentService);

const bundleOf = (config?: { max_instances?: number; memory_mb: number }) => ({
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
  ...(config ? { serverlessRunConfig: { text: JSON.stringify({ min_instances: 0, ...config }) } } : {}),
});

async function deploy(caller: TestCaller, config: { max_instances?: number; memory_mb: number }): Promise<string> {
  const wanted = { name: "Prices", ...bundleOf(config) };
  const { deployment } = await deployments(caller).createCustomServingDeployment(wanted);
  return deployment?.id ?? "";
}

const small = { memory_mb: 64 };

describe("an organisation with as many deployments as its quota", () => {
  it("is refused another, with both figures, until one is deleted", async () => {
    const acme = newOrganisation();
    const [first] = [await deploy(acme, small), await deploy(acme, small), await deploy(acme, small)];
    expect(await failureOf(deploy(acme, small))).toEqual({
      code: Code.PermissionDenied,
      reason: "QUOTA_EXCEEDED",
      message: "The organisation has 3 of 3 deployments. Delete one, or ask the operator for a higher quota.",
      metadata: { quota: "deployments", limit: "3", used: "3", asked: "1" },
      fields: [],
    });
    await deployments(acme).deleteDeployment({ deploymentId: first });
    await deploy(acme, small);
  });

  it("leaves other organisations their own", async () => {
    const [acme, globex] = [newOrganisation(), newOrganisation()];
    for (let count = 0; count < 3; count++) await deploy(acme, small);
    await deploy(globex, small);
  });
});

describe("an organisation to which the operator gave a quota of its own", () => {
  it("has that one", async () => {
    await deploy({ organisationId: preferred }, small);
    const { metadata } = await failureOf(deploy({ organisationId: preferred }, small));
    expect(metadata).toEqual({ quota: "deployments", limit: "1", used: "1", asked: "1" });
  });
});

describe("an organisation whose instances may take no more memory", () => {
  it("is refused a deployment of many large instances", async () => {
    const refused = await failureOf(deploy(newOrganisation(), { max_instances: 16, memory_mb: 16_384 }));
    expect(refused).toMatchObject({
      code: Code.PermissionDenied,
      reason: "QUOTA_EXCEEDED",
      metadata: { quota: "instance_memory_mb", limit: "4096", used: "0", asked: "262144" },
    });
  });

  it("is refused larger instances of what it has", async () => {
    const acme = newOrganisation();
    await deploy(acme, { memory_mb: 4_000 });
    const deploymentId = await deploy(acme, small);
    const update = (memoryMb: number) =>
      deployments(acme).updateCustomServingDeployment({ deploymentId, ...bundleOf({ memory_mb: memoryMb }) });
    const refused = await failureOf(update(128));
    expect(refused.metadata).toEqual({ quota: "instance_memory_mb", limit: "4096", used: "4064", asked: "64" });
    await update(96);
  });

  it("gets room by stopping a deployment, which then starts only if there is room", async () => {
    const acme = newOrganisation();
    const deploymentId = await deploy(acme, { memory_mb: 4_000 });
    expect((await failureOf(deploy(acme, { memory_mb: 128 }))).reason).toBe("QUOTA_EXCEEDED");
    await deployments(acme).stopDeployment({ deploymentId });
    const other = await deploy(acme, { memory_mb: 128 });
    const refused = await failureOf(deployments(acme).startDeployment({ deploymentId }));
    expect(refused.metadata).toEqual({ quota: "instance_memory_mb", limit: "4096", used: "128", asked: "4000" });
    await deployments(acme).deleteDeployment({ deploymentId: other });
    await deployments(acme).startDeployment({ deploymentId });
  });
});
