import type {
  AppsV1Api,
  CoreV1Api,
  KubeConfig,
  Middleware,
  V1Deployment,
  V1Pod,
  V1Secret,
  V1Service,
} from "@kubernetes/client-node";
import { clusterErrorOf, statusOf } from "./cluster-errors.ts";

/** How to reach a cluster. */
export interface ClusterSettings {
  namespace: string;
  /** File that says where the cluster is and who we are; undefined: the service account of the pod we run in. */
  kubeconfig: string | undefined;
  /** Longest that one request may take. */
  timeoutMs: number;
}

/** Objects whose changes can be followed. */
export type WatchedKind = "deployments" | "pods";

interface Labelled {
  metadata?: { labels?: Record<string, string> };
}

/** One look at all objects of a kind, and where to follow on from. */
export interface Listing {
  items: readonly Labelled[];
  resourceVersion: string;
}

const fieldManager = "aiplatform-deployments";
/** What deletes an object waits for what it owns: our removal is then seen to be one. */
const deletion = { propagationPolicy: "Foreground" } as const;
/** Writes that met another's are repeated so often. */
const maxAttempts = 5;
/** Connections are made again after so long, for certificates that have changed. */
const connectionsLiveMs = 300_000;

/**
 * Our objects in one namespace of one cluster. Every method rejects with ClusterRefusalError or ClusterUnavailableError.
 * The client library is loaded by `connect`, because it takes long and much memory, and most installations need none.
 */
export class Cluster {
  readonly #apps: AppsV1Api;
  readonly #core: CoreV1Api;
  readonly #namespace: string;
  readonly #config: KubeConfig;
  readonly #library: typeof import("@kubernetes/client-node");

  private constructor(
    library: typeof import("@kubernetes/client-node"),
    config: KubeConfig,
    settings: ClusterSettings,
  ) {
    const { createConfiguration, ServerConfiguration, AppsV1Api, CoreV1Api } = library;
    const server = config.getCurrentCluster()?.server;
    if (server === undefined) throw new Error("the Kubernetes configuration names no cluster");
    const configuration = createConfiguration({
      baseServer: new ServerConfiguration(server, {}),
      authMethods: { default: config },
      promiseMiddleware: [requestsOf(settings.timeoutMs, library.PatchStrategy.ServerSideApply)],
    });
    this.#library = library;
    this.#config = config;
    this.#apps = new AppsV1Api(configuration);
    this.#core = new CoreV1Api(configuration);
    this.#namespace = settings.namespace;
  }

  /** Reads who and where we are; nothing is sent yet. @throws when that cannot be read */
  static async connect(settings: ClusterSettings): Promise<Cluster> {
    const library = await import("@kubernetes/client-node");
    const config = new library.KubeConfig();
    if (settings.kubeconfig === undefined) config.loadFromCluster();
    else config.loadFromFile(settings.kubeconfig);
    return new Cluster(library, config, settings);
  }

