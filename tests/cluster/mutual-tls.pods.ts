import { randomUUID } from "node:crypto";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, type Reachable } from "../mesh/rest.ts";
import { type Identity, makeCertificates } from "./certificates.ts";
import { install, makeOrganisation, services } from "./installation.ts";
import { type Forwarded, forward, kubectl } from "./kubernetes.ts";
import { provideVolumes } from "./volumes.ts";

const installsWithinMs = 900_000;
const stranger = "stranger";

let reachable: Reachable;
let training: Forwarded;
let certificates: ReadonlyMap<string, Identity>;
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  await provideVolumes();
  await kubectl("apply", "--filename", "k8s/base/namespace.yaml");
  certificates = await makeCertificates([...services, stranger]);
  await install("mutual-tls");
  const bearer = await makeOrganisation();
  const gateway = parts.use(await forward("gateway", 8_080));
  training = parts.use(await forward("training", 8_080));
  reachable = { gateway: `http://${gateway.address}`, bearer, pipeline_id: "", run_id: "", job_name: "one" };
}, installsWithinMs);
afterAll(async () => await parts.disposeAsync(), 60_000);

/** Clients of training over TLS, which knows its name but not the address that it is forwarded to. */
function runsAs(identity: Partial<Identity>) {
  const nodeOptions = { ...identity, servername: "training" };
  const baseUrl = `https://${training.address}`;
  return createClient(RunService, createConnectTransport({ baseUrl, httpVersion: "1.1", nodeOptions }));
}

const options = () => ({ headers: { authorization: `Bearer ${reachable.bearer}` } });

describe("the platform with certificates between its services", () => {
  it.each(["/platform/roles", "/platform/datasets", "/platform/deployments", "/platform/organisation"])(
    "answers %s through the gateway",
    async (path) => {
      expect((await ask(reachable, { path })).status).toBe(200);
    },
  );

  it("takes operation 1, and answers operation 8", async () => {
    const runs = runsAs(certificates.get(stranger) ?? {});
    const { pipeline } = await runs.createPipeline({ name: "certificates" }, options());
    const jobs = [{ name: "one", primaryMetric: "loss", primaryMetricGoal: 2 }];
    const { run } = await runs.createRun({ pipelineId: pipeline?.id ?? "", name: "first", jobs }, options());
    const path = `/pipelines/${pipeline?.id}/runs/${run?.id}`;
    const body = { action: "pause", idempotency_key: randomUUID() };
    expect((await ask(reachable, { path: `${path}/training/one/commands`, body })).status).toBe(201);
    expect((await ask(reachable, { path: `${path}/metrics/` })).status).toBe(200);
  });

  it("hears no caller without a certificate, and none in plain text", async () => {
    const ca = certificates.get(stranger)?.ca ?? "";
    await expect(runsAs({ ca }).createPipeline({ name: "none" }, options())).rejects.toThrow();
    await expect(fetch(`http://${training.address}/`)).rejects.toThrow();
  });
});
