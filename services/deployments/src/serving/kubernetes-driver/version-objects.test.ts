import { describe, expect, it } from "vitest";
import type { InstanceSet } from "../serving-driver.ts";
import { labelsOf, nameOf, refOf } from "./version-names.ts";
import { deploymentOf, type Placement, secretOf, serviceOf } from "./version-objects.ts";

const ref = {
  organisationId: "org-1",
  deploymentId: "deployment-1",
  versionId: "4f0c3f0e-7b1a-4a55-8d6c-0d9b5a4c1e22",
};
const megabyte = 1024 * 1024;
const set: InstanceSet = {
  ...ref,
  serviceName: "digits",
  runtime: "onnx",
  modelName: "digits",
  files: [{ path: "model.onnx", sha256: "a".repeat(64), sizeBytes: 100 * megabyte }],
  token: "a token of some length",
  replicas: 2,
  runConfig: { concurrency: 16, timeoutSeconds: 30, memoryMb: 512, network: false },
};
const placement: Placement = {
  image: "registry.example/serving-runtime:1",
  filesUrl: "http://deployments:8081/",
  cpuRequest: "100m",
  cpuLimit: "2",
  maxPredictionBytes: 1_000,
  isEncrypted: false,
  verifiesFiles: false,
  progressDeadlineSeconds: 115,
};

const deployment = deploymentOf(set, placement);
const template = deployment.spec?.template;
const [fetcher] = template?.spec?.initContainers ?? [];
const [runtime] = template?.spec?.containers ?? [];

describe("the objects of a version", () => {
  it("have one name, and labels from which the version is read", () => {
    for (const object of [deployment, serviceOf(set, placement), secretOf(set, placement)]) {
      expect(object.metadata?.name).toBe(nameOf(ref));
      expect(refOf(object)).toEqual(ref);
    }
  });

  it("select the pods of the version by what never changes", () => {
    const { matchLabels = {} } = deployment.spec?.selector ?? {};
    expect(serviceOf(set, placement).spec?.selector).toEqual(matchLabels);
    expect(template?.metadata?.labels).toMatchObject(matchLabels);
    expect(deploymentOf({ ...set, replicas: 0 }, { ...placement, image: "b:2" }).spec?.selector.matchLabels).toEqual(
      matchLabels,
    );
  });

  it.each([true, false])("say to network policies whether the handler may reach the network: %s", (network) => {
    const { template } = deploymentOf({ ...set, runConfig: { ...set.runConfig, network } }, placement).spec ?? {};
    expect(template?.metadata?.labels).toMatchObject({ "aiplatform/network": String(network) });
  });

  it.each(["", "UPPER", "a/b", "-a", "a".repeat(55)])("are not made for an id such as %j", (versionId) => {
    expect(() => nameOf({ versionId })).toThrow(TypeError);
    expect(() => labelsOf({ ...ref, organisationId: versionId })).toThrow(TypeError);
  });

  it("of others belong to no version", () => {
    expect(refOf({ metadata: { labels: { app: "x" } } })).toBeUndefined();
    expect(refOf({})).toBeUndefined();
  });
});

describe("the Deployment of a version", () => {
  it("keeps what serves until its replacement is ready, and gives up in time", () => {
    expect(deployment.spec).toMatchObject({
      replicas: 2,
      progressDeadlineSeconds: 115,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    });
  });

  it("has pods without rights", () => {
    expect(template?.spec).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: "RuntimeDefault" } },
    });
    for (const container of [fetcher, runtime]) {
      expect(container?.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    }
  });

  it("keeps memory, processor and disk for an instance, and limits each of them", () => {
    const disk = { "ephemeral-storage": "254Mi" };
    expect(runtime?.resources).toEqual({
      requests: { cpu: "100m", memory: "608Mi", ...disk },
      limits: { cpu: "2", memory: "608Mi", ...disk },
    });
    expect(fetcher?.resources?.limits).toEqual({ cpu: "2", memory: "256Mi", ...disk });
  });

  it("runs in the class that isolates it, where the operator names one", () => {
    expect(template?.spec).not.toHaveProperty("runtimeClassName");
    const { spec } = deploymentOf(set, { ...placement, runtimeClass: "gvisor" });
    expect(spec?.template.spec?.runtimeClassName).toBe("gvisor");
  });

  it("asks the protocol's own health addresses", () => {
    expect(runtime?.startupProbe?.httpGet?.path).toBe("/v2/health/live");
    expect(runtime?.readinessProbe?.httpGet?.path).toBe("/v2/health/ready");
    expect(runtime?.livenessProbe?.httpGet?.path).toBe("/v2/health/live");
  });

  it("gives predictions under way their whole time when a pod is to go", () => {
    expect(template?.spec?.terminationGracePeriodSeconds).toBeGreaterThan(set.runConfig.timeoutSeconds);
  });

  it("has room for the files, which only the fetching container may write", () => {
    const volume = template?.spec?.volumes?.find(({ name }) => name === "files");
    expect(volume?.emptyDir?.sizeLimit).toBe("126Mi");
    const mounts = [fetcher, runtime].map((container) => container?.volumeMounts?.find(({ name }) => name === "files"));
    expect(mounts.map((mount) => mount?.readOnly)).toEqual([undefined, true]);
  });

  it("stays the same for another number of instances, but for that number", () => {
    const other = deploymentOf({ ...set, replicas: 5 }, placement);
    expect({ ...other, spec: { ...other.spec, replicas: 2 } }).toEqual(deployment);
  });

  it.each<[what: string, differs: Partial<InstanceSet>]>([
    ["another token", { token: "another token of some length" }],
    ["other limits", { runConfig: { ...set.runConfig, concurrency: 1 } }],
    ["other files", { files: [] }],
    ["an interface", { interface: { input: "{}", output: "{}" } }],
  ])("has new pods for %s", (_what, differs) => {
    const other = deploymentOf({ ...set, ...differs }, placement).spec?.template.metadata?.annotations;
    expect(other).not.toEqual(template?.metadata?.annotations);
  });
});

