import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { Kubectl } from "@aiplatform/cluster-installer";
import { freePorts } from "@aiplatform/local-platform";

/** The cluster that KUBECONFIG names. */
export const cluster = new Kubectl();
export const platformNamespace = "aiplatform";
const pauseMs = 200;

/** Runs kubectl in the platform's namespace and answers what it printed. */
export function kubectl(...args: string[]): Promise<string> {
  return cluster.run(["--namespace", platformNamespace, ...args]);
}

/** Applies objects. */
export async function apply(...objects: object[]): Promise<void> {
  const input = JSON.stringify({ apiVersion: "v1", kind: "List", items: objects });
  await cluster.run(["apply", "--filename=-"], { input });
}

/** Runs `npm run k8s -- …` and answers what it printed. */
export async function installer(...args: string[]): Promise<string> {
  const script = new URL("../../packages/cluster-installer/src/main.ts", import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args]);
  return stdout.trim();
}

/** A way from here to a port of a Service, for as long as it is held. */
export interface Forwarded extends AsyncDisposable {
  /** `127.0.0.1:port` */
  readonly address: string;
}

/**
 * Forwards a port of a Service to one of this machine, and does so again whenever the pod at its end goes. Resolves when it
 * was open once.
 */
export async function forward(service: string, port: number): Promise<Forwarded> {
  const [local = 0] = await freePorts([0]);
  const over = new AbortController();
  const opened = Promise.withResolvers<void>();
  const kept = keepForwarding([`service/${service}`, `${local}:${port}`], {
    opened: opened.resolve,
    over: over.signal,
  });
  await opened.promise;
  return {
    address: `127.0.0.1:${local}`,
    async [Symbol.asyncDispose]() {
      over.abort();
      await kept;
    },
  };
}

async function keepForwarding(
  what: readonly string[],
  { opened, over }: { opened: () => void; over: AbortSignal },
): Promise<void> {
  while (!over.aborted) {
    const args = ["--namespace", platformNamespace, "port-forward", ...what];
    const child = spawn("kubectl", args, { stdio: ["ignore", "pipe", "ignore"] });
    const end = () => void child.kill();
    over.addEventListener("abort", end, { once: true });
    child.stdout.once("data", opened).resume();
    await once(child, "close");
    over.removeEventListener("abort", end);
    await delay(pauseMs, undefined, { signal: over }).catch(() => undefined);
  }
}
