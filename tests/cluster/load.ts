import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "../mesh/rest.ts";
import { apply, cluster } from "./kubernetes.ts";
import type { LoadReport } from "./load-generator.ts";

const namespace = "aiplatform-test";
const inNamespace = ["--namespace", namespace];
const restricted = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
};

/** What a pod of the test runs on Node. */
export interface TestPod {
  name: string;
  image: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Files below /files. */
  files?: Readonly<Record<string, string>>;
  labels?: Readonly<Record<string, string>>;
}

/** Makes the namespace of the test's own pods, empty. */
export async function makeTestNamespace(): Promise<void> {
  await cluster.run(["delete", "namespace", namespace, "--ignore-not-found", "--wait=true", "--timeout=120s"]);
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  await apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels } });
}

export async function removeTestNamespace(): Promise<void> {
  await cluster.run(["delete", "namespace", namespace, "--ignore-not-found", "--wait=false"]);
}

/** Starts a pod that runs Node out of an image of ours. */
export async function startPod({ name, image, args, env = {}, files = {}, labels = {} }: TestPod): Promise<void> {
  const metadata = { name, namespace, labels };
  await apply(
    { apiVersion: "v1", kind: "ConfigMap", metadata, data: files },
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata,
      spec: {
        restartPolicy: "Never",
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 5,
        containers: [
          {
            name,
            image,
            command: ["/nodejs/bin/node", "--disable-warning=ExperimentalWarning", ...args],
            env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
            securityContext: restricted,
            volumeMounts: [{ name: "files", mountPath: "/files" }],
          },
        ],
        volumes: [{ name: "files", configMap: { name } }],
      },
    },
  );
}

/** Waits for a pod to end and answers what it said. */
export async function endOfPod(name: string): Promise<string> {
  const phase = () => cluster.run([...inNamespace, "get", "pod", name, "--output=jsonpath={.status.phase}"]);
  await until(`the pod ${name} to end`, 90, phase, (seen) => seen === "Succeeded" || seen === "Failed");
  return (await cluster.run([...inNamespace, "logs", name])).trim();
}

/** A steady load on the gateway's Service from a pod of the cluster. */
export class Load {
  static async start(image: string, plan: object): Promise<Load> {
    const source = await readFile(join(import.meta.dirname, "load-generator.ts"), "utf8");
    await startPod({
      name: "load",
      image,
      args: ["/files/load-generator.mts"],
      files: { "load-generator.mts": source },
      env: { PLAN: JSON.stringify(plan) },
      labels: { "aiplatform-test": "load" },
    });
    const load = new Load();
    await until(
      "the load to be answered",
      60,
      () => load.report().catch(() => undefined),
      (seen) => (seen?.answered ?? 0) > 10,
    );
    return load;
  }

  /** How it stands, within the last second. */
  async report(): Promise<LoadReport> {
    const lines = (await cluster.run([...inNamespace, "logs", "load", "--tail=1"])).trim();
    return JSON.parse(lines);
  }

  /** Waits until so many further requests were sent after now, and answers how it stands then. */
  async goOn(requests: number): Promise<LoadReport> {
    const { sent } = await this.report();
    const look = () => this.report();
    return await until("the load to go on", 120, look, (seen) => seen.sent >= sent + requests);
  }

  /** Ends the load, and answers what became of every acknowledged command. */
  async finish(): Promise<LoadReport> {
    const script = "process.kill(1, 'SIGUSR2')";
    await cluster.run([...inNamespace, "exec", "load", "--", "/nodejs/bin/node", "--eval", script]);
    const look = () => this.report();
    return await until("every command to be looked for", 120, look, (seen) => seen.lost !== undefined);
  }
}
