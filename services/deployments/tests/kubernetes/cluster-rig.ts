import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, isIP } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createLogger } from "@aiplatform/service-host";
import {
  AppsV1Api,
  AuthorizationV1Api,
  CoreV1Api,
  KubeConfig,
  loadAllYaml,
  RbacAuthorizationV1Api,
  type V1Pod,
  type V1Role,
  type V1RoleBinding,
} from "@kubernetes/client-node";
import { afterAll, beforeAll } from "vitest";
import { Cluster } from "../../src/serving/kubernetes-driver/cluster.ts";
import { KubernetesDriver } from "../../src/serving/kubernetes-driver/kubernetes-driver.ts";
import { labelsOf, nameOf, ownSelector, selectorOf } from "../../src/serving/kubernetes-driver/version-names.ts";
import type { Placement } from "../../src/serving/kubernetes-driver/version-objects.ts";
import type { InstanceSet, ObservedInstance, VersionRef } from "../../src/serving/serving-driver.ts";
import { ApiServerDoor } from "./api-server-door.ts";

const accessFile = fileURLToPath(new URL("../../../../k8s/components/serving/serving-access.yaml", import.meta.url));
const fakeNode = "kwok.x-k8s.io/node";
const account = "deployments";

/** The cluster that KUBECONFIG names. @throws what is needed where it names none */
function clusterOfKubeconfig(): KubeConfig {
  const file = process.env["KUBECONFIG"];
  if (!file)
    throw new Error("these tests need a Kubernetes cluster (1.30 or newer): set KUBECONFIG to an administrator's file");
  const config = new KubeConfig();
  config.loadFromFile(file);
  return config;
}

/** A version that no other test uses; `differs` replaces defaults. */
export function instanceSet(differs: Partial<InstanceSet> = {}): InstanceSet {
  return {
    organisationId: randomUUID(),
    deploymentId: randomUUID(),
    versionId: randomUUID(),
    serviceName: "digits",
    runtime: "onnx",
    modelName: "digits",
    files: [{ path: "model.onnx", sha256: "0".repeat(64), sizeBytes: 1_000 }],
    token: randomUUID(),
    replicas: 1,
    runConfig: { concurrency: 16, timeoutSeconds: 30, memoryMb: 128, network: false },
    ...differs,
  };
}

/** How a rig's driver differs from one that is set up as the pages say. */
export interface RigOptions {
  placement?: Partial<Placement>;
  /** Without the rights of the access file. */
  isStranger?: boolean;
  /** Not through the door. */
  isDirect?: boolean;
  /** Ends with the driver. */
  files?: AsyncDisposable;
}

/** A namespace of the test's own, and a driver that has the rights of the access file and no others. */
export class ClusterRig implements AsyncDisposable {
  readonly namespace: string = `t-${randomUUID().slice(0, 8)}`;
  readonly apps: AppsV1Api;
  readonly core: CoreV1Api;
  /** Between the driver and the API server. */
  readonly door: ApiServerDoor;
  readonly #admin: KubeConfig;
  readonly #folder: string;
  readonly #drivers: KubernetesDriver[] = [];

  private constructor(admin: KubeConfig, door: ApiServerDoor, folder: string) {
    this.#admin = admin;
    this.#folder = folder;
    this.door = door;
    this.apps = admin.makeApiClient(AppsV1Api);
    this.core = admin.makeApiClient(CoreV1Api);
  }

  /** `fake`: pods run in name only, on kwok's nodes. `real`: they run. @throws where the cluster has other nodes */
  static async start(nodes: "fake" | "real" = "fake"): Promise<ClusterRig> {
    const admin = clusterOfKubeconfig();
    const { items } = await admin.makeApiClient(CoreV1Api).listNode();
    const isFake = items.map(({ metadata }) => metadata?.annotations?.[fakeNode] === "fake");
    if (nodes === "fake" && isFake.includes(false)) {
      throw new Error(`these tests need a cluster whose nodes are all kwok's (annotation ${fakeNode}: fake)`);
    }
    if (nodes === "real" && !isFake.includes(false)) throw new Error("these tests need a cluster that runs its pods");
    const door = await ApiServerDoor.open(admin.getCurrentCluster()?.server ?? "");
    const rig = new ClusterRig(admin, door, await mkdtemp(join(tmpdir(), "cluster-rig-")));
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    await rig.core.createNamespace({ body: { metadata: { name: rig.namespace, labels } } });
    await rig.#grant();
    return rig;
  }

  /** A driver as a replica has it. */
  async driver({ placement, isStranger = false, isDirect = false, files }: RigOptions = {}): Promise<KubernetesDriver> {
    const kubeconfig = await this.#kubeconfigOf(isStranger ? "default" : account, isDirect);
    const cluster = await Cluster.connect({ namespace: this.namespace, kubeconfig, timeoutMs: 3_000 });
    const driver = new KubernetesDriver({
      cluster,
      placement: {
        image: "registry.example/serving-runtime:1",
        filesUrl: "http://deployments.example:8081",
        cpuRequest: "10m",
        cpuLimit: "2",
        maxPredictionBytes: 1_048_576,
        progressDeadlineSeconds: 60,
        ...placement,
      },
      logger: createLogger({ service: "test", level: "silent" }),
      ...(files ? { files } : {}),
    });
    this.#drivers.push(driver);
    return driver;
  }

