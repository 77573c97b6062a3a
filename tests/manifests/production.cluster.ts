import { fileURLToPath } from "node:url";
import {
  type Manifest,
  mainNamespace,
  overlayNames,
  renderOverlay,
  servingNamespace,
} from "@aiplatform/cluster-installer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  apply,
  clusterOfKubeconfig,
  provideForeignKinds,
  removeEverything,
  runLine,
  sampleSecrets,
} from "./cluster-surroundings.ts";
import { FakeMetrics } from "./fake-metrics.ts";
import { serviceNames } from "./rendered-overlays.ts";

const kubectl = clusterOfKubeconfig();
const inNamespace = ["--namespace", mainNamespace];

interface Workload {
  metadata: { name: string };
  status?: { availableReplicas?: number };
}

/** Fewest available replicas of any service that were ever seen while something went on. */
async function fewestDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  let fewest = Number.POSITIVE_INFINITY;
  while (!isOver) fewest = Math.min(fewest, ...Object.values(await availableReplicas()));
  await over;
  return fewest;
}

async function availableReplicas(): Promise<Record<string, number>> {
  const list = await kubectl.read<{ items: Workload[] }>(["get", "deployments", ...inNamespace]);
  return Object.fromEntries(
    (list?.items ?? []).map(({ metadata, status }) => [metadata.name, status?.availableReplicas ?? 0]),
  );
}

let production: Manifest[];

beforeAll(async () => {
  await removeEverything(kubectl);
  await provideForeignKinds(kubectl);
  production = await renderOverlay(kubectl, "production");
  const namespaces = production.filter(({ kind }) => kind === "Namespace");
  await apply(kubectl, namespaces);
});
afterAll(async () => {
  await kubectl.run(["uncordon", "--selector=kubernetes.io/os=linux"]);
  await removeEverything(kubectl);
});

describe("a real API server", () => {
  const component = (name: string) => fileURLToPath(new URL(`../../k8s/components/${name}`, import.meta.url));

  it.each(overlayNames)("would take every object of the overlay %s", async (overlay) => {
    const manifests = await renderOverlay(kubectl, overlay);
    const taken = await apply(kubectl, manifests, "--dry-run=server", "--validate=strict");
    expect(taken.trim().split("\n")).toHaveLength(manifests.length);
  });

  it("would take the gateway's route, which stands in place of the Ingress", async () => {
    const taken = await kubectl.run([
      "apply",
      "--server-side",
      "--dry-run=server",
      "--kustomize",
      component("gateway-route"),
    ]);
    expect(taken).toContain("httproute.gateway.networking.k8s.io/gateway");
  });

  it("refuses a pod that may do more than ours, in both namespaces", async () => {
    for (const namespace of [mainNamespace, servingNamespace]) {
      const pod = [
        "run",
        "intruder",
        "--image=busybox:1.37",
        "--privileged",
        "--namespace",
        namespace,
        "--dry-run=server",
      ];
      await expect(kubectl.run(pod)).rejects.toThrow("violates PodSecurity");
    }
  });
});

