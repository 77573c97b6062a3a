import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { RuntimeCommandOptions } from "@aiplatform/serving-runtime";
import type { ArtifactStore } from "../../artifacts/artifact-store.ts";
import type { RolloutFailure } from "../../rollouts/situation.ts";
import type { InstanceSet, ObservedInstance } from "../serving-driver.ts";
import { InstanceProcess } from "./instance-process.ts";
import type { ProcessGuard } from "./process-guard.ts";
import { layOut, VersionFilesError, type VersionPlace } from "./version-directory.ts";

/** What the versions of one driver have in common. */
export interface VersionParts {
  /** Directory of this driver alone, absolute and without links. */
  root: string;
  host: string;
  artifacts: ArtifactStore;
  guard: ProcessGuard;
  /** How long an instance that is one too many goes on answering, ms. */
  drainMs: number;
  /** Bytes of a prediction's body at most. */
  mostBytes: number;
  /** What is given to `node` for an instance. */
  commandOf: (options: RuntimeCommandOptions) => string[];
}

/** Between two attempts to lay the files of a version out, ms. */
const againAfterMs = 5_000;
const longestGraceMs = 25_000;

/** The files of one version and the processes that serve it. */
export class VersionProcesses {
  readonly #parts: VersionParts;
  readonly #directory: string;
  readonly #onChange: () => void;
  #set: InstanceSet;
  #place: VersionPlace | undefined;
  #laying: Promise<void> | undefined;
  #failure: { failure: RolloutFailure; at: number } | undefined;
  readonly #instances: InstanceProcess[] = [];
  /** Those that are one too many, until they are gone. */
  readonly #leaving = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #made = 0;

  constructor(set: InstanceSet, parts: VersionParts, onChange: () => void) {
    this.#set = set;
    this.#parts = parts;
    this.#directory = join(parts.root, set.versionId);
    this.#onChange = onChange;
  }

  get isEnding(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Brings the processes to what is wanted. */
  apply(set: InstanceSet): void {
    if (this.isEnding) return;
    this.#set = set;
    while (this.#instances.length > set.wanted) this.#dismiss();
    if (set.wanted === 0) return;
    if (this.#place) this.#fill(this.#place);
    else this.#prepare();
  }

  observe(): ObservedInstance[] {
    if (this.isEnding) return [];
    if (this.#place) return this.#instances.map((instance) => instance.observe());
    if (this.#set.wanted === 0) return [];
    const about = { name: this.#nameOf(1), inFlight: 0, restarts: 0 };
    if (!this.#failure) return [{ ...about, state: "starting" }];
    const { reason, message: detail } = this.#failure.failure;
    return [{ ...about, state: "failed", reason, detail }];
  }

  /** Ends the processes and removes the files. */
  async remove(): Promise<void> {
    this.#stop.abort();
    await this.#laying;
    await Promise.all([...this.#instances.map((instance) => instance.stop()), ...this.#leaving]);
    await rm(this.#directory, { recursive: true, force: true });
  }

  #prepare(): void {
    const isTooEarly = this.#failure && performance.now() - this.#failure.at < againAfterMs;
    if (this.#laying || isTooEarly) return;
    this.#laying = layOut(this.#directory, this.#set, this.#parts.artifacts)
      .then((place) => {
        this.#failure = undefined;
        this.#place = place;
        if (!this.isEnding) this.#fill(place);
      })
      .catch((error: unknown) => {
        const failure: RolloutFailure =
          error instanceof VersionFilesError
            ? error.failure
            : { reason: "ResourcesUnavailable", message: "The instance could not be started." };
        this.#failure = { failure, at: performance.now() };
      })
      .finally(() => {
        this.#laying = undefined;
        this.#onChange();
      });
  }

  #fill(place: VersionPlace): void {
    while (this.#instances.length < this.#set.wanted) this.#instances.push(this.#start(place));
  }

  #start(place: VersionPlace): InstanceProcess {
    const { host, guard, mostBytes, commandOf } = this.#parts;
    const { files, runConfig, token } = this.#set;
    const { memoryMb, timeoutSeconds } = runConfig;
    const models = files.some(({ path }) => path.endsWith(".onnx"));
    const graceMs = Math.min(timeoutSeconds * 1_000, longestGraceMs);
    this.#made += 1;
    const plan = {
      name: this.#nameOf(this.#made),
      ...{ host, token, memoryMb, graceMs: graceMs + 1_000, cwd: place.directory },
      command: process.execPath,
      args: commandOf({ ...place, memoryMb, models }),
      env: {
        SERVING_DIRECTORY: place.directory,
        SERVING_MANIFEST: place.manifestPath,
        SERVING_TOKEN: token,
        SERVING_GUARD: "stdin",
        SHUTDOWN_GRACE_MS: String(graceMs),
        MAX_BODY_BYTES: String(mostBytes),
        HOST: host,
        PORT: "0",
      },
    };
    return new InstanceProcess(plan, guard, this.#onChange);
  }

  /** An instance is no longer shown, so that no more is sent to it, and ends when its senders have noticed. */
  #dismiss(): void {
    const instance = this.#instances.pop();
    if (!instance) return;
    const leaving = delay(this.#parts.drainMs, undefined, { signal: this.#stop.signal })
      .catch(() => undefined)
      .then(() => instance.stop())
      .finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }

  #nameOf(number: number): string {
    return `${this.#set.serviceName}-${this.#set.versionId.slice(-8)}-${number}`;
  }
}
