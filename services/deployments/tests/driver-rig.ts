import { randomUUID } from "node:crypto";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSandbox, type Sandbox } from "@aiplatform/serving-runtime";
import { eventually } from "@aiplatform/testkit";
import { sha256Of } from "../src/artifacts/artifact-store.ts";
import { DirectoryStore } from "../src/artifacts/directory-store.ts";
import type { Containment } from "../src/serving/process-driver/containment.ts";
import { ProcessDriver, type ProcessDriverOptions } from "../src/serving/process-driver/process-driver.ts";
import type { InstanceOutput } from "../src/serving/process-driver/version-processes.ts";
import type { InstanceSet, ObservedInstance } from "../src/serving/serving-driver.ts";

export const organisationId = randomUUID();

export const isReady = ({ state }: ObservedInstance) => state === "ready";
export const isFailed = ({ state }: ObservedInstance) => state === "failed";

/** The strongest sandbox of this machine; the tests also pass without one. */
export async function containmentHere(sandbox?: Sandbox): Promise<Containment> {
  return { sandbox: sandbox ?? (await findSandbox()), trustsCode: true, network: false, allowedNetworks: [] };
}

/** A process driver with directories of its own. */
export class DriverRig implements AsyncDisposable {
  readonly home: string;
  readonly artifacts: DirectoryStore;
  readonly outputs: InstanceOutput[] = [];
  readonly #containment: Containment;
  driver!: ProcessDriver;

  private constructor(home: string, containment: Containment) {
    this.home = home;
    this.#containment = containment;
    this.artifacts = new DirectoryStore(join(home, "artifacts"), { maxBytes: 1_000_000 });
  }

  static async start(containment: Containment, more: Partial<ProcessDriverOptions> = {}): Promise<DriverRig> {
    const rig = new DriverRig(await realpath(await mkdtemp(join(tmpdir(), "driver-"))), containment);
    rig.driver = await rig.startDriver(more);
    return rig;
  }

  get directory(): string {
    return join(this.home, "serving");
  }

  startDriver(more: Partial<ProcessDriverOptions> = {}): Promise<ProcessDriver> {
    return ProcessDriver.start({
      directory: this.directory,
      host: "127.0.0.1",
      artifacts: this.artifacts,
      containment: this.#containment,
      drainMs: 0,
      maxBytes: 1_048_576,
      newId: randomUUID,
      onOutput: (output) => this.outputs.push(output),
      ...more,
    });
  }

  /** Puts another driver in the place of this one. */
  async replaceDriver(more: Partial<ProcessDriverOptions>): Promise<void> {
    await this.driver[Symbol.asyncDispose]();
    this.driver = await this.startDriver(more);
  }

  async setOf(files: Record<string, string>, more: Partial<InstanceSet> = {}): Promise<InstanceSet> {
    return {
      ...{ organisationId, deploymentId: randomUUID(), versionId: randomUUID() },
      ...{ serviceName: "digits", modelName: "digits", runtime: "node" },
      files: await Promise.all(Object.entries(files).map(([path, text]) => this.#stored(path, text))),
      token: "a-token-of-this-test",
      replicas: 1,
      runConfig: { concurrency: 4, timeoutSeconds: 2, memoryMb: 256, network: false },
      ...more,
    };
  }

  handler(text: string, more: Partial<InstanceSet> = {}): Promise<InstanceSet> {
    return this.setOf({ "handler.mjs": text }, more);
  }

  /** Waits until the first instance is so. */
  instance(set: InstanceSet, fits: (one: ObservedInstance) => boolean): Promise<ObservedInstance> {
    return eventually(async () => {
      await this.driver.apply(set);
      return (await this.driver.observe(set)).find(fits);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.driver[Symbol.asyncDispose]();
    await rm(this.home, { recursive: true, force: true });
  }

  async #stored(path: string, text: string) {
    const bytes = Buffer.from(text);
    const sha256 = sha256Of(bytes);
    await this.artifacts.put(
      organisationId,
      { sha256 },
      (async function* () {
        yield bytes;
      })(),
    );
    return { path, sha256, sizeBytes: bytes.length };
  }
}

export async function predict({ token, modelName }: InstanceSet, url = "", input: unknown = {}) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ input });
  const response = await fetch(`${url}/v2/models/${modelName}/infer`, { method: "POST", headers, body });
  return { status: response.status, body: JSON.stringify(await response.json()) };
}
