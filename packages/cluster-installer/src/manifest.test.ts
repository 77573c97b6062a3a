import { describe, expect, it } from "vitest";
import { isDataStore, type Manifest, neededKeys, publicCertificates, referenceOf, rollsOut } from "./manifest.ts";

const object = (kind: string, spec: Manifest["spec"] = {}): Manifest => ({
  apiVersion: "v1",
  kind,
  metadata: { name: "a" },
  spec,
});

describe("keys that pods need", () => {
  it("are those of the variables that name a file of the mounted Secret, or refer to a key of one, each once", () => {
    const env = [
      { name: "MONGODB_URI_FILE", value: "/run/secrets/aiplatform/mongodb-uri" },
      { name: "SERVICE_KEYS_FILE", value: "/run/secrets/service-keys/service-keys" },
      { name: "TLS_KEY_FILE", value: "/run/secrets/tls/tls.key" },
      { name: "LOG_LEVEL", value: "info" },
      { name: "OTHER" },
      { name: "IDENTITY_NKEY", valueFrom: { secretKeyRef: { name: "aiplatform-b", key: "identity-public-nkey" } } },
    ];
    const volumes = [
      { name: "tmp" },
      { name: "secrets", secret: { secretName: "aiplatform-a" } },
      { name: "service-keys", secret: { secretName: "aiplatform-service-keys" } },
    ];
    const deployment = object("Deployment", {
      template: { spec: { containers: [{ name: "a", image: "i", env }], volumes } },
    });
    expect(neededKeys([deployment, object("Service"), deployment])).toEqual([
      { secret: "aiplatform-a", key: "mongodb-uri" },
      { secret: "aiplatform-service-keys", key: "service-keys" },
      { secret: "aiplatform-b", key: "identity-public-nkey" },
    ]);
  });
});

describe("certificates that browsers see", () => {
  it("are named by Ingress and Gateway, each once", () => {
    const ingress = object("Ingress", { tls: [{ secretName: "public" }, {}] });
    const gateway = object("Gateway", {
      listeners: [{ tls: { certificateRefs: [{ name: "public" }, { name: "more" }] } }, {}],
    });
    expect(publicCertificates([ingress, gateway, object("Service")])).toEqual(["public", "more"]);
  });
});

describe("what is waited for", () => {
  it.each([
    ["Deployment", true],
    ["StatefulSet", true],
    ["Service", false],
    ["PersistentVolumeClaim", false],
  ])("%s: %j", (kind, waited) => {
    expect(rollsOut(object(kind))).toBe(waited);
  });

  it("is named as kubectl takes it", () => {
    expect(referenceOf(object("StatefulSet"))).toBe("statefulset/a");
  });

  it("is a data store where its label says so", () => {
    const labels = { "app.kubernetes.io/component": "data-store" };
    expect([
      isDataStore(object("Service")),
      isDataStore({ ...object("Service"), metadata: { name: "a", labels } }),
    ]).toEqual([false, true]);
  });
});
