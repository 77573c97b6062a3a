import { createHash } from "node:crypto";
import type { ModelVersion } from "../models/model-version.ts";
import type { DeploymentVersion, NamedDataset, PinnedModel, Runtime, VersionFile } from "./deployment-version.ts";
import type { RunConfig } from "./run-config.ts";

/** What a version is made of, whichever deployment it is for. */
export interface VersionPlan {
  runtime: Runtime;
  models: PinnedModel[];
  datasets: NamedDataset[];
  bundleText: string | undefined;
  interface: { input: string; output: string } | undefined;
  files: VersionFile[];
  runConfig: RunConfig;
}

/** What is known of a bundle once it was checked. */
export interface BundleContents extends Pick<VersionPlan, "runtime" | "datasets"> {
  interface: { input: string; output: string };
  modelRefs: readonly { alias: string }[];
}

const modelPath = "model.onnx";

/** Where the artifact of a model lies that a bundle knows by an alias. */
export function pathOfModel(alias: string): string {
  return `models/${alias}.onnx`;
}

/** A model that is served as it is. */
export function planOfModel(version: ModelVersion, runConfig: RunConfig): VersionPlan {
  return {
    runtime: "onnx",
    models: [{ modelId: version.modelId, modelVersionId: version.id, alias: "" }],
    datasets: [],
    bundleText: undefined,
    interface: undefined,
    files: [fileOf(modelPath, version)],
    runConfig,
  };
}

/** A bundle whose contents are stored and whose models are pinned, in the order of its references. */
export function planOfBundle(
  { runtime, interface: schemas, datasets, modelRefs }: BundleContents,
  {
    bundleText,
    stored,
    pinned,
    runConfig,
  }: { bundleText: string; stored: readonly VersionFile[]; pinned: readonly ModelVersion[]; runConfig: RunConfig },
): VersionPlan {
  const models = pinned.map((version, index) => {
    const alias = modelRefs[index]?.alias ?? "";
    return {
      pin: { modelId: version.modelId, modelVersionId: version.id, alias },
      file: fileOf(pathOfModel(alias), version),
    };
  });
  return {
    runtime,
    models: models.map(({ pin }) => pin),
    datasets,
    bundleText,
    interface: schemas,
    files: [...stored, ...models.map(({ file }) => file)],
    runConfig,
  };
}

/** The same again. */
export function planOfVersion(version: DeploymentVersion): VersionPlan {
  const { runtime, models, datasets, bundleText, interface: schemas, files, runConfig } = version;
  return { runtime, models, datasets, bundleText, interface: schemas, files, runConfig };
}

/** The same with other versions of its models, in their order. */
export function repinned(plan: VersionPlan, pinned: readonly ModelVersion[]): VersionPlan {
  const pathOf = ({ alias }: PinnedModel) => (plan.bundleText === undefined ? modelPath : pathOfModel(alias));
  const pairs = plan.models.flatMap((model, index) => {
    const version = pinned[index];
    return version ? [{ model: { ...model, modelVersionId: version.id }, file: fileOf(pathOf(model), version) }] : [];
  });
  const replaced = new Map(pairs.map(({ file }) => [file.path, file]));
  return {
    ...plan,
    models: pairs.map(({ model }) => model),
    files: plan.files.map((file) => replaced.get(file.path) ?? file),
  };
}

/** SHA-256 over everything that is served, hexadecimal. */
export function digestOf({ runtime, interface: schemas, datasets, files }: VersionPlan): string {
  const byText = (some: string[], other: string[]) => (some.join("\0") < other.join("\0") ? -1 : 1);
  const served = {
    runtime,
    interface: schemas ? [schemas.input, schemas.output] : null,
    datasets: datasets.map(({ alias, datasetId }) => [alias, datasetId]).toSorted(byText),
    files: files.map(({ path, sha256 }) => [path, sha256]).toSorted(byText),
  };
  return createHash("sha256").update(JSON.stringify(served)).digest("hex");
}

/** Whether a version is what is planned, down to how it runs and where its models come from. */
export function isPlanned(version: DeploymentVersion, plan: VersionPlan): boolean {
  const isSame = (some: unknown, other: unknown) => JSON.stringify(some) === JSON.stringify(other);
  return (
    version.digest === digestOf(plan) &&
    isSame(version.runConfig, plan.runConfig) &&
    isSame(version.models, plan.models)
  );
}

function fileOf(path: string, { artifactSha256: sha256, sizeBytes }: ModelVersion): VersionFile {
  return { path, sha256, sizeBytes };
}
