import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { InstanceGroups, RuntimeCommandOptions } from "@aiplatform/serving-runtime";
import type { ArtifactStore } from "../../artifacts/artifact-store.ts";
import type { RolloutFailure } from "../../rollouts/rollout.ts";
import type { InstanceSet, ObservedInstance, VersionRef } from "../serving-driver.ts";
import { type Containment, containedCommand, refusalOf } from "./containment.ts";
import type { InstanceCertificate } from "./instance-certificate.ts";
import { InstanceProcess } from "./instance-process.ts";
import type { ProcessGuard } from "./process-guard.ts";
import { VersionEgress } from "./version-egress.ts";
import { VersionFilesError, type VersionPaths, writeVersionFiles } from "./write-version-files.ts";

/** What the versions of one driver have in common. */
export interface VersionDependencies {
  /** Directory of this driver alone, absolute and without links. */
  root: string;
  host: string;
  artifacts: ArtifactStore;
  guard: ProcessGuard;
  containment: Containment;
  /** Where instances get their control groups. Absent: they have none. */
  groups?: InstanceGroups | undefined;
  /** Absent: instances are without TLS. */
  certificate?: InstanceCertificate | undefined;
  /** How long an instance that is one too many goes on answering, ms. */
  drainMs: number;
  /** Processor time beside predictions that an instance may take at once, ms. */
  spareProcessorMs: number;
  /** Bytes of a prediction's body at most. */
  maxBytes: number;
  /** What is given to `node` for an instance. */
  commandOf: (options: RuntimeCommandOptions) => string[];
  onOutput: (output: InstanceOutput) => void;
}

/** A line that an instance has written: what its handler logs, or the runtime says of itself. */
export interface InstanceOutput extends VersionRef {
  instance: string;
  line: string;
}

/** Between two attempts to lay the files of a version out, ms. */
const retryAfterMs = 5_000;
const maxGraceMs = 25_000;

/** The files of one version and the processes that serve it. */
export class VersionProcesses {
  readonly #dependencies: VersionDependencies;
  readonly #directory: string;
  readonly #onChange: () => void;
  #set: InstanceSet;
  #paths: VersionPaths | undefined;
  #egress: VersionEgress | undefined;
  #writing: Promise<void> | undefined;
  #failure: { failure: RolloutFailure; at: number } | undefined;
  readonly #instances: InstanceProcess[] = [];
  /** Those that are one too many, until they are gone. */
  readonly #draining = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #startCount = 0;

  constructor(set: InstanceSet, dependencies: VersionDependencies, onChange: () => void) {
    this.#set = set;
    this.#dependencies = dependencies;
    this.#directory = join(dependencies.root, set.versionId);
    this.#onChange = onChange;
  }

  get isEnding(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Starts or ends processes until there are as many as the set says. */
  apply(set: InstanceSet): void {
    if (this.isEnding) return;
    this.#set = set;
    while (this.#instances.length > set.replicas) this.#drainOne();
    if (set.replicas === 0) return;
    if (this.#paths) this.#fill(this.#paths);
    else this.#prepare();
  }

  observe(): ObservedInstance[] {
    if (this.isEnding) return [];
    if (this.#paths) return this.#instances.map((instance) => instance.observe());
    if (this.#set.replicas === 0) return [];
    const about = { name: this.#nameOf(1), inFlight: 0, restarts: 0 };
    if (!this.#failure) return [{ ...about, state: "starting" }];
    const { reason, message: detail } = this.#failure.failure;
    return [{ ...about, state: "failed", reason, detail }];
  }

  /** Ends the processes and removes the files. */
  async remove(): Promise<void> {
    this.#stop.abort();
    await this.#writing;
    await Promise.all([...this.#instances.map((instance) => instance.stop()), ...this.#draining]);
    await this.#egress?.[Symbol.asyncDispose]();
    await rm(this.#directory, { recursive: true, force: true });
  }

  #prepare(): void {
    const refusal = refusalOf(this.#dependencies.containment, this.#set);
    if (refusal) this.#failure = { failure: refusal, at: performance.now() };
    const isTooEarly = this.#failure && performance.now() - this.#failure.at < retryAfterMs;
    if (this.#writing || isTooEarly) return;
    this.#writing = writeVersionFiles(this.#directory, this.#set, this.#dependencies.artifacts)
      .then(async (paths) => {
        this.#egress = await VersionEgress.open(this.#directory, this.#set, this.#dependencies.containment);
        this.#failure = undefined;
        this.#paths = paths;
        if (!this.isEnding) this.#fill(paths);
      })
      .catch((error: unknown) => {
        const failure: RolloutFailure =
          error instanceof VersionFilesError
            ? error.failure
            : { reason: "ResourcesUnavailable", message: "The instance could not be started." };
        this.#failure = { failure, at: performance.now() };
      })
      .finally(() => {
        this.#writing = undefined;
        this.#onChange();
      });
  }

  #fill(paths: VersionPaths): void {
    while (this.#instances.length < this.#set.replicas) this.#instances.push(this.#start(paths));
  }

  #start(paths: VersionPaths): InstanceProcess {
    const { host, guard, groups, containment, certificate, spareProcessorMs, maxBytes, commandOf, onOutput } =
      this.#dependencies;
    const { files, runConfig, token, organisationId, deploymentId, versionId } = this.#set;
    const { memoryMb, timeoutSeconds } = runConfig;
    const models = files.some(({ path }) => path.endsWith(".onnx"));
    const options = { ...paths, certificateDirectory: certificate?.directory, memoryMb, models };
    const graceMs = Math.min(timeoutSeconds * 1_000, maxGraceMs);
    this.#startCount += 1;
    const name = this.#nameOf(this.#startCount);
    const plan = {
      ...{ name, host, token, tls: certificate?.tls, memoryMb, groups, spareProcessorMs },
      ...{ graceMs: graceMs + 1_000, cwd: paths.directory },
      ...containedCommand(containment, { host, options, args: commandOf(options), egress: this.#egress?.rules }),
      env: {
        SERVING_DIRECTORY: paths.directory,
        SERVING_MANIFEST: paths.manifestPath,
        SERVING_TOKEN: token,
        SERVING_GUARD: "stdin",
        SHUTDOWN_GRACE_MS: String(graceMs),
        MAX_BODY_BYTES: String(maxBytes),
        HOST: host,
        PORT: "0",
        ...certificate?.env,
        ...this.#egress?.env,
      },
    };
    const about = { organisationId, deploymentId, versionId, instance: name };
    const onLine = (line: string) => onOutput({ ...about, line });
    return new InstanceProcess(plan, guard, { onChange: this.#onChange, onLine });
  }

  /** An instance is no longer shown, so that no more is sent to it, and ends when its senders have noticed. */
  #drainOne(): void {
    const instance = this.#instances.pop();
    if (!instance) return;
    const leaving = delay(this.#dependencies.drainMs, undefined, { signal: this.#stop.signal })
      .catch(() => undefined)
      .then(() => instance.stop())
      .finally(() => this.#draining.delete(leaving));
    this.#draining.add(leaving);
  }

  #nameOf(number: number): string {
    return `${this.#set.serviceName}-${this.#set.versionId.slice(-8)}-${number}`;
  }
}
