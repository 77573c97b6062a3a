import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DeploymentVersionNotFoundError } from "../src/deployment-versions/deployment-version.ts";
import { ModelNotReadyError } from "../src/deployment-versions/pin-models.ts";
import { deleteDeployment } from "../src/deployments/delete-deployment.ts";
import type { Deployment } from "../src/deployments/deployment.ts";
import { endCanary } from "../src/deployments/end-canary.ts";
import { EnvironmentNotHigherError, PromotionNotAllowedError } from "../src/deployments/environments.ts";
import { promoteDeployment } from "../src/deployments/promote-deployment.ts";
import { rollBackDeployment } from "../src/deployments/roll-back-deployment.ts";
import { setCanary } from "../src/deployments/set-canary.ts";
import { startDeployment } from "../src/deployments/start-deployment.ts";
import { startRollout } from "../src/deployments/start-rollout.ts";
import { stopDeployment } from "../src/deployments/stop-deployment.ts";
import {
  DeploymentTransitionError,
  NothingServesError,
  NothingToRollBackToError,
  VersionServesError,
} from "../src/deployments/transitions.ts";
import { ModelVersionNotFoundError } from "../src/models/model-version.ts";
import { LeasedDeploymentStore } from "../src/reconciler/leased-deployment-store.ts";
import { RolloutTransitionError } from "../src/rollouts/rollout.ts";
import { OperationsRig } from "./operations-rig.ts";

const leaseMs = 60_000;

let rig: OperationsRig;
beforeAll(async () => {
  rig = await OperationsRig.start();
});
afterAll(() => rig?.[Symbol.asyncDispose]());

type Which = Pick<Deployment, "id">;
const refOf = (which: Which, mayPromote = true) => ({ ...rig.ref(which), mayPromote });
const roll = (which: Which, modelVersionId?: string, mayPromote = true) =>
  rig.do((session) => startRollout(rig.dependencies, { ...refOf(which, mayPromote), modelVersionId }, session));
const back = (which: Which, versionId?: string, mayPromote = true) =>
  rig.do((session) => rollBackDeployment(rig.dependencies, { ...refOf(which, mayPromote), versionId }, session));
const canary = (which: Which, modelVersionId: string, { percent = 10, mayPromote = true } = {}) =>
  rig.do((session) =>
    setCanary(rig.dependencies, { ...refOf(which, mayPromote), candidate: { modelVersionId }, percent }, session),
  );
const promote = (which: Which, environment?: string) =>
  rig.do((session) => promoteDeployment(rig.dependencies, { ...rig.ref(which), environment }, session));
const stop = (which: Which) => rig.do((session) => stopDeployment(rig.dependencies, rig.ref(which), session));
const start = (which: Which) => rig.do((session) => startDeployment(rig.dependencies, rig.ref(which), session));
const remove = (which: Which) => rig.do((session) => deleteDeployment(rig.dependencies, rig.ref(which), session));
const uncanary = (which: Which) => rig.do((session) => endCanary(rig.dependencies, rig.ref(which), session));

async function rolloutStatuses(which: Which): Promise<string[]> {
  const query = { deploymentId: which.id, limit: 100, cursor: "" };
  const { items } = await rig.dependencies.rollouts.list(rig.organisationId, query);
  return items.map(({ status }) => status).toReversed();
}

/** A deployment that serves, and its model. */
async function serving(): Promise<{ deployment: Deployment; modelId: string }> {
  const { modelId } = await rig.model();
  return { deployment: await rig.served(await rig.deploy(modelId)), modelId };
}

describe("a change while another replica takes the lease over", () => {
  it("does not give the lease back to the replica that had it", async () => {
    const { deployment } = await serving();
    const { leases } = new LeasedDeploymentStore(rig.store);
    const { organisationId, dependencies } = rig;
    await leases.acquire({ organisationId, id: deployment.id }, { holder: "former", leaseMs: 0 });
    const { generation, ...read } = await rig.read(deployment);
    expect(await leases.acquire({ organisationId, id: deployment.id }, { holder: "next", leaseMs })).toBeDefined();
    const changed = { ...read, generation: generation + 1 };
    expect(
      await rig.do((session) => dependencies.deployments.write(organisationId, changed, generation, session)),
    ).toBe(true);
    expect((await leases.held("next")).map(({ id }) => id)).toEqual([deployment.id]);
    expect(await leases.held("former")).toEqual([]);
  });
});

