import { mkdir, readdir, realpath, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import {
  type Enforcement,
  enforcementOf,
  openControlGroups,
  type RuntimeCommandOptions,
  runtimeCommand,
  writeEnforcement,
} from "@aiplatform/serving-runtime";
import type { ArtifactStore } from "../../artifacts/artifact-store.ts";
import type { InstanceSet, ObservedInstance, ServingDriver, VersionRef } from "../serving-driver.ts";
import type { ServingTls } from "../serving-tls.ts";
import type { Containment } from "./containment.ts";
import { InstanceCertificate } from "./instance-certificate.ts";
import { ProcessGuard } from "./process-guard.ts";
import { type InstanceOutput, type VersionDependencies, VersionProcesses } from "./version-processes.ts";

export interface ProcessDriverOptions {
  /** Directory below which each process of the service has one of its own. Made where it is not there. */
  directory: string;
  /** Address that instances listen on, and are reached at. */
  host: string;
  artifacts: ArtifactStore;
  containment: Containment;
  /** What is asked of control groups: one of `controlGroupChoices`. Default: auto. */
  controlGroups?: string;
  /** Absent: instances are without TLS. */
  tls?: ServingTls | undefined;
  /** How long an instance that is one too many goes on answering, ms. */
  drainMs: number;
  /** Processor time beside predictions that an instance may take at once, ms. Default: 30 s. */
  spareProcessorMs?: number;
  /** Bytes of a prediction's body at most. */
  maxBytes: number;
  newId: () => string;
  /** Called with what instances write, line by line. */
  onOutput: (output: InstanceOutput) => void;
  /** What is given to `node` for an instance. Default: the serving runtime. */
  commandOf?: (options: RuntimeCommandOptions) => string[];
}

const defaultSpareMs = 30_000;

interface Version {
  ref: VersionRef;
  processes: VersionProcesses;
  removing: Promise<void> | undefined;
}

/** Runs instances as child processes of this one, which end with it however it ends. */
export class ProcessDriver implements ServingDriver {
  readonly reach = "replica";
  /** What holds instances to their limits. */
  readonly enforcement: Enforcement;
  readonly #dependencies: VersionDependencies;
  readonly #versions = new Map<string, Version>();
  readonly #listeners: ((ref: VersionRef) => void)[] = [];

  private constructor(dependencies: VersionDependencies, enforcement: Enforcement) {
    this.#dependencies = dependencies;
    this.enforcement = enforcement;
  }

  /**
   * Makes the directory, and removes those of processes of this machine that are gone; so with control groups.
   * @throws ControlGroupsUnavailableError
   */
  static async start(options: ProcessDriverOptions): Promise<ProcessDriver> {
    const { host, artifacts, containment, tls, drainMs, maxBytes, newId, onOutput } = options;
    const { commandOf = runtimeCommand, spareProcessorMs = defaultSpareMs, controlGroups } = options;
    await mkdir(options.directory, { recursive: true, mode: 0o700 });
    const directory = await realpath(options.directory);
    await removeLeftovers(directory);
    const opened = await openControlGroups(controlGroups);
    const groups = opened.kind === "none" ? undefined : opened;
    const root = join(directory, `${hostname()}.${process.pid}.${newId()}`);
    await mkdir(root, { mode: 0o700 });
    const certificate = tls && (await InstanceCertificate.write(join(root, "certificate"), tls));
    const enforcement = enforcementOf(opened, containment.sandbox);
    await writeEnforcement(root, enforcement);
    const guard = new ProcessGuard(root, groups?.directory);
    const limits = { drainMs, maxBytes, spareProcessorMs };
    const parts = { root, host, artifacts, containment, groups, certificate, guard, commandOf, onOutput };
    return new ProcessDriver({ ...parts, ...limits }, enforcement);
  }

  async apply(set: InstanceSet): Promise<void> {
    const { organisationId, deploymentId, versionId } = set;
    const known = this.#versions.get(versionId);
    if (known) return known.processes.apply(set);
    const ref = { organisationId, deploymentId, versionId };
    const processes = new VersionProcesses(set, this.#dependencies, () => this.#changed(ref));
    this.#versions.set(versionId, { ref, processes, removing: undefined });
    processes.apply(set);
  }

  async observe({ versionId }: VersionRef): Promise<readonly ObservedInstance[]> {
    return this.#versions.get(versionId)?.processes.observe() ?? [];
  }

  async remove({ versionId }: VersionRef): Promise<void> {
    const version = this.#versions.get(versionId);
    if (!version) return;
    version.removing ??= version.processes.remove().finally(() => {
      this.#versions.delete(versionId);
      this.#changed(version.ref);
    });
    await version.removing;
  }

  async known(): Promise<readonly VersionRef[]> {
    return [...this.#versions.values()].map(({ ref }) => ref);
  }

  onChange(listener: (ref: VersionRef) => void): void {
    this.#listeners.push(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#versions.values()].map(({ ref }) => this.remove(ref)));
    await this.#dependencies.certificate?.[Symbol.asyncDispose]();
    await this.#dependencies.guard[Symbol.asyncDispose]();
    await this.#dependencies.groups?.[Symbol.asyncDispose]();
    await rm(this.#dependencies.root, { recursive: true, force: true });
  }

  #changed(ref: VersionRef): void {
    for (const listener of this.#listeners) listener(ref);
  }
}

/** Where neither a process nor its guard had the time to clear away: after a power cut, for instance. */
async function removeLeftovers(directory: string): Promise<void> {
  const startedAt = Date.now() - process.uptime() * 1_000;
  for (const name of await readdir(directory)) {
    const [, pid = ""] = /^.+\.(\d+)\.[0-9a-f-]+$/.exec(name) ?? [];
    if (!name.startsWith(`${hostname()}.`) || pid === "") continue;
    const path = join(directory, name);
    // Under our own number it is ours, or that of a process before us, as in a container that was started again.
    const isOwn = Number(pid) === process.pid;
    const isLive = isOwn ? (await stat(path)).birthtimeMs >= startedAt : isThere(Number(pid));
    if (!isLive) await rm(path, { recursive: true, force: true });
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return typeof error === "object" && error !== null && "code" in error && error.code === "EPERM";
  }
}