describe("production, on three nodes", () => {
  it("is not begun while a secret is missing: all of them are named", async () => {
    const { code, stderr } = await runLine("npm run -s k8s -- install --overlay production");
    expect(code).toBe(1);
    expect(stderr).toContain("aiplatform-identity: mongodb-uri, context-signing-key");
    expect(stderr).toContain("aiplatform-public-tls: tls.crt");
    expect(await availableReplicas()).toEqual({});
  });

  it("is installed once its secrets are there, with two replicas of everything", async () => {
    await apply(kubectl, sampleSecrets(production));
    const { code, stderr } = await runLine("npm run -s k8s -- install --overlay production");
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) });
    const wait = ["--for=jsonpath={.status.availableReplicas}=2", "--timeout=90s", ...inNamespace];
    await kubectl.run(["wait", ...wait, ...serviceNames.map((name) => `deployment/${name}`)]);
  });

  it("spreads the replicas of each service over nodes", async () => {
    interface Pod {
      metadata: { labels: Record<string, string> };
      spec: { nodeName: string };
    }
    const list = await kubectl.read<{ items: Pod[] }>(["get", "pods", ...inNamespace]);
    const byService = Map.groupBy(list?.items ?? [], ({ metadata }) => metadata.labels["app.kubernetes.io/name"] ?? "");
    const nodes = serviceNames.map((name) => new Set(byService.get(name)?.map(({ spec }) => spec.nodeName)).size);
    expect(nodes).toEqual([2, 2, 2, 2, 2]);
  });

  it("lets deployments do its work in the serving namespace, and nothing more than that", async () => {
    const can = async (account: string, verb: string, what: string, namespace: string) => {
      const who = `--as=system:serviceaccount:${mainNamespace}:${account}`;
      const answer = kubectl.run(["auth", "can-i", verb, what, who, "--namespace", namespace]);
      return answer.then(() => true).catch(() => false);
    };
    expect(await can("deployments", "patch", "deployments", servingNamespace)).toBe(true);
    expect(await can("deployments", "list", "secrets", servingNamespace)).toBe(false);
    expect(await can("deployments", "patch", "deployments", mainNamespace)).toBe(false);
    expect(await can("gateway", "list", "pods", servingNamespace)).toBe(false);
  });

  it("is brought up to another version without a replica less", async () => {
    const fewest = await fewestDuring(runLine("npm run -s k8s -- install --overlay production --tag 0.1.1"));
    expect(fewest).toBeGreaterThanOrEqual(2);
    const { stdout } = await runLine("npm run -s k8s -- status");
    expect(stdout.match(/registry\.example\.com\/aiplatform\/[a-z]+:0\.1\.1/g)).toHaveLength(5);
    const settings = await kubectl.run(["get", "configmaps", ...inNamespace, "--output=yaml"]);
    expect(settings).toContain("SERVING_IMAGE: registry.example.com/aiplatform/serving-runtime:0.1.1");
  });

  it("has more replicas of what is busy, and of nothing else", async () => {
    await using metrics = await FakeMetrics.start(kubectl);
    // Twice the 70 % of its request at which one more would do.
    metrics.usage.set("gateway", 350);
    const wait = ["--for=jsonpath={.status.availableReplicas}=4", "--timeout=100s", ...inNamespace];
    await kubectl.run(["wait", ...wait, "deployment/gateway"]);
    expect(await availableReplicas()).toMatchObject({ identity: 2, training: 2, content: 2, deployments: 2, data: 2 });
  });

  it("keeps a replica of everything while a node is drained", async () => {
    const nodes = (await kubectl.run(["get", "nodes", "--output=name"])).trim().split("\n");
    const drain = ["drain", nodes[0] ?? "", "--ignore-daemonsets", "--delete-emptydir-data", "--timeout=90s"];
    expect(await fewestDuring(kubectl.run(drain))).toBeGreaterThanOrEqual(1);
    await kubectl.run(["uncordon", nodes[0] ?? ""]);
  });

  it("gives no second pod of a service away before the first is replaced", async () => {
    const pods = (
      await kubectl.run(["get", "pods", ...inNamespace, "--selector=app.kubernetes.io/name=identity", "--output=name"])
    )
      .trim()
      .split("\n");
    // Nothing can start anywhere: the budget is used up by the first.
    await kubectl.run(["cordon", "--selector=kubernetes.io/os=linux"]);
    const evict = (pod = "") => {
      const name = pod.replace("pod/", "");
      const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace: mainNamespace } };
      const path = `/api/v1/namespaces/${mainNamespace}/pods/${name}/eviction`;
      return kubectl.run(["create", "--raw", path, "--filename=-"], { input: JSON.stringify(eviction) });
    };
    await evict(pods[0]);
    await expect(evict(pods[1])).rejects.toThrow("disruption budget");
  });
});
