import { describe, expect, it } from "vitest";
import { deploymentOf } from "../../services/deployments/src/serving/kubernetes-driver/version-objects.ts";
import { type Party, portsBetween } from "./network-reach.ts";
import { nameOf, type RenderedOverlay, renderOverlays, type ServiceName, serviceNames } from "./rendered-overlays.ts";
import { configOf, declarations } from "./service-settings.ts";

const overlays = await renderOverlays();
const ports = [
  22, 25, 53, 80, 443, 465, 587, 3306, 4222, 4318, 6443, 8000, 8080, 8090, 8222, 8443, 9090, 27_017, 50_051,
];

/** Where a setting leads that names something outside of the mesh: to whom, at which ports. */
const outside: Readonly<Record<string, { to: readonly string[]; ports: readonly number[] }>> = {
  MONGODB_URI: { to: ["mongodb"], ports: [27_017] },
  NATS_URL: { to: ["nats"], ports: [4222] },
  OTEL_EXPORTER_OTLP_ENDPOINT: { to: ["collector"], ports: [4318] },
  JUPYTERHUB_URL: { to: ["jupyterhub"], ports: [8000] },
  OIDC_ISSUERS: { to: ["the public"], ports: [443] },
  EXTERNAL_OAUTH_PROVIDERS: { to: ["the public"], ports: [443] },
  PROMPT_API_URL: { to: ["the public"], ports: [443] },
  ARTIFACTS_S3_URL: { to: ["the public"], ports: [443] },
  SMTP_URL: { to: ["the public", "a private machine"], ports: [465, 587] },
};

/** Addresses that others call: the service that has the setting does not. */
const ownAddresses: ReadonlySet<string> = new Set([
  "PUBLIC_URL",
  "SERVING_FILES_URL",
  "HOST",
  "SERVING_HOST",
  "ARTIFACTS_S3_PUBLIC_URL",
]);
const isAddress = (name: string) => /(_URL|_URI|_ADDRESS|_ENDPOINT|_ISSUERS|_PROVIDERS|^HOST|_HOST)$/.test(name);

/** `from → to: port`, in order. */
type Arrows = ReadonlySet<string>;
const arrow = (from: string, to: string, port: unknown) => `${from} → ${to}: ${String(port)}`;

/** The arrows that the settings of a service draw. What is called over gRPC names its HTTP port for unary calls. */
async function arrowsOf(rendered: RenderedOverlay, service: ServiceName): Promise<string[]> {
  const config = await configOf(rendered, service);
  const httpPort = (await configOf(rendered, "identity"))["HTTP_PORT"];
  return Object.keys(declarations[service].settings).flatMap((name) => {
    const known = outside[name];
    if (known) return known.to.flatMap((to) => known.ports.map((port) => arrow(service, to, port)));
    if (!isAddress(name) || ownAddresses.has(name)) return [];
    const addresses = [config[name]].flat().flatMap((address) => String(address).split("|"));
    return addresses.flatMap((address) => {
      const [, to = "?", port = "?"] = /^(?:https?:\/\/)?([a-z]+)(?:-headless)?:(\d+)$/.exec(address) ?? [];
      return [arrow(service, to, port), ...(name.endsWith("_ADDRESS") ? [arrow(service, to, httpPort)] : [])];
    });
  });
}

/** The arrows that come from other things that are so: what the drivers do, who scrapes, who calls. */
async function otherArrows(rendered: RenderedOverlay): Promise<string[]> {
  const gateway = await configOf(rendered, "gateway");
  const training = await configOf(rendered, "training");
  const deployments = await configOf(rendered, "deployments");
  expect(deployments["SERVING_DRIVER"]).toBe("kubernetes");
  const files = new URL(String(deployments["SERVING_FILES_URL"]));
  // Instances that were made without TLS go on until they are replaced.
  const instancePorts = deployments["SERVING_TLS_CERT_FILE"] === undefined ? [8000] : [8000, 8443];
  return [
    ...["serving", "serving with a network"].flatMap((serving) => [
      ...instancePorts.flatMap((port) => [arrow("gateway", serving, port), arrow("deployments", serving, port)]),
      arrow(serving, "deployments", files.port),
    ]),
    ...ports.map((port) => arrow("serving with a network", "the public", port)),
    // The API server, which is no pod.
    ...[443, 6443].map((port) => arrow("deployments", "a private machine", port)),
    ...serviceNames.map((service) => arrow("prometheus", service, gateway["ADMIN_PORT"])),
    arrow("ingress", "gateway", gateway["HTTP_PORT"]),
    arrow("a trainer", "training", training["GRPC_PORT"]),
    ...parties(rendered)
      .filter(({ namespace = "" }) => namespace.startsWith("aiplatform"))
      .map(({ name }) => arrow(name, "dns", 53)),
  ];
}

function podsOf({ all }: RenderedOverlay): Party[] {
  return [...all("Deployment"), ...all("StatefulSet")].map((each) => ({
    name: nameOf(each),
    namespace: each.metadata?.namespace ?? "",
    labels: each.spec?.template.metadata?.labels ?? {},
  }));
}