describe("a rollout", () => {
  it("is of the newest ready version, and leaves what serves as it is", async () => {
    const { deployment, modelId } = await serving();
    const next = await rig.modelVersion(modelId);
    await rig.modelVersion(modelId, "failed");
    const rolled = await roll(deployment);
    expect(rolled).toMatchObject({
      status: "Running",
      currentVersionId: deployment.currentVersionId,
      modelVersionId: deployment.modelVersionId,
      targetModelVersionId: next.id,
      rollout: { status: "Queued" },
      generation: deployment.generation + 1,
    });
    expect(rolled.rollout.versionId).not.toBe(deployment.currentVersionId);
    expect(await rig.events(deployment)).toEqual(["DeploymentCreated", "DeploymentChanged"]);
    expect(rig.notified).toContain(deployment.id);
  });

  it("supersedes the one under way, in the same step", async () => {
    const { deployment, modelId } = await serving();
    await rig.modelVersion(modelId);
    const first = await roll(deployment);
    await rig.modelVersion(modelId);
    const second = await roll(deployment);
    expect(await rolloutStatuses(deployment)).toEqual(["Succeeded", "Superseded", "Queued"]);
    expect(second.rollout.id).not.toBe(first.rollout.id);
    expect((await rig.events(deployment)).toSorted()).toEqual([
      "DeploymentChanged",
      "DeploymentChanged",
      "DeploymentCreated",
      "RolloutEnded",
    ]);
  });

  it("of the same version again makes no other version", async () => {
    const { deployment } = await serving();
    const rolled = await roll(deployment);
    expect(rolled.rollout).toMatchObject({ versionId: deployment.currentVersionId, status: "Queued" });
  });

  it("has one order, also for simultaneous callers", async () => {
    const { deployment, modelId } = await serving();
    const versions = [
      await rig.modelVersion(modelId),
      await rig.modelVersion(modelId),
      await rig.modelVersion(modelId),
    ];
    await Promise.all(versions.map(({ id }) => roll(deployment, id)));
    expect(await rolloutStatuses(deployment)).toEqual(["Succeeded", "Superseded", "Superseded", "Queued"]);
    expect((await rig.read(deployment)).generation).toBe(4);
  });

  it("that has ended cannot go on", async () => {
    const { deployment } = await serving();
    const { organisationId, rollouts } = { ...rig, ...rig.dependencies };
    const move = { id: deployment.rollout.id, from: "Succeeded" as const, status: "InProgress" as const };
    await expect(rig.do((session) => rollouts.transition(organisationId, move, session))).rejects.toThrow(
      RolloutTransitionError,
    );
  });

  it("is refused for versions that are not the model's, or not ready", async () => {
    const { deployment, modelId } = await serving();
    const { version: other } = await rig.model();
    const pending = await rig.modelVersion(modelId, "pending");
    await expect(roll(deployment, other.id)).rejects.toThrow(ModelVersionNotFoundError);
    await expect(roll(deployment, randomUUID())).rejects.toThrow(ModelVersionNotFoundError);
    await expect(roll(deployment, pending.id)).rejects.toThrow(ModelNotReadyError);
    expect(await rolloutStatuses(deployment)).toEqual(["Succeeded"]);
  });
});

