import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ClientSession,
  connectDocumentStore,
  createIndexes,
  type DocumentStore,
  IdempotencyStore,
  Outbox,
  withTransaction,
} from "@aiplatform/document-store";
import { DataKeyStore, readKeyRing, SealedSecrets } from "@aiplatform/sealed-secrets";
import { dropDatabase } from "@aiplatform/testkit";
import { createRouterTransport } from "@connectrpc/connect";
import { ArtifactBytes } from "../src/artifacts/artifact-bytes.ts";
import { ArtifactVerifier } from "../src/artifacts/artifact-verifier.ts";
import { openArtifacts } from "../src/artifacts/artifacts.ts";
import { CountedArtifacts } from "../src/artifacts/counted-artifacts.ts";
import type { DeploymentsDependencies } from "../src/dependencies.ts";
import { InstanceTokens } from "../src/deployment-versions/instance-tokens.ts";
import { createDeployment } from "../src/deployments/create-deployment.ts";
import type { Deployment } from "../src/deployments/deployment.ts";
import { DeploymentChanges } from "../src/deployments/deployment-changes.ts";
import { deploymentsQuotas } from "../src/deployments/deployments-quotas.ts";
import type { ModelVersion } from "../src/models/model-version.ts";
import { createStores, deploymentsIndexes } from "../src/stores.ts";
import { startTasks } from "../src/tasks/start-tasks.ts";
import { TrainingCalls } from "../src/training-calls.ts";
import { newDeploymentsHome, newKeyRing } from "./deployments-rig.ts";

function newTokens(store: DocumentStore): InstanceTokens {
  const ring = readKeyRing(newKeyRing("first"));
  const dataKeys = new DataKeyStore(store);
  const secrets = new SealedSecrets({ ring, dataKeys, clock: () => new Date(), newId: randomUUID });
  return new InstanceTokens({ secrets, storesClear: false });
}

/** The operations on a database of their own, without a reconciler: the test writes what one would. */
export class OperationsRig implements AsyncDisposable {
  readonly organisationId: string = randomUUID();
  readonly dependencies: DeploymentsDependencies;
  readonly store: DocumentStore;
  /** The deployments that the reconciler was notified of. */
  readonly notified: string[] = [];
  /** Where the bytes of artifacts lie. */
  readonly artifactsDirectory: string;

  private constructor(store: DocumentStore, directory: string) {
    this.store = store;
    this.artifactsDirectory = directory;
    const stores = createStores(store, newTokens(store));
    const settings = { ARTIFACTS_DIRECTORY: directory, ARTIFACTS_S3_REGION: "", MAX_ARTIFACT_BYTES: 1_000_000 };
    const opened = openArtifacts(settings);
    const clock = () => new Date();
    const transaction = <R>(work: (session: ClientSession) => Promise<R>) => withTransaction(store, work);
    const artifactBytes = new ArtifactBytes({ ...stores, ...opened, clock });
    const quotas = deploymentsQuotas(store, { ...stores, artifactBytes }, {});
    this.dependencies = {
      ...stores,
      quotas,
      ...opened,
      artifacts: new CountedArtifacts({ ...stores, ...opened, artifactBytes, quotas, transaction, clock }),
      verifier: new ArtifactVerifier(opened.artifacts),
      outbox: new Outbox(store),
      idempotency: new IdempotencyStore(store, { clock: () => new Date() }),
      transaction,
      training: new TrainingCalls(() => createRouterTransport(() => undefined), []),
      tasks: startTasks(
        { WORKER_THREADS: 1, WORKER_QUEUE_LENGTH: 1, WORKER_MEMORY_MB: 64 },
        { logger: { warn: () => undefined } },
      ),
      changes: new DeploymentChanges({ listen: () => ({ close: () => undefined }) }),
      notifyReconciler: ({ deploymentId }) => void this.notified.push(deploymentId),
      environments: ["development", "staging", "production"],
      mayConnect: true,
      maxPredictionBytes: 1_000,
      servingName: "serving-instance",
      clock,
      newId: randomUUID,
    };
  }

  static async start(): Promise<OperationsRig> {
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = newDeploymentsHome();
    const store = await connectDocumentStore({ uri, database, appName: "operations tests" });
    await createIndexes(store, deploymentsIndexes);
    return new OperationsRig(store, await mkdtemp(join(tmpdir(), "operations-")));
  }