  applyDeployment(body: V1Deployment): Promise<void> {
    return retryConflicts(() => this.#apps.patchNamespacedDeployment(this.#ours(body)));
  }

  applyService(body: V1Service): Promise<void> {
    return retryConflicts(() => this.#core.patchNamespacedService(this.#ours(body)));
  }

  applySecret(body: V1Secret): Promise<void> {
    return retryConflicts(() => this.#core.patchNamespacedSecret(this.#ours(body)));
  }

  deployment(name: string): Promise<V1Deployment | undefined> {
    return orUndefined(this.#apps.readNamespacedDeployment({ name, namespace: this.#namespace }));
  }

  service(name: string): Promise<V1Service | undefined> {
    return orUndefined(this.#core.readNamespacedService({ name, namespace: this.#namespace }));
  }

  secret(name: string): Promise<V1Secret | undefined> {
    return orUndefined(this.#core.readNamespacedSecret({ name, namespace: this.#namespace }));
  }

  async pods(labelSelector: string): Promise<V1Pod[]> {
    const namespace = this.#namespace;
    return (await withClusterErrors(this.#core.listNamespacedPod({ namespace, labelSelector }))).items;
  }

  async services(labelSelector: string): Promise<V1Service[]> {
    const namespace = this.#namespace;
    return (await withClusterErrors(this.#core.listNamespacedService({ namespace, labelSelector }))).items;
  }

  /** Begins the deletion of a Deployment and its pods; nothing when there is none. */
  async deleteDeployment(name: string): Promise<void> {
    await orUndefined(this.#apps.deleteNamespacedDeployment({ name, namespace: this.#namespace, body: deletion }));
  }

  async deleteSecret(name: string): Promise<void> {
    await orUndefined(this.#core.deleteNamespacedSecret({ name, namespace: this.#namespace }));
  }

  async deleteService(name: string): Promise<void> {
    await orUndefined(this.#core.deleteNamespacedService({ name, namespace: this.#namespace }));
  }

  async list(kind: WatchedKind, labelSelector: string): Promise<Listing> {
    const query = { namespace: this.#namespace, labelSelector };
    const asked = kind === "pods" ? this.#core.listNamespacedPod(query) : this.#apps.listNamespacedDeployment(query);
    const { items, metadata } = await withClusterErrors<{ items: Labelled[]; metadata?: { resourceVersion?: string } }>(
      asked,
    );
    return { items, resourceVersion: metadata?.resourceVersion ?? "" };
  }

  /** Tells of changes from a version on. Resolves when the cluster ends it, nothing came for long, or at the signal. */
  async watch(
    kind: WatchedKind,
    from: { labelSelector: string; resourceVersion: string; signal: AbortSignal },
    changed: (object: Labelled) => void,
  ): Promise<void> {
    const { signal, ...query } = from;
    const group = kind === "pods" ? "/api/v1" : "/apis/apps/v1";
    const ended = Promise.withResolvers<void>();
    const done = (error: unknown) =>
      error && !isQuiet(error) && !signal.aborted ? ended.reject(clusterErrorOf(error)) : ended.resolve();
    const watch = new this.#library.Watch(this.#config);
    const path = `${group}/namespaces/${this.#namespace}/${kind}`;
    const watching = await watch.watch(
      path,
      { ...query, timeoutSeconds: 300 },
      (_phase, object) => changed(object),
      done,
    );
    const stop = () => watching.abort();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    await ended.promise.finally(() => signal.removeEventListener("abort", stop));
  }

  #ours<B extends { metadata?: { name?: string } }>(body: B) {
    return { name: body.metadata?.name ?? "", namespace: this.#namespace, body, fieldManager, force: true };
  }
}

/** Every request ends in time, shares its connections with the others, and patches by server-side apply. */
function requestsOf(timeoutMs: number, patchType: string): Middleware {
  let connections: { dispatcher: ReturnType<Parameters<Middleware["pre"]>[0]["getDispatcher"]>; until: number };
  return {
    pre: async (request) => {
      // The library makes a pool of connections for each request, whose TLS handshake would cost more than the request.
      const now = performance.now();
      if (!connections || connections.until < now) {
        connections = { dispatcher: request.getDispatcher(), until: now + connectionsLiveMs };
      }
      if (connections.dispatcher) request.setDispatcher(connections.dispatcher);
      if (request.getHttpMethod() === "PATCH") request.setHeaderParam("Content-Type", patchType);
      request.setSignal(AbortSignal.timeout(timeoutMs));
      return request;
    },
    post: async (response) => response,
  };
}

async function retryConflicts(apply: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await apply();
      return;
    } catch (error) {
      if (statusOf(error) !== 409 || attempt === maxAttempts) throw clusterErrorOf(error);
    }
  }
}

async function orUndefined<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw clusterErrorOf(error);
  }
}

async function withClusterErrors<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw clusterErrorOf(error);
  }
}

/** The library ends a watch on which nothing came for half a minute. */
function isQuiet(error: unknown): boolean {
  return typeof error === "object" && error !== null && "name" in error && error.name === "TimeoutError";
}