describe("going back", () => {
  it("walks from each version to the one that served before it", async () => {
    const { deployment, modelId } = await serving();
    const ids = [deployment.currentVersionId];
    for (let round = 0; round < 2; round++) {
      await rig.modelVersion(modelId);
      await roll(deployment);
      ids.push((await rig.served(deployment)).currentVersionId);
    }
    expect((await back(deployment)).rollout.versionId).toBe(ids[1]);
    await rig.served(deployment);
    expect((await back(deployment)).rollout.versionId).toBe(ids[0]);
    await rig.served(deployment);
    await expect(back(deployment)).rejects.toThrow(NothingToRollBackToError);
    expect(await rolloutStatuses(deployment)).toEqual([
      "Succeeded",
      "RolledBack",
      "RolledBack",
      "RolledBack",
      "Succeeded",
    ]);
  });

  it("to what serves cancels a rollout under way", async () => {
    const { deployment, modelId } = await serving();
    await rig.modelVersion(modelId);
    await roll(deployment);
    const cancelled = await back(deployment, deployment.currentVersionId);
    expect(cancelled.rollout.versionId).toBe(deployment.currentVersionId);
    expect(await rolloutStatuses(deployment)).toEqual(["Succeeded", "Superseded", "Queued"]);
  });

  it("is refused to what serves already, to another deployment's version, and before anything has served", async () => {
    const { deployment } = await serving();
    const { deployment: other, modelId } = await serving();
    await expect(back(deployment, deployment.currentVersionId)).rejects.toThrow(VersionServesError);
    await expect(back(deployment, other.currentVersionId)).rejects.toThrow(DeploymentVersionNotFoundError);
    await expect(back(await rig.deploy(modelId))).rejects.toThrow(NothingToRollBackToError);
  });
});

describe("a canary", () => {
  it("tries a version of the model beside the current one, and ends", async () => {
    const { deployment, modelId } = await serving();
    const { id } = await rig.modelVersion(modelId);
    const tried = await canary(deployment, id, { percent: 25 });
    expect(tried).toMatchObject({ canary: { percent: 25 }, currentVersionId: deployment.currentVersionId });
    expect(tried.canary?.versionId).not.toBe(deployment.currentVersionId);
    expect((await canary(deployment, id, { percent: 50 })).canary).toEqual({ ...tried.canary, percent: 50 });
    await canary(deployment, id, { percent: 50 });
    expect((await uncanary(deployment)).canary).toBeUndefined();
    await uncanary(deployment);
    expect(await rolloutStatuses(deployment)).toEqual(["Succeeded"]);
    expect(await rig.events(deployment)).toHaveLength(4);
  });

  it("is refused for what serves, and where nothing does", async () => {
    const { deployment, modelId } = await serving();
    const waiting = await rig.deploy(modelId);
    const { id } = await rig.modelVersion(modelId);
    await expect(canary(deployment, deployment.modelVersionId ?? "")).rejects.toThrow(VersionServesError);
    await expect(canary(waiting, id)).rejects.toThrow(NothingServesError);
    await stop(deployment);
    await expect(canary(deployment, id)).rejects.toThrow(DeploymentTransitionError);
  });
});