  /** Runs one operation in a transaction. */
  do<R>(operation: (session: ClientSession) => Promise<R>): Promise<R> {
    return this.dependencies.transaction(operation);
  }

  /** A model, and its first version. */
  async model(): Promise<{ modelId: string; version: ModelVersion }> {
    const { organisationId } = this;
    const [modelId, time] = [randomUUID(), new Date()];
    const model = { id: modelId, organisationId, name: "Digits", description: "", createdAt: time, updatedAt: time };
    await this.do((session) => this.dependencies.models.insert(organisationId, { ...model, name: modelId }, session));
    return { modelId, version: await this.modelVersion(modelId) };
  }

  /** One more version of a model, ready or not. */
  async modelVersion(modelId: string, status: ModelVersion["status"] = "ready"): Promise<ModelVersion> {
    const { organisationId } = this;
    const { models, modelVersions } = this.dependencies;
    return this.do(async (session) => {
      const number = (await models.takeNumber(organisationId, modelId, session)) ?? 0;
      const digest = randomUUID().replaceAll("-", "").repeat(2);
      const facts = { format: "onnx", artifactSha256: digest, sizeBytes: 3, createdAt: new Date() };
      const version = { id: randomUUID(), organisationId, modelId, number, status, ...facts };
      await modelVersions.insert(organisationId, version, session);
      return version;
    });
  }

  async deploy(modelId: string): Promise<Deployment> {
    const spec = { organisationId: this.organisationId, modelId };
    return this.do((session) => createDeployment(this.dependencies, spec, session));
  }

  ref({ id }: Pick<Deployment, "id">): { organisationId: string; deploymentId: string } {
    return { organisationId: this.organisationId, deploymentId: id };
  }

  async read({ id }: Pick<Deployment, "id">): Promise<Deployment> {
    const found = await this.dependencies.deployments.find(this.organisationId, id);
    if (!found) throw new Error("the deployment is gone");
    return found;
  }

  /** What the reconciler writes in the course of things. */
  async became(deployment: Pick<Deployment, "id">, changes: Partial<Deployment>): Promise<Deployment> {
    return this.do(async (session) => {
      const { deployments } = this.dependencies;
      const found = await deployments.find(this.organisationId, deployment.id, session);
      if (!found) throw new Error("the deployment is gone");
      await deployments.write(this.organisationId, { ...found, ...changes }, found.generation, session);
      return { ...found, ...changes };
    });
  }

  /** The latest rollout goes well: its version serves. */
  async served(deployment: Pick<Deployment, "id">): Promise<Deployment> {
    const { id, currentVersionId: former, rollout } = await this.read(deployment);
    const { rollouts, deploymentVersions } = this.dependencies;
    const { organisationId } = this;
    await this.do(async (session) => {
      const [version, old] = await Promise.all([
        deploymentVersions.find(organisationId, rollout.versionId),
        deploymentVersions.find(organisationId, former ?? ""),
      ]);
      await rollouts.transition(organisationId, { id: rollout.id, from: "Queued", status: "InProgress" }, session);
      const end = { id: rollout.id, from: "InProgress" as const, status: "Succeeded" as const, endedAt: new Date() };
      await rollouts.transition(organisationId, end, session);
      if (old && version && version.number < old.number) {
        await rollouts.markRolledBack(organisationId, { deploymentId: id, versionId: old.id }, session);
      }
    });
    const { versionId } = rollout;
    return this.became(deployment, {
      status: "Running",
      currentVersionId: versionId,
      canary: undefined,
      rollout: { ...rollout, status: "Succeeded" },
      endpoints: [{ versionId, url: `http://instance.of/${versionId}` }],
    });
  }

  /** Names of the events about an entity, in their order, with what they call the change. */
  async events(deployment: Pick<Deployment, "id">): Promise<string[]> {
    const outbox = this.store.database.collection("outbox");
    const found = await outbox.find({ entity_id: deployment.id }, { sort: { staged_at: 1, _id: 1 } }).toArray();
    return found.map(({ data_schema: schema }) => String(schema).split(".").at(-1) ?? "");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await dropDatabase(this.store);
    await this.store.close();
    await rm(this.artifactsDirectory, { recursive: true, force: true });
  }
}
