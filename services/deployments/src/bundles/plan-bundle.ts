import type { ClientSession } from "@aiplatform/document-store";
import { assertNone } from "@aiplatform/service-host";
import { NotFoundError } from "@aiplatform/service-kit/not-found";
import { ArtifactMissingError, type ArtifactStore, sha256Of } from "../artifacts/artifact-store.ts";
import type { VersionFile } from "../deployment-versions/deployment-version.ts";
import { type PinDependencies, pinNewest } from "../deployment-versions/pin-models.ts";
import { type RunConfig, readRunConfig } from "../deployment-versions/run-config.ts";
import { planOfBundle, type VersionPlan } from "../deployment-versions/version-plan.ts";
import type { KnownDatasetStore } from "../projections/known-dataset-store.ts";
import type { Content } from "./artifact-content.ts";
import { type SchemaDependencies, schemaProblems } from "./schema-problems.ts";
import { type CheckedBundle, checkBundle, type GivenBundle } from "./serving-bundle.ts";

export interface StoreBundleDependencies extends SchemaDependencies {
  artifacts: ArtifactStore;
  /** Whether handlers may ask for the network. */
  mayConnect: boolean;
}

export interface PlanBundleDependencies extends PinDependencies {
  knownDatasets: KnownDatasetStore;
}

/** A bundle as it was given. */
export interface BundleRequest {
  given: GivenBundle;
  /** Protobuf JSON of the serving bundle. */
  bundleText: string;
  /** JSON text of the run configuration; undefined: the default. */
  runConfigText: string | undefined;
}

/** A bundle whose contents are stored. */
export interface StoredBundle {
  checked: CheckedBundle;
  bundleText: string;
  stored: VersionFile[];
  /** Undefined where none was given. */
  runConfig: RunConfig | undefined;
}

/** The bundle names a dataset that is not the organisation's. */
export class UnknownDatasetError extends NotFoundError {
  override name = "UnknownDatasetError";
}

/**
 * Checks a bundle and stores its contents.
 * @throws InvalidFieldsError, which has all that is wrong, ArtifactMissingError and QueueFullError
 */
export async function storeBundle(
  { artifacts, tasks, mayConnect }: StoreBundleDependencies,
  organisationId: string,
  { given, bundleText, runConfigText }: BundleRequest,
): Promise<StoredBundle> {
  const { config, violations } = readRunConfig(runConfigText ?? "", { mayConnect });
  const schemas = await schemaProblems({ tasks }, organisationId, given.interface);
  const checked = checkBundle(given, { schemas, others: violations });
  assertNone(violations);
  const stored: VersionFile[] = [];
  for (const { path, content } of checked.files) {
    stored.push({ path, ...(await storeContent({ artifacts }, organisationId, content)) });
  }
  return { checked, bundleText, stored, runConfig: runConfigText === undefined ? undefined : config };
}

async function storeContent(
  { artifacts }: Pick<StoreBundleDependencies, "artifacts">,
  organisationId: string,
  content: Content,
): Promise<Pick<VersionFile, "sha256" | "sizeBytes">> {
  if ("sha256" in content) {
    const sizeBytes = await artifacts.sizeOf(organisationId, content.sha256);
    if (sizeBytes === undefined) throw new ArtifactMissingError(content.sha256);
    return { sha256: content.sha256, sizeBytes };
  }
  const { bytes } = content;
  const sha256 = sha256Of(bytes);
  const sizeBytes = await artifacts.put(organisationId, { sha256, sizeBytes: bytes.length }, oncePiece(bytes));
  return { sha256, sizeBytes };
}

async function* oncePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Looks up what a bundle names. @throws UnknownDatasetError, ModelNotFoundError, ModelNotReadyError */
export async function planBundle(
  dependencies: PlanBundleDependencies,
  organisationId: string,
  { checked, bundleText, stored, runConfig }: StoredBundle & { runConfig: RunConfig },
  session: ClientSession,
): Promise<VersionPlan> {
  const datasetIds = checked.datasets.map(({ datasetId }) => datasetId);
  const [missing] = await dependencies.knownDatasets.missing(organisationId, datasetIds, session);
  if (missing !== undefined) throw new UnknownDatasetError(missing);
  const modelIds = checked.modelRefs.map(({ modelId }) => modelId);
  const pinned = await pinNewest(dependencies, organisationId, modelIds, session);
  return planOfBundle(checked, { bundleText, stored, pinned, runConfig });
}
