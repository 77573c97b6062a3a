import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "@aiplatform/service-host";
import type { V1Pod } from "@kubernetes/client-node";
import { fetchRuntimeState, type RuntimeState } from "../runtime-state.ts";
import type { InstanceSet, ObservedInstance, ServingDriver, VersionRef } from "../serving-driver.ts";
import type { Cluster } from "./cluster.ts";
import { ClusterRefusalError, ClusterUnavailableError } from "./cluster-errors.ts";
import { startClusterWatch } from "./cluster-watch.ts";
import { addressOf, serviceUrlOf } from "./pod-addresses.ts";
import { instancesOf, refusedInstance } from "./pod-instances.ts";
import { type SharedContents, SharedSecret } from "./shared-secret.ts";
import { nameOf, ownSelector, podLabelsOf, refOf, selectorOf } from "./version-names.ts";
import { deploymentOf, type Placement, secretOf, serviceOf } from "./version-objects.ts";

interface Dependencies {
  cluster: Cluster;
  placement: Omit<Placement, "isEncrypted" | "verifiesFiles">;
  logger: Logger;
  /** What pods prove themselves and the files' server by. Default: nothing, and no TLS. */
  shared?: SharedContents;
  /** What pods fetch their files from; ends with the driver. */
  files?: AsyncDisposable;
}

const stateTimeoutMs = 1_000;
/** How often a removal looks whether everything is gone, and how long it goes on before it gives up for this time. */
const removalPollMs = 250;
const removalTimeoutMs = 120_000;

/**
 * Versions as Deployments of a Kubernetes cluster. All state is in the cluster, so that any replica can go on where another
 * stopped. The Service of a version is made first and deleted last: what has one is known, however a process ended.
 */
export class KubernetesDriver implements ServingDriver {
  readonly reach = "installation";
  readonly #cluster: Cluster;
  readonly #placement: Placement;
  readonly #shared: SharedContents;
  readonly #sharedSecret: SharedSecret;
  readonly #owned = new AsyncDisposableStack();
  readonly #listeners = new Set<(ref: VersionRef) => void>();
  readonly #tokens = new Map<string, string>();
  /** What the cluster refused for good, by version, until it takes it. */
  readonly #refusals = new Map<string, ClusterRefusalError>();
  readonly #closing = new AbortController();

  constructor({ cluster, placement, logger, shared = {}, files }: Dependencies) {
    const { tls, certificate } = shared;
    this.#cluster = cluster;
    this.#placement = { ...placement, isEncrypted: tls !== undefined, verifiesFiles: certificate !== undefined };
    this.#shared = shared;
    this.#sharedSecret = this.#owned.use(new SharedSecret({ ...shared, cluster, logger }));
    const changed = (ref: VersionRef) => {
      for (const listener of this.#listeners) listener(ref);
    };
    if (files) this.#owned.use(files);
    this.#owned.use(startClusterWatch({ cluster, logger, changed }));
  }

  /** @throws ClusterUnavailableError */
  async apply(set: InstanceSet): Promise<void> {
    try {
      await this.#sharedSecret.ensure();
      await this.#cluster.applyService(serviceOf(set, this.#placement));
      await this.#cluster.applySecret(secretOf(set, this.#placement));
      await this.#cluster.applyDeployment(deploymentOf(set, this.#placement));
      this.#refusals.delete(set.versionId);
      this.#tokens.set(set.versionId, set.token);
    } catch (error) {
      if (!(error instanceof ClusterRefusalError)) throw error;
      this.#refusals.set(set.versionId, error);
      for (const listener of this.#listeners) listener(set);
    }
  }

  /** @throws ClusterRefusalError, ClusterUnavailableError */
  async observe(ref: VersionRef): Promise<readonly ObservedInstance[]> {
    const refusal = this.#refusals.get(ref.versionId);
    if (!refusal) return this.#instancesOf(ref);
    // Who may not write may not read either, as a rule.
    const standing = await this.#instancesOf(ref).catch((error: unknown) => {
      if (error instanceof ClusterRefusalError) return [];
      throw error;
    });
    return [...standing, refusedInstance(nameOf(ref), refusal)];
  }

  /** @throws ClusterRefusalError, ClusterUnavailableError also when it is not gone after two minutes */
  async remove(ref: VersionRef): Promise<void> {
    const name = nameOf(ref);
    await this.#cluster.deleteDeployment(name);
    await this.#untilGone(ref);
    await this.#cluster.deleteSecret(name);
    await this.#cluster.deleteService(name);
    this.#tokens.delete(ref.versionId);
    this.#refusals.delete(ref.versionId);
  }

  async known(): Promise<readonly VersionRef[]> {
    const services = await this.#cluster.services(ownSelector);
    return services.map(refOf).filter((ref) => ref !== undefined);
  }

  onChange(listener: (ref: VersionRef) => void): void {
    this.#listeners.add(listener);
  }

  /** Leaves everything as it is in the cluster. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#listeners.clear();
    await this.#owned.disposeAsync();
  }

  async #instancesOf(ref: VersionRef): Promise<ObservedInstance[]> {
    const [deployment, pods, service] = await Promise.all([
      this.#cluster.deployment(nameOf(ref)),
      this.#cluster.pods(selectorOf(podLabelsOf(ref))),
      this.#cluster.service(nameOf(ref)),
    ]);
    if (!deployment) return [];
    return instancesOf({ deployment, pods, urlOf: serviceUrlOf(service), states: await this.#statesOf(ref, pods) });
  }

  async #statesOf(ref: VersionRef, pods: readonly V1Pod[]): Promise<ReadonlyMap<string, RuntimeState>> {
    const addresses = pods.flatMap(addressOf);
    const token = addresses.length > 0 ? await this.#tokenOf(ref) : undefined;
    if (token === undefined) return new Map();
    const asked = addresses.map(async ({ name, url }) => {
      const state = await fetchRuntimeState({ url, token, timeoutMs: stateTimeoutMs, tls: this.#shared.tls });
      return state ? [[name, state] as const] : [];
    });
    return new Map((await Promise.all(asked)).flat());
  }

  /** The version's token; from the cluster when another process applied it. */
  async #tokenOf({ versionId }: VersionRef): Promise<string | undefined> {
    const known = this.#tokens.get(versionId);
    if (known !== undefined) return known;
    const secret = await this.#cluster.secret(nameOf({ versionId }));
    const data = secret?.data?.["token"];
    if (data === undefined) return undefined;
    const token = Buffer.from(data, "base64").toString("utf8");
    this.#tokens.set(versionId, token);
    return token;
  }

  async #untilGone(ref: VersionRef): Promise<void> {
    const until = performance.now() + removalTimeoutMs;
    const selector = selectorOf(podLabelsOf(ref));
    while ((await this.#cluster.deployment(nameOf(ref))) || (await this.#cluster.pods(selector)).length > 0) {
      if (performance.now() > until) throw new ClusterUnavailableError("instances do not end in time", undefined);
      await pause(removalPollMs, undefined, { signal: this.#closing.signal });
    }
  }
}
