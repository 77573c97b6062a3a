import type { VersionFile } from "../deployment-versions/deployment-version.ts";
import type { RunConfig } from "../deployment-versions/run-config.ts";
import type { RolloutReason } from "../rollouts/rollout.ts";

/** A version of a deployment: what instances are of. */
export interface VersionRef {
  organisationId: string;
  deploymentId: string;
  versionId: string;
}

/** Bounds of one instance. */
export type InstanceLimits = Pick<RunConfig, "concurrency" | "timeoutSeconds" | "memoryMb" | "network">;

/** The instances that a version is to have. */
export interface InstanceSet extends VersionRef {
  /** DNS label of the deployment, unique in the organisation. */
  serviceName: string;
  runtime: "onnx" | "node";
  /** Name under which the protocol knows the model. */
  modelName: string;
  files: readonly VersionFile[];
  /** JSON Schemas of what goes in and what comes out, as JSON text. */
  interface?: { input: string; output: string };
  /** Datasets that a bundle names, for its handler to know. Absent: none. */
  datasets?: readonly { alias: string; datasetId: string }[];
  /** What instances want to see as bearer. */
  token: string;
  /** Instances that are to run; 0 keeps none and forgets nothing. */
  replicas: number;
  runConfig: InstanceLimits;
}

/** `failed` is one that goes on being started again, with growing pauses, and was not ready since it began to fail. */
export type InstanceState = "starting" | "ready" | "unhealthy" | "failed";

/** An instance as it was last observed. */
export interface ObservedInstance {
  /** Name of the process or pod, unique among the version's. */
  name: string;
  state: InstanceState;
  /** Where it answers, such as `http://127.0.0.1:4100`. Absent until it listens. */
  url?: string;
  /** Why it is not ready, where that is known. */
  reason?: RolloutReason;
  /** One sentence that the deployment's owner understands. */
  detail?: string;
  /** Predictions under way. */
  inFlight: number;
  /** When it last began or ended a prediction. Absent when it has had none. */
  lastUsedAt?: Date;
  /** How often it was started again. */
  restarts: number;
}

/** Makes instances of versions run. The reconciler alone calls it; every method may be repeated. */
export interface ServingDriver extends AsyncDisposable {
  /**
   * Who sees the instances. `replica`: only this process, and they end with it; `installation`: every replica of the
   * service, and they outlive it.
   */
  readonly reach: "replica" | "installation";
  /**
   * Brings the instances of a version to the number of `replicas`, and returns before they are ready.
   * @throws when nothing could be begun and the reconciler is to retry; what is wrong with the version itself shows in
   * `observe`
   */
  apply(set: InstanceSet): Promise<void>;
  /** What there is of a version now. */
  observe(ref: VersionRef): Promise<readonly ObservedInstance[]>;
  /** Ends all instances of a version and clears away what they left; resolves when they are gone. */
  remove(ref: VersionRef): Promise<void>;
  /** The versions that anything exists of, for ending those that are orphans. */
  known(): Promise<readonly VersionRef[]>;
  /** Calls back when something about a version may have changed. It may come too often or not at all. */
  onChange(listener: (ref: VersionRef) => void): void;
}