/** An instance as the driver makes it. */
function instance(name: string, network: boolean): Party {
  const id = "0c5b3c43-0000-4000-8000-000000000000";
  const set = {
    ...{ organisationId: id, deploymentId: id, versionId: id, serviceName: "s", runtime: "onnx" as const },
    ...{ modelName: "s", files: [], token: "t", replicas: 1 },
    runConfig: { concurrency: 1, timeoutSeconds: 1, memoryMb: 64, network },
  };
  const placement = {
    image: "i:1",
    filesUrl: "http://f",
    cpuRequest: "1m",
    cpuLimit: "1",
    maxPredictionBytes: 1,
    isEncrypted: false,
    verifiesFiles: false,
    progressDeadlineSeconds: 1,
  };
  return {
    name,
    namespace: "aiplatform-serving",
    labels: deploymentOf(set, placement).spec?.template.metadata?.labels ?? {},
  };
}

/** All parties that may call or be called: ours, what is around them as its charts label it, and strangers. */
function parties(rendered: RenderedOverlay): Party[] {
  const chart = (name: string) => ({ "app.kubernetes.io/name": name });
  const ours = podsOf(rendered);
  const has = (name: string) => ours.some((each) => each.name === name);
  return [
    ...ours,
    ...(has("mongodb") ? [] : [{ name: "mongodb", namespace: "mongodb", labels: chart("percona-server-mongodb") }]),
    ...(has("nats") ? [] : [{ name: "nats", namespace: "nats", labels: chart("nats") }]),
    instance("serving", false),
    instance("serving with a network", true),
    { name: "prometheus", namespace: "monitoring", labels: chart("prometheus") },
    { name: "collector", namespace: "observability", labels: chart("opentelemetry-collector") },
    { name: "jupyterhub", namespace: "notebooks", labels: { app: "jupyterhub", component: "proxy" } },
    { name: "ingress", namespace: "ingress-nginx", labels: chart("ingress-nginx") },
    { name: "a trainer", namespace: "vision", labels: { "aiplatform/trainer": "true" } },
    { name: "dns", namespace: "kube-system", labels: { "k8s-app": "kube-dns" } },
    { name: "a stranger", namespace: "default", labels: { "app.kubernetes.io/name": "gateway" } },
    { name: "a stranger in our namespace", namespace: "aiplatform", labels: { app: "debug" } },
    { name: "a stranger among instances", namespace: "aiplatform-serving", labels: { app: "debug" } },
    { name: "the public", address: "203.0.113.7" },
    { name: "a private machine", address: "10.1.2.3" },
    { name: "the node's metadata", address: "169.254.169.254" },
  ];
}

/** Everything that policies let through, but what concerns none of ours. */
function reachable(rendered: RenderedOverlay, policies = rendered.all("NetworkPolicy")): Arrows {
  const all = parties(rendered);
  const isOurs = ({ namespace = "" }: Party) => namespace.startsWith("aiplatform");
  const pairs = all.flatMap((from) =>
    all.filter((to) => to !== from && (isOurs(from) || isOurs(to))).map((to) => ({ from, to, ports })),
  );
  return new Set(
    pairs.flatMap((pair) => portsBetween(policies, pair).map((port) => arrow(pair.from.name, pair.to.name, port))),
  );
}

describe.each(overlays)("overlay $overlay, the network policies", (rendered) => {
  it("let through every arrow that the services' settings draw, and nothing else", async () => {
    const drawn = await Promise.all(serviceNames.map((service) => arrowsOf(rendered, service)));
    const wanted = new Set([...drawn.flat(), ...(await otherArrows(rendered))]);
    expect([...reachable(rendered)].toSorted()).toEqual([...wanted].toSorted());
  });

  it("deny everything first, both ways, in both namespaces", () => {
    const denials = rendered.all("NetworkPolicy").filter((each) => nameOf(each) === "default-deny");
    expect(denials.map(({ metadata, spec }) => [metadata?.namespace, spec])).toEqual([
      ["aiplatform-serving", { podSelector: {}, policyTypes: ["Ingress", "Egress"] }],
      ["aiplatform", { podSelector: {}, policyTypes: ["Ingress", "Egress"] }],
    ]);
  });

  it.each(
    rendered.all("NetworkPolicy").map((policy) => [`${policy.metadata?.namespace}/${nameOf(policy)}`, policy] as const),
  )("would be others without %s", (_, policy) => {
    const others = rendered.all("NetworkPolicy").filter((each) => each !== policy);
    expect(reachable(rendered, others)).not.toEqual(reachable(rendered));
  });
});

describe("a setting that names an address", () => {
  it.each(serviceNames)("of %s leads to a party that the policies know", (service) => {
    const declared = Object.entries(declarations[service].settings).filter(
      ([name, { kind }]) => isAddress(name) || kind === "URL",
    );
    const mesh = /^(IDENTITY|TRAINING|CONTENT|DEPLOYMENTS|DATA)_(ADDRESS|HTTP_URL)$/;
    const unknown = declared
      .map(([name]) => name)
      .filter((name) => !(name in outside) && !ownAddresses.has(name) && !mesh.test(name));
    expect(unknown).toEqual([]);
  });
});
