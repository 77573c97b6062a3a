import { describe, expect, it } from "vitest";
import { nameOf, renderOverlays } from "./rendered-overlays.ts";
import { configOf, environmentOf } from "./service-settings.ts";

const overlays = await renderOverlays();
const production = overlays.find(({ overlay }) => overlay === "production");
if (!production) throw new Error("there is no overlay for production");

const certificateOf = (name: string) =>
  production.manifests.find(({ kind, metadata }) => kind === "Certificate" && metadata.name === name);

/** What a service's pods have of the Secret with the certificate of instances; undefined: all of it. */
function mountedBy(service: string) {
  const pod = production?.all("Deployment").find((each) => nameOf(each) === service)?.spec?.template.spec;
  const volume = pod?.volumes?.find(({ secret }) => secret?.secretName === "serving-instance-tls");
  const mount = pod?.containers[0]?.volumeMounts?.find(({ name }) => name === volume?.name);
  return { path: mount?.mountPath, readOnly: mount?.readOnly, items: volume?.secret?.items?.map(({ key }) => key) };
}

describe("in production, predictions and files of versions", () => {
  it("go over TLS alone", async () => {
    const deployments = await configOf(production, "deployments");
    expect(deployments).toMatchObject({ SERVING_FILES_TLS: true, SERVING_TLS_SERVER_NAME: "serving-instance" });
    expect(deployments["SERVING_FILES_URL"]).toMatch(/^https:/);
    expect(await configOf(production, "gateway")).toMatchObject({ SERVING_TLS: "required" });
    expect(environmentOf(production, "gateway")["SERVING_CA_FILE"]).toBe("/run/secrets/serving-instance/ca.crt");
  });

  it("come from a server whose certificate has the name in the address of the files", async () => {
    const { hostname } = new URL(environmentOf(production, "deployments")["SERVING_FILES_URL"] ?? "");
    expect(certificateOf("deployments")?.spec).toMatchObject({ dnsNames: expect.arrayContaining([hostname]) });
  });

  it("are certified by an authority that certifies nothing of the mesh, for servers alone", async () => {
    const instance = certificateOf("serving-instance");
    expect(instance?.spec).toMatchObject({
      secretName: "serving-instance-tls",
      dnsNames: ["serving-instance"],
      usages: ["digital signature", "server auth"],
      issuerRef: { kind: "Issuer", name: "serving" },
    });
    const issuer = production.manifests.find(({ kind, metadata }) => kind === "Issuer" && metadata.name === "serving");
    expect(issuer?.spec).toEqual({ ca: { secretName: "serving-authority-tls" } });
    expect(certificateOf("mesh-authority")?.spec).not.toMatchObject({ secretName: "serving-authority-tls" });
  });

  it("are verified by a gateway that has the authority, and no key", () => {
    const path = "/run/secrets/serving-instance";
    expect(mountedBy("gateway")).toEqual({ path, readOnly: true, items: ["ca.crt"] });
    expect(mountedBy("deployments")).toEqual({ path, readOnly: true, items: undefined });
  });

  it.each(["identity", "training", "content", "data"])("are no matter of %s", (service) => {
    expect(mountedBy(service).path).toBeUndefined();
  });

  it("are measured over TLS, too", () => {
    const monitor = production.manifests.find(
      ({ kind, metadata }) => kind === "PodMonitor" && metadata.name === "aiplatform-serving",
    );
    expect(monitor?.spec).toMatchObject({
      podMetricsEndpoints: [
        { port: "http" },
        { port: "https", scheme: "https", tlsConfig: { serverName: "serving-instance" } },
      ],
    });
  });
});

describe("on a laptop, predictions and files of versions", () => {
  it("need no certificates", () => {
    const laptop = overlays.find(({ overlay }) => overlay === "laptop");
    expect(laptop && Object.keys(environmentOf(laptop, "deployments")).filter((name) => /TLS/.test(name))).toEqual([]);
  });
});
