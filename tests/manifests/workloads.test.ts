import { readFile } from "node:fs/promises";
import type { V1Container, V1PodSpec } from "@kubernetes/client-node";
import { describe, expect, it } from "vitest";
import { nameOf, type RenderedOverlay, renderOverlays, type ServiceName, serviceNames } from "./rendered-overlays.ts";
import { configOf, environmentOf } from "./service-settings.ts";

const overlays = await renderOverlays();
const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));

interface Workload {
  overlay: string;
  name: string;
  labels: Record<string, string>;
  selector: Record<string, string>;
  podLabels: Record<string, string>;
  pod: V1PodSpec;
  container: V1Container;
  isOurs: boolean;
}

function workloadsOf({ overlay, all }: RenderedOverlay): Workload[] {
  return [...all("Deployment"), ...all("StatefulSet")].map(({ metadata, spec }) => {
    const pod = spec?.template.spec;
    const container = pod?.containers[0];
    if (!pod || !container) throw new Error(`${metadata?.name} has no container`);
    return {
      overlay,
      name: metadata?.name ?? "",
      labels: metadata?.labels ?? {},
      selector: spec?.selector.matchLabels ?? {},
      podLabels: spec?.template.metadata?.labels ?? {},
      pod,
      container,
      isOurs: container.image?.includes("aiplatform/") ?? false,
    };
  });
}

const megabytes = (quantity = "") => {
  const [, amount = "", unit = ""] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  return Number(amount) * (unit === "Gi" ? 1024 : 1);
};
const preStopSeconds = ({ lifecycle }: V1Container) => lifecycle?.preStop?.sleep?.seconds ?? 0;
const labelKeys = ["name", "part-of", "component"].map((key) => `app.kubernetes.io/${key}`);
const probesOf = ({ startupProbe, readinessProbe, livenessProbe }: V1Container) => [
  startupProbe,
  readinessProbe,
  livenessProbe,
];

/** Rule → what it finds wrong with a workload. */
const rules: Readonly<Record<string, (workload: Workload) => unknown[]>> = {
  "is one container": ({ pod }) => pod.containers.slice(1),
  "has all three probes, each with time to answer": ({ container }) =>
    probesOf(container).filter((probe) => (probe?.timeoutSeconds ?? 1) < 3),
  "is restarted only when the process itself does not answer": ({ container, isOurs }) =>
    isOurs
      ? [container.startupProbe, container.livenessProbe].filter(
          (probe) => probe?.httpGet?.path !== "/livez" || probe.httpGet.port !== "admin",
        )
      : [],
  "has as much time to start as a first rollout needs": ({ container }) =>
    [container.startupProbe].filter((probe) => (probe?.periodSeconds ?? 10) * (probe?.failureThreshold ?? 3) < 90),
  "probes ports that it has": ({ container }) => {
    const ports: unknown[] = (container.ports ?? []).flatMap(({ name, containerPort }) => [name, containerPort]);
    return probesOf(container)
      .map((probe) => probe?.httpGet?.port ?? probe?.tcpSocket?.port ?? probe?.grpc?.port)
      .filter((port) => port !== undefined && !ports.includes(port));
  },
  "keeps to the restricted pod security standard, with a read-only root file system": ({ pod, container }) => {
    const wanted = {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    };
    const has: Record<string, unknown> = { ...pod.securityContext, ...container.securityContext };
    return Object.entries(wanted).filter(([key, value]) => JSON.stringify(has[key]) !== JSON.stringify(value));
  },
  "may write to a bounded /tmp": ({ pod, container, isOurs }) => {
    const unbounded = (pod.volumes ?? []).filter(({ emptyDir }) => emptyDir && !emptyDir.sizeLimit);
    const hasTemporary = container.volumeMounts?.some(({ mountPath }) => mountPath === "/tmp");
    return isOurs && !hasTemporary ? ["no /tmp", ...unbounded] : unbounded;
  },
  "asks for processor and memory, and is limited in memory alone": ({ container: { resources } }) => {
    const { requests = {}, limits = {} } = resources ?? {};
    const keys = [Object.keys(requests).toSorted().join(), Object.keys(limits).join()];
    if (keys.join(" ") !== "cpu,memory memory") return keys;
    return megabytes(limits["memory"]) >= megabytes(requests["memory"]) ? [] : [limits, requests];
  },
  "has a token of the API server only where it talks to it": ({ name, pod }) =>
    [pod.automountServiceAccountToken].filter((mounted) => mounted !== (name === "deployments")),
  "has an account of its own": ({ name, pod, isOurs }) =>
    isOurs ? [pod.serviceAccountName].filter((account) => account !== name) : [],
  "is told nothing of other Services by environment": ({ pod }) =>
    [pod.enableServiceLinks].filter((links) => links !== false),
  "is picked by labels that its pods have and that never change": ({ labels, selector, podLabels }) => [
    ...labelKeys.filter((key) => !labels[key] || labels[key] !== podLabels[key]),
    ...Object.entries(selector).filter(([key, value]) => podLabels[key] !== value),
    ...["app.kubernetes.io/name", "app.kubernetes.io/part-of"].filter((key) => !(key in selector)),
    ...Object.keys(selector).slice(2),
  ],
  "runs one certain version of its image": ({ name, container: { image = "", imagePullPolicy }, isOurs }) => {
    const isCertain = /(:[\w.-]+|@sha256:[0-9a-f]{64})$/.test(image) && !image.endsWith(":latest");
    const isRight = !isOurs || /@sha256:/.test(image) || image.endsWith(`aiplatform/${name}:${version}`);
    return isCertain && isRight && imagePullPolicy === "IfNotPresent" ? [] : [image, imagePullPolicy];
  },
  "says why it ended": ({ container, isOurs }) =>
    [container.terminationMessagePolicy].filter((policy) => isOurs && policy !== "FallbackToLogsOnError"),
};

