import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kubectl, mainNamespace } from "@aiplatform/cluster-installer";
import { apply } from "./cluster-surroundings.ts";

const groupVersion = "metrics.k8s.io/v1beta1";
const apiService = "v1beta1.metrics.k8s.io";
const inNamespace = { name: "fake-metrics", namespace: "kube-system" };

interface Pod {
  metadata: { name: string; labels: Record<string, string> };
  spec: { containers: { name: string }[] };
}

/** The API of metrics-server, whose figures a test makes up. The API server has to run on this machine: it asks localhost. */
export class FakeMetrics implements AsyncDisposable {
  /** Thousandths of a processor that each pod of a service seems to use. Default 0. */
  readonly usage: Map<string, number> = new Map();
  readonly #kubectl: Kubectl;
  readonly #stack = new AsyncDisposableStack();

  private constructor(kubectl: Kubectl) {
    this.#kubectl = kubectl;
  }

  static async start(kubectl: Kubectl): Promise<FakeMetrics> {
    const metrics = new FakeMetrics(kubectl);
    await metrics.#open();
    return metrics;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  async #open(): Promise<void> {
    const server = createServer(certificate(), async ({ url = "" }, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(url.includes("/pods") ? await this.#podMetrics() : resources));
    });
    await once(server.listen(0, "localhost"), "listening");
    this.#stack.defer(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const service = { type: "ExternalName", externalName: "localhost", ports: [{ port }] };
    const registration = {
      ...{ group: "metrics.k8s.io", version: "v1beta1", insecureSkipTLSVerify: true },
      ...{ groupPriorityMinimum: 100, versionPriority: 100, service: { ...inNamespace, port } },
    };
    await apply(this.#kubectl, [
      { apiVersion: "v1", kind: "Service", metadata: inNamespace, spec: service },
      {
        apiVersion: "apiregistration.k8s.io/v1",
        kind: "APIService",
        metadata: { name: apiService },
        spec: registration,
      },
    ]);
    this.#stack.defer(async () => {
      await this.#kubectl.run(["delete", "apiservice", apiService]);
      await this.#kubectl.run(["delete", "service", inNamespace.name, "--namespace", inNamespace.namespace]);
    });
    await this.#kubectl.run(["wait", "--for=condition=Available", `apiservice/${apiService}`, "--timeout=60s"]);
  }

  async #podMetrics(): Promise<object> {
    const pods = await this.#kubectl.read<{ items: Pod[] }>(["get", "pods", "--namespace", mainNamespace]);
    const items = (pods?.items ?? []).map(({ metadata: { name, labels }, spec }) => {
      const cpu = `${this.usage.get(labels["app.kubernetes.io/name"] ?? "") ?? 0}m`;
      const containers = spec.containers.map((container) => ({
        name: container.name,
        usage: { cpu, memory: "100Mi" },
      }));
      const metadata = { name, namespace: mainNamespace, labels };
      return { metadata, timestamp: new Date().toISOString(), window: "1s", containers };
    });
    return { kind: "PodMetricsList", apiVersion: groupVersion, metadata: {}, items };
  }
}

const resources = {
  kind: "APIResourceList",
  apiVersion: "v1",
  groupVersion,
  resources: [{ name: "pods", singularName: "", namespaced: true, kind: "PodMetrics", verbs: ["get", "list"] }],
};

/** One that no client verifies. */
function certificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), "certificate-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const wanted = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=localhost"];
  try {
    execFileSync("openssl", ["req", "-x509", ...wanted, "-days", "1", "-keyout", key, "-out", cert], { stdio: "pipe" });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
