import { randomUUID } from "node:crypto";
import {
  ListDeploymentsRequestSchema,
  ListDeploymentVersionsRequestSchema,
  ListRolloutsRequestSchema,
} from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import {
  ListModelsRequestSchema,
  ListModelVersionsRequestSchema,
} from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { ListRunFilesRequestSchema } from "@aiplatform/contract/aiplatform/deployments/v1/run_files";
import { declaredLists, declaredQueries, eventually, type ListQueryTexts, withoutIndex } from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Deployment, DeploymentNotFoundError } from "../src/deployments/deployment.ts";
import { ReconnectError, watchDeployment } from "../src/deployments/watch-deployment.ts";
import { getServingState } from "../src/predictions/get-serving-state.ts";
import { NothingRunsError, resolvePredictionRoute } from "../src/predictions/resolve-prediction-route.ts";
import { OperationsRig } from "./operations-rig.ts";

let rig: OperationsRig;
beforeAll(async () => {
  rig = await OperationsRig.start();
});
afterAll(() => rig?.[Symbol.asyncDispose]());

const never = () => new AbortController().signal;
const resolve = (which: Pick<Deployment, "id">, waitMs = 0, signal = never()) =>
  resolvePredictionRoute(rig.dependencies, rig.ref(which), { timeoutMs: waitMs, signal });

async function serving(): Promise<Deployment> {
  const { modelId } = await rig.model();
  return rig.served(await rig.deploy(modelId));
}

describe("each filter and order", () => {
  const [deploymentId, modelId, pipelineId, runId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];

  const lists = [
    ["deployments", ListDeploymentsRequestSchema],
    ["deploymentVersions", ListDeploymentVersionsRequestSchema],
    ["rollouts", ListRolloutsRequestSchema],
    ["models", ListModelsRequestSchema],
    ["modelVersions", ListModelVersionsRequestSchema],
    ["runFiles", ListRunFilesRequestSchema],
  ] as const;

  it("is known of every list", () => {
    const known = lists.map(([, { typeName }]) => typeName);
    expect(known.sort()).toEqual(declaredLists("deployments").sort());
  });

  it.each(lists)("of %s is answered by an index", async (list, request) => {
    const { organisationId, dependencies, store } = rig;
    const ask = (texts: ListQueryTexts) => {
      const query = { ...texts, cursor: "" };
      if (list === "runFiles") return dependencies.runFiles.list(organisationId, { pipelineId, runId }, query);
      return dependencies[list].list(organisationId, { ...query, deploymentId, modelId });
    };
    expect(await withoutIndex(store, declaredQueries(request), ask)).toEqual([]);
  });
});

describe("where predictions are answered", () => {
  it("is what is ready, with the token of its version", async () => {
    const deployment = await serving();
    const { targets, timeoutMs } = await resolve(deployment);
    expect(targets).toMatchObject([
      { url: deployment.endpoints[0]?.url, version: { id: deployment.currentVersionId } },
    ]);
    expect(targets[0]?.version.token).toMatch(/^[\w-]{43}$/);
    expect(timeoutMs).toBe(30_000);
  });

  it("is awaited where nothing runs because nothing was needed", async () => {
    const deployment = await serving();
    await rig.became(deployment, { endpoints: [] });
    const asked = resolve(deployment, 10_000);
    await eventually(async () => (await rig.read(deployment)).wakeRequestedAt);
    expect(rig.notified).toContain(deployment.id);
    await rig.became(deployment, { endpoints: deployment.endpoints });
    rig.dependencies.changes.notify(deployment.id);
    expect((await asked).targets).toHaveLength(1);
  });

  it("is nowhere once the time is over, or the caller is gone", async () => {
    const deployment = await serving();
    await rig.became(deployment, { endpoints: [] });
    await expect(resolve(deployment, 20)).rejects.toThrow(NothingRunsError);
    await expect(resolve(deployment, 10_000, AbortSignal.abort())).rejects.toThrow(NothingRunsError);
  });

  it.each<[string, Partial<Deployment>]>([
    ["stopped", { desiredState: "stopped", status: "Stopped", endpoints: [] }],
    ["to be stopped", { desiredState: "stopped" }],
    ["to be deleted", { desiredState: "deleted", status: "Deleting" }],
    ["unhealthy", { status: "Unhealthy", endpoints: [] }],
    ["failed", { status: "Failed", endpoints: [], currentVersionId: undefined }],
  ])("is nowhere at once when the deployment is %s", async (_what, changes) => {
    const deployment = await serving();
    await rig.became(deployment, changes);
    await expect(resolve(deployment, 60_000)).rejects.toThrow(NothingRunsError);
  });

  it("is hidden from another organisation", async () => {
    const { id } = await serving();
    const ref = { organisationId: randomUUID(), deploymentId: id };
    const asked = resolvePredictionRoute(rig.dependencies, ref, { timeoutMs: 0, signal: never() });
    await expect(asked).rejects.toThrow(DeploymentNotFoundError);
  });
});

