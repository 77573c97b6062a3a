import { NotFoundError } from "@aiplatform/service-kit/not-found";
import type { RunConfig } from "./run-config.ts";

/** What can serve a version: the catalogue of prebuilt runtimes. */
export type Runtime = "onnx" | "node";

/** A file of a version, its bytes in the artifact store. */
export interface VersionFile {
  /** Below the version's folder: relative, with `/`. */
  path: string;
  /** Hexadecimal. */
  sha256: string;
  sizeBytes: number;
}

/** A model that a version uses, pinned. */
export interface PinnedModel {
  modelId: string;
  modelVersionId: string;
  /** Name by which a bundle knows it; empty for a model that is served as it is. */
  alias: string;
}

export interface NamedDataset {
  datasetId: string;
  alias: string;
}

/** What a deployment serves, pinned; never changes. */
export interface DeploymentVersion {
  id: string;
  organisationId: string;
  deploymentId: string;
  /** From 1. */
  number: number;
  /** Of the first model; undefined for a bundle that names none. */
  modelVersionId: string | undefined;
  models: PinnedModel[];
  datasets: NamedDataset[];
  runtime: Runtime;
  /** SHA-256 over everything that is served, hexadecimal. */
  digest: string;
  /** Protobuf JSON of the serving bundle; undefined for a model that is served as it is. */
  bundleText: string | undefined;
  /** JSON texts of the schemas of what goes in and comes out; undefined for a model that is served as it is. */
  interface: { input: string; output: string } | undefined;
  files: VersionFile[];
  /** How it runs; its own, so that a version that fails leaves the one that serves as it was. */
  runConfig: RunConfig;
  /** Name under which the protocol knows the model. */
  modelName: string;
  createdAt: Date;
}

/** A version with what its instances want to see. */
export interface ServedVersion extends DeploymentVersion {
  /** Opens its instances on the inner network only; never answered to callers, never logged. */
  token: string;
}

/** The version does not exist, or is not the deployment's. */
export class DeploymentVersionNotFoundError extends NotFoundError {
  override name = "DeploymentVersionNotFoundError";
}
