import { createHash } from "node:crypto";
import { containerPaths, containerPorts } from "@aiplatform/serving-runtime";
import type {
  V1Container,
  V1Deployment,
  V1KeyToPath,
  V1Secret,
  V1SecurityContext,
  V1Service,
  V1Volume,
} from "@kubernetes/client-node";
import type { InstanceSet } from "../serving-driver.ts";
import { manifestOf } from "../serving-manifest.ts";
import { sharedSecret } from "./shared-secret.ts";
import { labelsOf, nameOf, podLabelsOf } from "./version-names.ts";

/** How instances are made, the same for all of them. */
export interface Placement {
  /** The serving runtime's image, with a tag or digest. */
  image: string;
  /** Where pods fetch their version's files from. */
  filesUrl: string;
  /** Share of a processor that is kept for each instance, such as `100m`. */
  cpuRequest: string;
  /** Processors that an instance uses at most, such as `2`. */
  cpuLimit: string;
  /** What isolates pods from their node. Absent: the cluster's default. */
  runtimeClass?: string | undefined;
  /** Largest body of a prediction. */
  maxPredictionBytes: number;
  /** Whether instances have the certificate of the shared Secret, and take TLS alone. */
  isEncrypted: boolean;
  /** Whether the files' server is held to the authority of the shared Secret. */
  verifiesFiles: boolean;
  /** A rollout that gets no further for so long has failed. */
  progressDeadlineSeconds: number;
}

/** Where the code of the instance may write what it needs for a moment. */
const temporary = "/tmp";

/** What the runtime needs for itself: memory_mb is for what it serves. */
const runtimeMegabytes = 96;
const settingsDigest = "aiplatform/settings-digest";
/** Network policies go by it: `"true"` for instances that may reach what is public. */
const networkLabel = "aiplatform/network";
const megabyte = 1024 * 1024;
/** Of a pod's disk, beside the files: what is written to the temporary directory, and to the log until the node rotates it. */
const megabytesOf = { temporary: 64, log: 64 } as const;

/** What a pod is told, as files: token, the runtime's manifest, and what to fetch. At most 1 MiB in all. */
export function secretOf(set: InstanceSet, { filesUrl }: Pick<Placement, "filesUrl">): V1Secret {
  const { organisationId, deploymentId, versionId } = set;
  const url = `${filesUrl.replace(/\/+$/, "")}/serving-files/${organisationId}/${deploymentId}/${versionId}/`;
  const contents = {
    token: set.token,
    "manifest.json": JSON.stringify(manifestOf(set)),
    "files.json": JSON.stringify({ url, files: set.files }),
  };
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: nameOf(set), labels: labelsOf(set) },
    type: "Opaque",
    data: Object.fromEntries(Object.entries(contents).map(([name, text]) => [name, base64(text)])),
  };
}

/**
 * One address for all instances of a version: only those that are ready get anything. Both ports are there always, since pods
 * with TLS and without it stand side by side while one kind replaces the other.
 */
export function serviceOf(set: InstanceSet, { isEncrypted }: Pick<Placement, "isEncrypted">): V1Service {
  const port = (name: keyof typeof containerPorts, appProtocol: string) => ({
    name,
    port: containerPorts[name],
    targetPort: name,
    protocol: "TCP",
    appProtocol,
  });
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: nameOf(set), labels: labelsOf(set) },
    spec: {
      type: "ClusterIP",
      selector: podLabelsOf(set),
      ports: [port("http", "http"), port("https", "https"), port("grpc", isEncrypted ? "https" : "kubernetes.io/h2c")],
    },
  };
}

export function deploymentOf(set: InstanceSet, placement: Placement): V1Deployment {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: nameOf(set), labels: labelsOf(set) },
    spec: {
      replicas: set.replicas,
      revisionHistoryLimit: 1,
      progressDeadlineSeconds: placement.progressDeadlineSeconds,
      // What serves goes on until its replacement is ready.
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      selector: { matchLabels: podLabelsOf(set) },
      template: {
        // The digest makes new pods of new settings: a running one has read its own already.
        metadata: {
          labels: { ...labelsOf(set), [networkLabel]: String(set.runConfig.network) },
          annotations: { [settingsDigest]: digestOf(secretOf(set, placement)) },
        },
        spec: podSpecOf(set, placement),
      },
    },
  };
}

function podSpecOf(set: InstanceSet, placement: Placement) {
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    ...(placement.runtimeClass === undefined ? {} : { runtimeClassName: placement.runtimeClass }),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65_532,
      runAsGroup: 65_532,
      fsGroup: 65_532,
      seccompProfile: { type: "RuntimeDefault" },
    },
    // Predictions under way when the pod is to go have their whole time.
    terminationGracePeriodSeconds: set.runConfig.timeoutSeconds + 10,
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: "kubernetes.io/hostname",
        whenUnsatisfiable: "ScheduleAnyway",
        labelSelector: { matchLabels: podLabelsOf(set) },
      },
    ],
    initContainers: [fetcherOf(set, placement)],
    containers: [runtimeOf(set, placement)],
    volumes: [
      { name: "settings", secret: { secretName: nameOf(set), defaultMode: 0o440 } },
      ...sharedVolumes(placement),
      { name: "files", emptyDir: { sizeLimit: `${spaceFor(set)}Mi` } },
      { name: "temporary", emptyDir: { sizeLimit: `${megabytesOf.temporary}Mi` } },
    ],
  };
}