describe("what serves", () => {
  it("is told with shares and instances", async () => {
    const deployment = await serving();
    const versionId = deployment.currentVersionId ?? "";
    const seen = { versionId, name: "pod-1", state: "ready" as const, detail: undefined, inFlight: 2, restarts: 1 };
    await rig.became(deployment, { instances: [seen] });
    expect(await getServingState(rig.dependencies, rig.ref(deployment))).toEqual({
      predictionPath: `/platform/deployments/${deployment.id}/v2/models/${deployment.serviceName}/infer`,
      modelName: deployment.serviceName,
      environment: "development",
      versions: [{ versionId, percent: 100, instances: [seen] }],
    });
  });

  it("is what is being started, before anything does", async () => {
    const { modelId } = await rig.model();
    const deployment = await rig.deploy(modelId);
    const { versions } = await getServingState(rig.dependencies, rig.ref(deployment));
    expect(versions).toEqual([{ versionId: deployment.rollout.versionId, percent: 0, instances: [] }]);
  });
});

describe("watching a deployment", () => {
  it("tells how it is, then each change, then ends with it", async () => {
    const deployment = await serving();
    const watched = watchDeployment(rig.dependencies, rig.ref(deployment), never());
    expect((await watched.next()).value?.status).toBe("Running");
    const next = watched.next();
    await rig.became(deployment, { wakeRequestedAt: new Date() });
    await rig.became(deployment, { status: "Unhealthy" });
    rig.dependencies.changes.notify(deployment.id);
    expect((await next).value?.status).toBe("Unhealthy");
    const end = watched.next();
    await rig.do((session) => rig.dependencies.deployments.delete(rig.organisationId, deployment.id, session));
    rig.dependencies.changes.notify(deployment.id);
    expect(await end).toEqual({ done: true, value: undefined });
  });

  it("sees a change that was not announced", async () => {
    const deployment = await serving();
    const watched = watchDeployment(rig.dependencies, rig.ref(deployment), never());
    await watched.next();
    await rig.became(deployment, { status: "Unhealthy" });
    expect((await watched.next()).value?.status).toBe("Unhealthy");
  });

  it("fails for what is not here, and ends when its reader leaves", async () => {
    const elsewhere = { organisationId: randomUUID(), deploymentId: randomUUID() };
    await expect(watchDeployment(rig.dependencies, elsewhere, never()).next()).rejects.toThrow(DeploymentNotFoundError);
    const leaving = new AbortController();
    const watched = watchDeployment(rig.dependencies, rig.ref(await serving()), leaving.signal);
    await watched.next();
    const next = watched.next();
    leaving.abort();
    expect((await next).done).toBe(true);
  });

  it("asks the watcher to come back when the replica stops", async () => {
    await using own = await OperationsRig.start();
    const { modelId } = await own.model();
    const watched = watchDeployment(own.dependencies, own.ref(await own.deploy(modelId)), never());
    await watched.next();
    const next = watched.next();
    own.dependencies.changes.drain();
    await expect(next).rejects.toThrow(ReconnectError);
  });
});
