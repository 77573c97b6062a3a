import { type FileHandle, open } from "node:fs/promises";
import { type Egress, egressInside } from "@aiplatform/serving-runtime";
import type { InstanceSet } from "../serving-driver.ts";
import type { Containment } from "./containment.ts";
import { EgressProxy } from "./egress-proxy.ts";

const file = "egress";

/** The way to the network of one version's instances: a proxy of their own. */
export class VersionEgress implements AsyncDisposable {
  /** What the sandbox is told. */
  readonly rules: Egress;
  readonly #proxy: EgressProxy;
  readonly #directory: FileHandle | undefined;

  private constructor(rules: Egress, proxy: EgressProxy, directory?: FileHandle) {
    this.rules = rules;
    this.#proxy = proxy;
    this.#directory = directory;
  }

  /** Undefined where the version has no network, or no sandbox keeps it from the machine's. @throws the listen error */
  static async open(
    directory: string,
    { runtime, runConfig }: Pick<InstanceSet, "runtime" | "runConfig">,
    { sandbox, allowedNetworks }: Containment,
  ): Promise<VersionEgress | undefined> {
    if (runtime !== "node" || !runConfig.network || sandbox.kind === "none") return undefined;
    if (sandbox.kind === "landlock") {
      const proxy = await EgressProxy.start({ at: { host: "127.0.0.1", port: 0 }, allowedNetworks });
      return new VersionEgress({ port: proxy.port }, proxy);
    }
    // By its descriptor, since the address of a socket file has 108 characters at most.
    const opened = await open(directory);
    const at = { path: `/proc/self/fd/${opened.fd}/${file}` };
    const proxy = await EgressProxy.start({ at, allowedNetworks });
    return new VersionEgress({ socket: `${directory}/${file}` }, proxy, opened);
  }

  /** What the runtime is told. */
  get env(): { EGRESS_PROXY: string } {
    return { EGRESS_PROXY: egressInside(this.rules) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy[Symbol.asyncDispose]();
    await this.#directory?.close();
  }
}
