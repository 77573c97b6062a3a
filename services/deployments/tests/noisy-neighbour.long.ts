import { randomUUID } from "node:crypto";
import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DeploymentsRig } from "./deployments-rig.ts";

let rig: DeploymentsRig;
beforeAll(async () => {
  rig = await DeploymentsRig.start({ settings: { WORKER_QUEUE_LENGTH: "3" } });
});
afterAll(() => rig?.[Symbol.asyncDispose]());

/** A bundle with this schema, which is refused after the schema was checked: its runtime is unknown. */
const bundleWith = (schema: unknown) => ({
  name: randomUUID(),
  servingBundle: {
    schemaVersion: "serving.v1",
    name: "prices",
    runtime: { type: "prebuilt", value: "cobol" },
    interface: { input: { text: JSON.stringify(schema) }, output: { text: "{}" } },
    artifacts: [{ name: "handler", path: "handler.mjs", kind: "file" }],
  },
  artifacts: [{ name: "handler", content: { text: '"export default 1"' }, contentType: "text/javascript" }],
});
const deploy = (schema: unknown) =>
  failureOf(rig.as().client(DeploymentService).createCustomServingDeployment(bundleWith(schema)));

/** Answers that another organisation gets, one after the other, until something is over. */
async function answersUntil(over: Promise<unknown>): Promise<number> {
  const deployments = rig.as({ organisationId: rig.globex }).client(DeploymentService);
  let isOver = false;
  void over.finally(() => {
    isOver = true;
  });
  let answers = 0;
  for (; !isOver; answers++) await deployments.listDeployments({});
  return answers;
}

const patterned = Object.fromEntries(
  Array.from({ length: 300 }, (_, index) => [`p${index}`, { type: "string", pattern: `^a${index}+$` }]),
);
const alternatives = (count: number) => ({
  anyOf: Array.from({ length: count }, (_, index) => {
    return { type: "object", properties: { [`a${index}`]: { const: index } }, required: [`a${index}`] };
  }),
});

describe("an organisation that deploys a schema which takes long to compile", () => {
  it.each([
    ["properties with patterns", { properties: patterned }],
    ["alternatives", alternatives(300)],
  ])("does not stop the service for another organisation: %s", async (_, schema) => {
    const deployed = Promise.all([deploy(schema), deploy(schema)]);
    const answers = await answersUntil(deployed);
    const refused = { code: Code.InvalidArgument, fields: [["serving_bundle.runtime.value", "RUNTIME_UNKNOWN"]] };
    expect(await deployed).toMatchObject([refused, refused]);
    // While the schemas were compiled on the event loop, there was one between them.
    expect(answers).toBeGreaterThan(10);
  });

  it("is told to try again when too many of its schemas wait", async () => {
    const refused = await Promise.all(Array.from({ length: 12 }, () => deploy(alternatives(50))));
    const reasons = new Set(refused.map(({ code, reason }) => `${Code[code]} ${reason}`));
    expect(reasons).toEqual(new Set(["InvalidArgument FIELDS_INVALID", "Unavailable WORKER_QUEUE_FULL"]));
  });
});