const workloads = overlays.flatMap(workloadsOf);
const cases = workloads.flatMap((workload) =>
  Object.entries(rules).map(([says, wrong]): [string, string, string, () => unknown[]] => [
    workload.overlay,
    workload.name,
    says,
    () => wrong(workload),
  ]),
);

describe("what runs", () => {
  it.each(cases)("overlay %s, %s: %s", (_overlay, _name, _says, wrong) => {
    expect(wrong()).toEqual([]);
  });

  it("is the six services in each overlay, and data stores only in the laptop's", () => {
    const names = overlays.map(({ overlay }) => [
      overlay,
      workloads
        .filter((each) => each.overlay === overlay)
        .map(({ name }) => name)
        .toSorted(),
    ]);
    const services = serviceNames.toSorted();
    expect(Object.fromEntries(names)).toEqual({
      laptop: [...services, "mongodb", "nats"].toSorted(),
      production: services,
    });
  });
});

describe.each(overlays)("overlay $overlay, a pod that is to go", (rendered) => {
  const ours = workloadsOf(rendered).filter(({ isOurs }) => isOurs);

  it.each(serviceNames)("of %s has time for routing to notice, for its calls, and for its stores", async (service) => {
    const workload = ours.find(({ name }) => name === service);
    const { SHUTDOWN_DELAY_MS: delay = 0, SHUTDOWN_GRACE_MS: grace = 0 } = await configOf(rendered, service);
    const preStop = workload ? preStopSeconds(workload.container) : 0;
    expect(preStop).toBeGreaterThanOrEqual(5);
    const needed = preStop + (Number(delay) + Number(grace)) / 1000;
    expect(workload?.pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(needed + 15);
  });
});

describe.each(overlays)("overlay $overlay, a Service", (rendered) => {
  it.each(rendered.all("Service").map((service) => [nameOf(service), service] as const))(
    "%s leads to ports that its pods have, and says what is spoken there",
    (_, { metadata, spec }) => {
      const target = workloadsOf(rendered).find(({ name }) => name === metadata?.name?.replace(/-headless$/, ""));
      const isEncrypted = target?.name !== "gateway" && hasCertificate(target);
      const plain = { grpc: "kubernetes.io/h2c", http: "http", admin: "http", files: "http" };
      const spoken: Record<string, string> = isEncrypted
        ? { ...plain, grpc: "https", http: "https", files: "https" }
        : plain;
      expect(target?.podLabels).toMatchObject(spec?.selector ?? {});
      for (const { name = "", port, targetPort, appProtocol } of spec?.ports ?? []) {
        expect([targetPort, appProtocol]).toEqual([name, spoken[name] ?? "tcp"]);
        expect(target?.container.ports).toContainEqual({ name, containerPort: port });
      }
    },
  );
});

describe.each(overlays)("overlay $overlay, a service", (rendered) => {
  const ours = workloadsOf(rendered).filter(({ isOurs }) => isOurs);

  it.each(ours)("$name finds its files in Secrets of its own", ({ name, pod, container }) => {
    const mounts = container.volumeMounts ?? [];
    const files = Object.values(environmentOf(rendered, name as ServiceName)).filter((value) =>
      value.startsWith("/run/secrets/"),
    );
    const secrets = files.map((file) => {
      const mount = mounts.find(({ mountPath, readOnly }) => readOnly && file.startsWith(`${mountPath}/`));
      return pod.volumes?.find((volume) => volume.name === mount?.name)?.secret?.secretName;
    });
    // Public keys and authorities are no secrets; data-stores.test.ts and serving-tls.test.ts see what is mounted of those two Secrets.
    const shared = ["data-stores-tls", "aiplatform-service-keys", "serving-instance-tls"];
    const own = [`aiplatform-${name}`, `${name}-tls`, ...shared];
    expect(secrets.filter((secret) => !own.includes(secret ?? ""))).toEqual([]);
  });

  it.each(ours)("$name is asked for its readiness where calls come in, unless that takes a certificate", (workload) => {
    const probe = workload.container.readinessProbe;
    const isByGrpc = workload.name !== "gateway" && !hasCertificate(workload);
    expect([probe?.grpc, probe?.httpGet]).toEqual(
      isByGrpc ? [{ port: 50_051 }, undefined] : [undefined, { path: "/readyz", port: "admin" }],
    );
  });

  it("that has a certificate has one for every name by which it is called", () => {
    const certified = ours.filter(hasCertificate).map(({ name }) => {
      const certificate = rendered.manifests.find(
        ({ kind, metadata }) => kind === "Certificate" && metadata.name === name,
      );
      const names = ["", ".aiplatform", ".aiplatform.svc", ".aiplatform.svc.cluster.local"].map((end) => name + end);
      const dnsNames = name === "gateway" ? names : [...names, `${name}-headless`];
      expect(certificate?.spec).toMatchObject({ secretName: `${name}-tls`, dnsNames });
      return name;
    });
    expect(certified.toSorted()).toEqual(rendered.overlay === "production" ? serviceNames.toSorted() : []);
  });
});

/** Whether it speaks TLS with the other services. */
function hasCertificate(workload: Workload | undefined): boolean {
  return workload?.pod.volumes?.some(({ secret }) => secret?.secretName === `${workload.name}-tls`) ?? false;
}

describe("everything", () => {
  const objects = overlays.flatMap(({ overlay, manifests }) => manifests.map((manifest) => ({ overlay, manifest })));

  it("holds no Secret", () => {
    expect(objects.filter(({ manifest }) => manifest.kind === "Secret")).toEqual([]);
  });

  it("says which namespace it is of, and whose it is", () => {
    const isLost = ({ kind, metadata }: (typeof objects)[number]["manifest"]) =>
      (kind !== "Namespace" && !/^aiplatform(-serving)?$/.test(metadata.namespace ?? "")) ||
      metadata.labels?.["app.kubernetes.io/part-of"] !== "aiplatform";
    expect(objects.filter(({ manifest }) => isLost(manifest)).map(({ manifest }) => manifest.metadata)).toEqual([]);
  });

  it("is in namespaces that enforce the restricted pod security standard", () => {
    const levels = overlays.flatMap(({ all }) =>
      all("Namespace").map(({ metadata }) => metadata?.labels?.["pod-security.kubernetes.io/enforce"]),
    );
    expect(levels).toEqual(["restricted", "restricted", "restricted", "restricted"]);
  });
});