/** Each container gets of the shared Secret what it needs, and the one that fetches no key. */
function sharedVolumes({ isEncrypted, verifiesFiles }: Placement): V1Volume[] {
  const part = (name: string, items: V1KeyToPath[]) => ({
    name,
    secret: { secretName: sharedSecret.name, defaultMode: 0o440, items },
  });
  const { certificate, key, filesAuthority } = sharedSecret;
  const pair = [
    { key: certificate, path: "tls.crt" },
    { key, path: "tls.key" },
  ];
  return [
    ...(isEncrypted ? [part("certificate", pair)] : []),
    ...(verifiesFiles ? [part("files-authority", [{ key: filesAuthority, path: "ca.crt" }])] : []),
  ];
}

const securityContext: V1SecurityContext = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
};

/** Brings the version's files into the pod, each verified by its digest. */
function fetcherOf(set: InstanceSet, { image, cpuLimit, verifiesFiles }: Placement): V1Container {
  const disk = diskFor(set);
  return {
    name: "fetch",
    image,
    imagePullPolicy: "IfNotPresent",
    args: ["fetch"],
    securityContext,
    resources: {
      requests: { cpu: "50m", memory: "64Mi", ...disk },
      limits: { cpu: cpuLimit, memory: "256Mi", ...disk },
    },
    terminationMessagePolicy: "FallbackToLogsOnError",
    volumeMounts: [
      { name: "settings", mountPath: containerPaths.settings, readOnly: true },
      { name: "files", mountPath: containerPaths.directory },
      ...(verifiesFiles ? [{ name: "files-authority", mountPath: containerPaths.filesAuthority, readOnly: true }] : []),
    ],
  };
}

function runtimeOf(set: InstanceSet, placement: Placement): V1Container {
  const { image, cpuRequest, cpuLimit, maxPredictionBytes, isEncrypted } = placement;
  const memory = `${set.runConfig.memoryMb + runtimeMegabytes}Mi`;
  const disk = diskFor(set);
  const port = isEncrypted ? "https" : "http";
  // The kubelet takes any certificate.
  const httpGet = (path: string) => ({ httpGet: { path, port, scheme: port.toUpperCase() } });
  return {
    name: "serve",
    image,
    imagePullPolicy: "IfNotPresent",
    args: ["serve"],
    env: [{ name: "MAX_BODY_BYTES", value: String(maxPredictionBytes) }],
    securityContext,
    // Memory and disk are kept, and limits. Of processors little is kept, and more may be used where the node has it.
    resources: { requests: { cpu: cpuRequest, memory, ...disk }, limits: { cpu: cpuLimit, memory, ...disk } },
    terminationMessagePolicy: "FallbackToLogsOnError",
    ports: [
      { name: port, containerPort: containerPorts[port], protocol: "TCP" },
      { name: "grpc", containerPort: containerPorts.grpc, protocol: "TCP" },
    ],
    startupProbe: { ...httpGet("/v2/health/live"), periodSeconds: 1, failureThreshold: 60 },
    readinessProbe: { ...httpGet("/v2/health/ready"), periodSeconds: 1, timeoutSeconds: 2, failureThreshold: 3 },
    livenessProbe: { ...httpGet("/v2/health/live"), periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 },
    // Until every node has heard that the pod is going, predictions still come in.
    lifecycle: { preStop: { sleep: { seconds: 2 } } },
    volumeMounts: [
      { name: "settings", mountPath: containerPaths.settings, readOnly: true },
      { name: "files", mountPath: containerPaths.directory, readOnly: true },
      ...(isEncrypted ? [{ name: "certificate", mountPath: containerPaths.certificate, readOnly: true }] : []),
      { name: "temporary", mountPath: temporary },
    ],
  };
}

/** Disk for everything that the pod's containers write; the node ends a pod that takes more. */
function diskFor(set: InstanceSet): { "ephemeral-storage": string } {
  return { "ephemeral-storage": `${spaceFor(set) + megabytesOf.temporary + megabytesOf.log}Mi` };
}

/** Megabytes for the files, a partly fetched one and the file system's own needs included. */
function spaceFor({ files }: InstanceSet): number {
  return Math.ceil((files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) * 11) / 10 / megabyte) + 16;
}

function digestOf({ data = {} }: V1Secret): string {
  return createHash("sha256").update(JSON.stringify(data)).digest("hex").slice(0, 32);
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