  /** A file with which a service has the rights of the access file. */
  kubeconfig(): Promise<string> {
    return this.#kubeconfigOf(account, true);
  }

  /** Names of the objects that a version has. */
  objectsOf(ref: VersionRef): Promise<Record<"deployments" | "services" | "secrets" | "pods", string[]>> {
    return this.objects(selectorOf(labelsOf(ref)));
  }

  /** Names of the objects with these labels. Default: of all that drivers make. */
  async objects(
    labelSelector: string = ownSelector,
  ): Promise<Record<"deployments" | "services" | "secrets" | "pods", string[]>> {
    const query = { namespace: this.namespace, labelSelector };
    const [deployments, services, secrets, pods] = await Promise.all([
      this.apps.listNamespacedDeployment(query),
      this.core.listNamespacedService(query),
      this.core.listNamespacedSecret(query),
      this.core.listNamespacedPod(query),
    ]);
    const names = ({ items }: { items: { metadata?: { name?: string } }[] }) =>
      items.map(({ metadata }) => metadata?.name ?? "").toSorted();
    return { deployments: names(deployments), services: names(services), secrets: names(secrets), pods: names(pods) };
  }

  /** The Deployment of a version as the cluster has it. */
  deploymentOf(ref: VersionRef) {
    return this.apps.readNamespacedDeployment({ name: nameOf(ref), namespace: this.namespace });
  }

  /** Whether the access file lets the driver do something. */
  async reviewOf(attributes: { verb: string; resource: string; namespace?: string }): Promise<boolean> {
    const { status } = await this.#admin.makeApiClient(AuthorizationV1Api).createSubjectAccessReview({
      body: {
        spec: {
          user: `system:serviceaccount:${this.namespace}:${account}`,
          resourceAttributes: { namespace: this.namespace, ...attributes },
        },
      },
    });
    return status?.allowed ?? false;
  }

  /** Puts a status on a pod, as a kubelet would. */
  async reportOfPod(name: string, status: V1Pod["status"]): Promise<void> {
    const { namespace } = this;
    const pod = await this.core.readNamespacedPod({ name, namespace });
    await this.core.replaceNamespacedPodStatus({
      name,
      namespace,
      body: { ...pod, status: { ...pod.status, ...status } },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#drivers.map((driver) => driver[Symbol.asyncDispose]()));
    this.door.close();
    await this.core.deleteNamespace({ name: this.namespace });
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** A file with which an account of the namespace comes to the cluster. */
  async #kubeconfigOf(name: string, isDirect: boolean): Promise<string> {
    const { namespace } = this;
    const { status } = await this.core.createNamespacedServiceAccountToken({
      name,
      namespace,
      body: { spec: { audiences: [], expirationSeconds: 3_600 } },
    });
    const cluster = this.#admin.getCurrentCluster();
    const config = new KubeConfig();
    const { hostname } = new URL(cluster?.server ?? "");
    const { caFile, caData = (await readFile(caFile ?? "")).toString("base64") } = cluster ?? {};
    const serverName = isIP(hostname) ? {} : { tlsServerName: hostname };
    config.loadFromClusterAndUser(
      {
        name: "test",
        server: isDirect ? (cluster?.server ?? "") : this.door.url,
        caData,
        skipTLSVerify: false,
        ...serverName,
      },
      { name, token: status?.token ?? "" },
    );
    const file = join(this.#folder, `${randomUUID()}.json`);
    await writeFile(file, config.exportConfig());
    return file;
  }

  /** The rights of the access file, in this namespace. */
  async #grant(): Promise<void> {
    const { namespace } = this;
    const rbac = this.#admin.makeApiClient(RbacAuthorizationV1Api);
    const [role, binding]: [V1Role, V1RoleBinding] = readAccess(await readFile(accessFile, "utf8"));
    await this.core.createNamespacedServiceAccount({ namespace, body: { metadata: { name: account } } });
    await rbac.createNamespacedRole({ namespace, body: { ...role, metadata: { ...role.metadata, namespace } } });
    const subjects = (binding.subjects ?? []).map((subject) => ({ ...subject, namespace }));
    const metadata = { ...binding.metadata, namespace };
    await rbac.createNamespacedRoleBinding({ namespace, body: { ...binding, metadata, subjects } });
  }
}

/** A rig for the tests of a file, in whose place the reason stands where there is no cluster. */
export function ownCluster(started: (rig: ClusterRig) => Promise<void>, nodes?: "fake" | "real"): void {
  const rigs = new AsyncDisposableStack();
  beforeAll(async () => started(rigs.use(await ClusterRig.start(nodes))));
  afterAll(() => rigs.disposeAsync());
}

function readAccess(text: string): [V1Role, V1RoleBinding] {
  const [role, binding] = loadAllYaml(text);
  return [role, binding];
}

/** A port without a listener. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

/** Waits until what is seen is as it should be. @throws what was seen last when it takes longer */
export async function until<T>(look: () => Promise<T>, isRight: (seen: T) => boolean, seconds = 30): Promise<T> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const seen = await look();
    if (isRight(seen)) return seen;
    if (performance.now() > end) throw new Error(`still ${JSON.stringify(seen)} after ${seconds} s`);
    await pause(100);
  }
}

/** Whether there are so many instances, all in that state. */
export function all(state: ObservedInstance["state"], count = 1): (seen: readonly ObservedInstance[]) => boolean {
  return (seen) => seen.length === count && seen.every((instance) => instance.state === state);
}
