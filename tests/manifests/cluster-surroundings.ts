import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Kubectl, type Manifest, mainNamespace, neededKeys, servingNamespace } from "@aiplatform/cluster-installer";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The cluster that KUBECONFIG names. Throws what is needed where it names none. */
export function clusterOfKubeconfig(): Kubectl {
  if (!process.env["KUBECONFIG"])
    throw new Error("these tests need a Kubernetes cluster (1.30 or newer): set KUBECONFIG to an administrator's file");
  return new Kubectl();
}

/** How a command ended. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a line of a page in the repository's root, as a reader would. */
export async function runLine(line: string): Promise<Ended> {
  const child = spawn("sh", ["-c", line], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const code = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [stdout, stderr, ended] = await Promise.all([text(child.stdout), text(child.stderr), code]);
  return { code: ended, stdout, stderr };
}

/** Applies objects, or asks only whether the API server would take them. */
export function apply(kubectl: Kubectl, objects: readonly unknown[], ...how: string[]): Promise<string> {
  const input = JSON.stringify({ apiVersion: "v1", kind: "List", items: objects });
  return kubectl.run(["apply", "--server-side", "--force-conflicts", ...how, "--filename=-"], { input });
}

/** Volumes for claims, where the cluster makes none by itself. They are never written to: nothing runs on these nodes. */
export async function provideVolumes(kubectl: Kubectl): Promise<void> {
  const classes = await kubectl.read<{ items: unknown[] }>(["get", "storageclasses"]);
  if ((classes?.items ?? []).length > 0) return;
  const volume = (name: string) => ({
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name },
    spec: {
      capacity: { storage: "10Gi" },
      accessModes: ["ReadWriteOnce"],
      persistentVolumeReclaimPolicy: "Retain",
      hostPath: { path: `/nowhere/${name}` },
    },
  });
  const names = ["manifests-1", "manifests-2", "manifests-3"];
  await kubectl.run(["delete", "persistentvolumes", ...names, "--ignore-not-found"]);
  await apply(kubectl, names.map(volume));
}

/** Kinds that others bring, with any content: what is in them, other tests look at. */
const foreignKinds: readonly (readonly [group: string, version: string, kind: string, plural: string])[] = [
  ["cert-manager.io", "v1", "Certificate", "certificates"],
  ["cert-manager.io", "v1", "Issuer", "issuers"],
  ["gateway.networking.k8s.io", "v1", "Gateway", "gateways"],
  ["gateway.networking.k8s.io", "v1", "HTTPRoute", "httproutes"],
  ["monitoring.coreos.com", "v1", "ServiceMonitor", "servicemonitors"],
  ["monitoring.coreos.com", "v1", "PodMonitor", "podmonitors"],
  ["monitoring.coreos.com", "v1", "PrometheusRule", "prometheusrules"],
];

/** Lets the API server take kinds that an operator would bring, and waits until it does. */
export async function provideForeignKinds(kubectl: Kubectl): Promise<void> {
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const definitions = foreignKinds.map(([group, name, kind, plural]) => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      annotations: { "api-approved.kubernetes.io": "unapproved, only to try manifests" },
    },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase() },
      scope: "Namespaced",
      versions: [{ name, served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  }));
  await apply(kubectl, definitions);
  const names = definitions.map(({ metadata }) => `customresourcedefinition/${metadata.name}`);
  await kubectl.run(["wait", "--for=condition=Established", "--timeout=60s", ...names]);
}

/** The Secrets that an overlay wants of its operator, with values that no test reads. */
export function sampleSecrets(manifests: readonly Manifest[]): object[] {
  const keys = [...neededKeys(manifests), { secret: "aiplatform-public-tls", key: "tls.crt" }];
  return [...Map.groupBy(keys, ({ secret }) => secret)].map(([name, needed]) => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace: mainNamespace },
    stringData: Object.fromEntries(needed.map(({ key }) => [key, "sample"])),
  }));
}

/** Takes everything away that the tests of this folder leave behind. */
export async function removeEverything(kubectl: Kubectl): Promise<void> {
  const namespaces = [mainNamespace, servingNamespace];
  await kubectl.run(["delete", "namespace", ...namespaces, "--ignore-not-found", "--timeout=90s"]);
}
