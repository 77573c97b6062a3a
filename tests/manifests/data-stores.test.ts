import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { secretValues } from "@aiplatform/cluster-installer";
import { natsPermissions, natsUsers } from "@aiplatform/event-stream/nats-permissions";
import type { V1Container } from "@kubernetes/client-node";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { nameOf, renderOverlays, serviceNames } from "./rendered-overlays.ts";
import { environmentOf } from "./service-settings.ts";

const overlays = await renderOverlays();
const folder = join(import.meta.dirname, "../../k8s");
const textOf = (...path: string[]) => readFile(join(folder, ...path), "utf8");
const overlay = (name: string) => {
  const found = overlays.find((each) => each.overlay === name);
  if (!found) throw new Error(`there is no overlay ${name}`);
  return found;
};
const services = ["identity", "training", "content", "deployments", "data"];

describe.each(overlays)("overlay $overlay, the services", (rendered) => {
  it.each(serviceNames)("sign in to NATS: %s", (service) => {
    expect(environmentOf(rendered, service)["NATS_NKEY_FILE"]).toBe("/run/secrets/aiplatform/nats-nkey");
  });
});

describe("the data stores of the laptop overlay", () => {
  const { all } = overlay("laptop");
  const containerOf = (name: string): V1Container | undefined =>
    all("StatefulSet").find((each) => nameOf(each) === name)?.spec?.template.spec?.containers[0];

  it.each(services)("give %s a password, which it shows", (service) => {
    expect(environmentOf(overlay("laptop"), serviceNames.find((name) => name === service) ?? "gateway")).toMatchObject({
      MONGODB_PASSWORD_FILE: "/run/secrets/aiplatform/mongodb-password",
    });
    const variable = containerOf("mongodb")?.env?.find(({ name }) => name === `${service.toUpperCase()}_PASSWORD_FILE`);
    expect(variable?.value).toBe(`/run/secrets/aiplatform/${service}-password`);
  });

  it("ask everyone for a login", () => {
    expect(containerOf("mongodb")?.args).toContain("--keyFile=/tmp/replica-set-key");
    const { data = {} } = all("ConfigMap").find((each) => nameOf(each).startsWith("nats-")) ?? {};
    expect(data["nats.conf"]).toContain('include "nats-users.conf"');
    const known = (containerOf("nats")?.env ?? []).map(({ name }) => `$${name}`);
    expect(known.toSorted()).toEqual([...(data["nats-users.conf"] ?? "").matchAll(/\$[A-Z]+_NKEY/g)].flat().toSorted());
  });

  it("get every one of their keys made up, like the services", () => {
    for (const key of ["mongodb-password", "admin-password", "replica-set-key", "nats-nkey"])
      expect(secretValues[key]?.()).toMatch(/^[\w+/=-]{32,}$/);
  });
});

describe("the data stores of the production overlay", () => {
  const rendered = overlay("production");
  const authority = "/run/secrets/data-stores/ca.crt";

  it.each(serviceNames)("are believed by %s only with a certificate of their authority", (service) => {
    expect(environmentOf(rendered, service)["NATS_CA_FILE"]).toBe(authority);
    const pod = rendered.all("Deployment").find((each) => nameOf(each) === service)?.spec?.template.spec;
    const mounts = pod?.containers[0]?.volumeMounts?.filter(({ mountPath }) => authority.startsWith(`${mountPath}/`));
    expect(mounts).toEqual([{ name: "data-stores", mountPath: "/run/secrets/data-stores", readOnly: true }]);
    const secret = pod?.volumes?.find(({ name }) => name === "data-stores")?.secret;
    expect(secret).toMatchObject({ secretName: "data-stores-tls", items: [{ key: "ca.crt", path: "ca.crt" }] });
  });

  it("have certificates of one issuer, and take no connection without TLS", async () => {
    const documents = parseAllDocuments(await textOf("data-stores", "authority.yaml")).map((each) => each.toJS());
    const issuer = documents.find(({ kind }) => kind === "ClusterIssuer");
    const named = { name: issuer.metadata.name, kind: "ClusterIssuer" };
    const certificate = documents.find(({ metadata }) => metadata.name === "nats" && metadata.namespace === "nats");
    expect(certificate.spec.issuerRef).toEqual(named);
    const ours = rendered.manifests.find(
      ({ kind, metadata }) => kind === "Certificate" && metadata.name === "data-stores",
    );
    expect(ours?.spec).toMatchObject({ issuerRef: named, secretName: "data-stores-tls" });
    expect(parse(await textOf("data-stores", "mongodb.yaml")).spec.tls).toMatchObject({
      mode: "requireTLS",
      issuerConf: named,
    });
    const values = parse(await textOf("data-stores", "nats.values.yaml"));
    const tls = { enabled: true, secretName: certificate.spec.secretName };
    expect(values).toMatchObject({ tlsCA: tls, config: { nats: { tls }, cluster: { tls } } });
    const { hostname } = new URL(environmentOf(rendered, "gateway")["NATS_URL"] ?? "");
    expect(certificate.spec.dnsNames).toContain(hostname);
  });

  it("are never named in the manual without TLS", async () => {
    const manual = await textOf("README.md");
    expect(manual).not.toContain("ssl=false");
    expect(manual).toContain(`tls=true&tlsCAFile=${authority}`);
  });

  it("know the users of NATS by variables that they have, with what each may do", async () => {
    const values = parse(await textOf("data-stores", "nats-users.values.yaml"));
    const users = values.config.merge.authorization.users;
    expect(users.map(({ nkey }: { nkey: string }) => nkey)).toEqual(
      Object.keys(values.container.env).map((name) => `<< $${name} >>`),
    );
    const allowed = users.map(
      (user: { permissions: { publish: { allow: string[] } } }) => user.permissions.publish.allow,
    );
    expect(allowed).toEqual(natsUsers.map((user) => natsPermissions(user).publish));
  });
});
