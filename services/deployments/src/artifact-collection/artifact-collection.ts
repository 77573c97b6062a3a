import { AsyncLocalStorage } from "node:async_hooks";
import { LeaseLostError } from "@aiplatform/document-store";
import { ClaimingWorker, type DomainPlatform, type WorkerPlatform } from "@aiplatform/service-kit";
import { createInstruments } from "@aiplatform/telemetry";
import { collectionMetrics } from "../deployments-metrics.ts";
import { type CollectDependencies, type CollectionPass, collectArtifacts, tryCollecting } from "./collect-artifacts.ts";

/** The installation keeps artifacts for ever. */
export class CollectionOffError extends Error {
  override name = "CollectionOffError";
  constructor() {
    super(
      "This installation removes no artifacts. The operator turns it on: ARTIFACT_RETENTION_DAYS, TRAINING_ADDRESS",
    );
  }
}

/** Another pass over the organisation's artifacts is under way. */
export class CollectionUnderWayError extends Error {
  override name = "CollectionUnderWayError";
  constructor() {
    super("Artifacts of the organisation are being removed already. Ask again in a moment");
  }
}

/** Removes artifacts that nothing refers to: now and then, and when it is asked to. */
export interface ArtifactCollection extends AsyncDisposable {
  /** What would be removed. @throws CollectionOffError, TrainingUnavailableError */
  tryOut(organisationId: string): Promise<CollectionPass>;
  /** One pass. @throws CollectionOffError, CollectionUnderWayError, TrainingUnavailableError, ArtifactsUnavailableError */
  collect(organisationId: string): Promise<CollectionPass>;
}

type Dependencies = CollectDependencies &
  WorkerPlatform &
  Pick<DomainPlatform, "purges"> & {
    /** Whether artifacts are removed at all. */
    isOn: boolean;
  };

/** A pass of a killed process is repeated after this time, ms. */
const leaseMs = 30_000;
/** Between two passes over an organisation, ms. */
const everyMs = 3_600_000;

export function startArtifactCollection({ isOn, ...dependencies }: Dependencies): ArtifactCollection {
  return isOn ? new ActiveCollection(dependencies) : noCollection;
}

const noCollection: ArtifactCollection = {
  tryOut: () => Promise.reject(new CollectionOffError()),
  collect: () => Promise.reject(new CollectionOffError()),
  async [Symbol.asyncDispose]() {
    // Nothing runs.
  },
};

class ActiveCollection implements ArtifactCollection {
  readonly #dependencies: CollectDependencies;
  readonly #worker: ClaimingWorker<string>;
  readonly #told: (pass: CollectionPass) => void;

  constructor({ purges, ...dependencies }: Omit<Dependencies, "isOn">) {
    const { artifacts_collected_total: count, artifact_bytes_collected_total: bytes } = createInstruments(
      dependencies.meter,
      collectionMetrics,
    );
    this.#dependencies = dependencies;
    this.#told = ({ artifacts }) => {
      count.add(artifacts.length);
      bytes.add(artifacts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
    };
    const { leases } = dependencies.artifactMarks;
    this.#worker = new ClaimingWorker(dependencies, {
      ...{ name: "artifact-collection", leases, leaseMs, concurrency: 1 },
      waitingOrganisations: () => purges.underWay(),
      run: async (claim, signal) => {
        const { hasMore } = await this.#pass(claim.organisationId, signal);
        const release = { afterMs: hasMore ? 0 : everyMs, failures: 0 };
        if (!(await leases.release(claim, release))) throw new LeaseLostError();
      },
    });
  }

  tryOut(organisationId: string): Promise<CollectionPass> {
    return tryCollecting(this.#dependencies, organisationId);
  }

  async collect(organisationId: string): Promise<CollectionPass> {
    const { artifactBytes, artifactMarks } = this.#dependencies;
    // What was never counted has no document for the lease.
    await artifactBytes.refresh(organisationId);
    const lease = await artifactMarks.take(organisationId, this.#worker.newTerm());
    if (!lease) throw new CollectionUnderWayError();
    const outcome = Promise.withResolvers<CollectionPass>();
    // A failure is thrown below, once the lease is released; until then nothing else waits for it.
    outcome.promise.catch(() => undefined);
    // Its event names the caller, which work in the background does not have.
    const onBehalf = AsyncLocalStorage.snapshot();
    await this.#worker.adopt(lease, async (signal) => {
      const pass = onBehalf(() => this.#pass(organisationId, signal));
      pass.then(outcome.resolve, outcome.reject);
      const done = await pass.catch(() => undefined);
      await artifactMarks.leases.release(lease, { afterMs: done?.hasMore === false ? everyMs : 0 });
    });
    return await outcome.promise;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#worker[Symbol.asyncDispose]();
  }

  async #pass(organisationId: string, signal: AbortSignal): Promise<CollectionPass> {
    const pass = await collectArtifacts(this.#dependencies, organisationId, signal);
    this.#told(pass);
    return pass;
  }
}
