import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import type { RunConfig } from "../deployment-versions/run-config.ts";
import type { Canary, Deployment, DesiredState } from "./deployment.ts";
import type { DeploymentDocument } from "./deployment-document.ts";
import { deploymentsCollection } from "./deployment-document.ts";

/** What decides how much memory the instances of a deployment may take. */
export interface MemoryFacts extends Pick<Deployment, "desiredState" | "currentVersionId" | "runConfig"> {
  canary: Pick<Canary, "versionId"> | undefined;
}

type Configured = Pick<RunConfig, "maxInstances" | "memoryMb">;

const ofInstances = ({ maxInstances, memoryMb }: Configured) => maxInstances * memoryMb;

/**
 * MiB that the instances of a deployment may take together. Of the version that serves and the one that is to, the larger
 * counts, so that a smaller version that never becomes ready frees nothing; a canary runs beside them.
 */
export function instanceMemory(
  { desiredState, currentVersionId = "", runConfig, canary }: MemoryFacts,
  versions: ReadonlyMap<string, Configured>,
): number {
  if (desiredState !== "serve") return 0;
  const [current, tried] = [versions.get(currentVersionId), versions.get(canary?.versionId ?? "")];
  return Math.max(ofInstances(runConfig), current ? ofInstances(current) : 0) + (tried ? ofInstances(tried) : 0);
}

interface VersionDocument extends TenantDocument {
  run_config: RunConfig;
}

const serving: DesiredState = "serve";

/** Reads how much memory instances may take. */
export class InstanceMemory {
  static readonly indexes: IndexPlan = {
    collection: deploymentsCollection,
    owner: "organisation",
    indexes: [{ name: "wish", key: { organisation_id: 1, wish: 1 } }],
  };

  readonly #deployments: TenantCollection<DeploymentDocument>;
  readonly #versions: TenantCollection<VersionDocument>;

  constructor(store: DocumentStore) {
    this.#deployments = new TenantCollection(store, deploymentsCollection);
    this.#versions = new TenantCollection(store, "deployment_versions");
  }

  /** Of one deployment as it would be. */
  async of(deployment: MemoryFacts & Pick<Deployment, "organisationId">, session: ClientSession): Promise<number> {
    const versions = await this.#configured(deployment.organisationId, [deployment], session);
    return instanceMemory(deployment, versions);
  }

  /** Of all deployments of the organisation. */
  async total(organisationId: string, session?: ClientSession): Promise<number> {
    const without = ["description", "annotations", "run_config_text", "endpoints", "instances"];
    const found = await this.#deployments.find(organisationId, { wish: serving }, { session, without });
    const deployments = found.map((document) => ({
      desiredState: document.wish,
      currentVersionId: document.current_version_id ?? undefined,
      runConfig: document.run_config,
      canary: document.canary ?? undefined,
    }));
    const versions = await this.#configured(organisationId, deployments, session);
    return deployments.reduce((sum, deployment) => sum + instanceMemory(deployment, versions), 0);
  }

  async #configured(
    organisationId: string,
    deployments: readonly MemoryFacts[],
    session?: ClientSession,
  ): Promise<Map<string, RunConfig>> {
    const ids = deployments.flatMap(({ currentVersionId, canary }) =>
      [currentVersionId, canary?.versionId].filter((id) => id !== undefined),
    );
    if (ids.length === 0) return new Map();
    const without = ["bundle_text", "interface", "files", "models", "datasets", "token", "sealed_token"];
    const found = await this.#versions.find(organisationId, { _id: { $in: ids } }, { session, without });
    return new Map(found.map(({ _id, run_config: config }) => [_id, config]));
  }
}