describe("promoting", () => {
  it("deploys the same in the next environment, and links the two", async () => {
    const { deployment } = await serving();
    const above = await promote(deployment);
    expect(above).toMatchObject({ environment: "staging", lowerEnvDeploymentId: deployment.id, status: "Pending" });
    expect((await rig.read(deployment)).higherEnvDeploymentId).toBe(above.id);
    expect(await digestOf(above)).toBe(await digestOf(deployment));
    expect(await rig.events(above)).toEqual(["DeploymentCreated"]);
    expect(await rig.events(deployment)).toEqual(["DeploymentCreated"]);
  });

  it("again rolls out there what serves here now", async () => {
    const { deployment, modelId } = await serving();
    const above = await rig.served(await promote(deployment));
    await rig.modelVersion(modelId);
    await roll(deployment);
    await rig.served(deployment);
    const again = await promote(deployment);
    expect(again).toMatchObject({ id: above.id, status: "Running", rollout: { status: "Queued" } });
    expect(await digestOf(again)).toBe(await digestOf(await rig.read(deployment)));
    expect(await rig.events(above)).toEqual(["DeploymentCreated", "DeploymentChanged"]);
  });

  it("goes on from environment to environment, and ends at the highest", async () => {
    const { deployment } = await serving();
    const staging = await rig.served(await promote(deployment));
    await expect(promote(deployment, "production")).rejects.toThrow(EnvironmentNotHigherError);
    const production = await rig.served(await promote(staging));
    expect(production.environment).toBe("production");
    await expect(promote(production)).rejects.toThrow(EnvironmentNotHigherError);
    await expect(promote(staging, "development")).rejects.toThrow(EnvironmentNotHigherError);
  });

  it("is refused where nothing serves, and begins again where the other is gone", async () => {
    const { deployment, modelId } = await serving();
    await expect(promote(await rig.deploy(modelId))).rejects.toThrow(NothingServesError);
    const above = await promote(deployment);
    await remove(above);
    expect((await rig.read(deployment)).higherEnvDeploymentId).toBeUndefined();
    expect((await promote(deployment)).id).not.toBe(above.id);
  });

  it("is what a rollout, a canary and going back are above the lowest environment, and needs its permission", async () => {
    const { deployment, modelId } = await serving();
    const above = await rig.served(await promote(deployment));
    const { id: next } = await rig.modelVersion(modelId);
    await expect(roll(above, next, false)).rejects.toThrow(PromotionNotAllowedError);
    await expect(canary(above, next, { mayPromote: false })).rejects.toThrow(PromotionNotAllowedError);
    await expect(back(above, undefined, false)).rejects.toThrow(/Missing permission: deployments:promote.*staging/);
    expect((await rig.read(above)).rollout.id).toBe(above.rollout.id);
    expect(await roll(deployment, next, false)).toMatchObject({ rollout: { status: "Queued" } });
    expect(await roll(above, next)).toMatchObject({ rollout: { status: "Queued" } });
  });

  async function digestOf({ organisationId, rollout }: Deployment): Promise<string | undefined> {
    return (await rig.dependencies.deploymentVersions.find(organisationId, rollout.versionId))?.digest;
  }
});

describe("stopping", () => {
  it("cancels a rollout and ends the canary; starting goes on with what served", async () => {
    const { deployment, modelId } = await serving();
    const { id } = await rig.modelVersion(modelId);
    await canary(deployment, id);
    await roll(deployment);
    const stopped = await stop(deployment);
    const error = "Cancelled: the deployment was stopped";
    expect(stopped).toMatchObject({ desiredState: "stopped", status: "Running", rollout: { status: "Failed", error } });
    expect(stopped.canary).toBeUndefined();
    await rig.became(deployment, { status: "Stopped", endpoints: [] });
    const started = await start(deployment);
    expect(started).toMatchObject({
      desiredState: "serve",
      status: "Pending",
      rollout: { status: "Queued", versionId: deployment.currentVersionId },
    });
    expect(await rolloutStatuses(deployment)).toEqual(["Succeeded", "Failed", "Queued"]);
  });

  it("twice is one stop, and starting what runs is none", async () => {
    const { deployment } = await serving();
    const first = await start(deployment);
    expect(first.generation).toBe(deployment.generation);
    await stop(deployment);
    const again = await stop(deployment);
    expect(again.generation).toBe(deployment.generation + 1);
    expect(await rig.events(deployment)).toEqual(["DeploymentCreated", "DeploymentChanged"]);
  });

  it("before anything has served lets it start with the version of its rollout", async () => {
    const { modelId } = await rig.model();
    const deployment = await rig.deploy(modelId);
    await stop(deployment);
    expect((await start(deployment)).rollout.versionId).toBe(deployment.rollout.versionId);
  });
});

describe("deleting", () => {
  it("is asked once, and lets nothing else be asked", async () => {
    const { deployment, modelId } = await serving();
    const { id } = await rig.modelVersion(modelId);
    await roll(deployment);
    const gone = await remove(deployment);
    expect(gone).toMatchObject({ desiredState: "deleted", status: "Deleting", rollout: { status: "Failed" } });
    expect((await remove(deployment)).generation).toBe(gone.generation);
    for (const action of [
      () => roll(deployment),
      () => back(deployment),
      () => canary(deployment, id),
      () => uncanary(deployment),
      () => promote(deployment),
      () => stop(deployment),
      () => start(deployment),
    ]) {
      await expect(action()).rejects.toThrow(DeploymentTransitionError);
    }
    expect((await rig.events(deployment)).filter((name) => name === "DeploymentDeleted")).toHaveLength(1);
  });
});