describe("a version with TLS", () => {
  const encrypted = { ...placement, isEncrypted: true, verifiesFiles: true };
  const spec = deploymentOf(set, encrypted).spec?.template.spec;
  const [fetch] = spec?.initContainers ?? [];
  const [serve] = spec?.containers ?? [];
  const mountsOf = (container: typeof serve) => container?.volumeMounts?.map(({ name }) => name);

  it("is asked for its health over TLS, at the one port for HTTP that it has", () => {
    expect(serve?.ports?.map(({ name, containerPort }) => [name, containerPort])).toEqual([
      ["https", 8_443],
      ["grpc", 8_001],
    ]);
    for (const probe of [serve?.startupProbe, serve?.readinessProbe, serve?.livenessProbe]) {
      expect(probe?.httpGet).toMatchObject({ port: "https", scheme: "HTTPS" });
    }
  });

  it("mounts the certificate where it serves, and where it fetches the authority of the files alone", () => {
    const shared = spec?.volumes?.filter(({ secret }) => secret?.secretName === "serving-tls");
    expect(shared?.map(({ name, secret }) => [name, secret?.items?.map(({ key, path }) => [key, path])])).toEqual([
      [
        "certificate",
        [
          ["tls.crt", "tls.crt"],
          ["tls.key", "tls.key"],
        ],
      ],
      ["files-authority", [["files-ca.crt", "ca.crt"]]],
    ]);
    expect(mountsOf(serve)).toEqual(["settings", "files", "certificate", "temporary"]);
    expect(mountsOf(fetch)).toEqual(["settings", "files", "files-authority"]);
  });

  it("mounts neither without it", () => {
    expect(JSON.stringify(deployment)).not.toContain("serving-tls");
  });

  it("has the Service that it has without, so that both kinds of pods are reached while one replaces the other", () => {
    const portsOf = (from: Placement) => serviceOf(set, from).spec?.ports?.map(({ name, port }) => [name, port]);
    expect(portsOf(encrypted)).toEqual(portsOf(placement));
    expect(portsOf(encrypted)).toEqual([
      ["http", 8_000],
      ["https", 8_443],
      ["grpc", 8_001],
    ]);
  });
});

describe("the Secret of a version", () => {
  it("holds token, manifest and what to fetch", () => {
    const { data = {} } = secretOf(set, placement);
    const texts = Object.entries(data).map(([name, text]) => [name, Buffer.from(text, "base64").toString("utf8")]);
    const { token, "manifest.json": manifest = "", "files.json": files = "" } = Object.fromEntries(texts);
    expect(token).toBe(set.token);
    expect(JSON.parse(manifest)).toMatchObject({ runtime: "onnx", model_name: "digits", timeout_ms: 30_000 });
    expect(JSON.parse(files)).toEqual({
      url: `http://deployments:8081/serving-files/org-1/deployment-1/${ref.versionId}/`,
      files: set.files,
    });
  });

  it("alone has the token", () => {
    expect(JSON.stringify([deployment, serviceOf(set, placement)])).not.toContain(set.token);
    expect(JSON.stringify([deployment, serviceOf(set, placement)])).not.toContain(
      Buffer.from(set.token).toString("base64"),
    );
  });
});
