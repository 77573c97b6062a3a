import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger, WatchedCertificate } from "@aiplatform/service-host";
import { eventually } from "@aiplatform/testkit";
import { CertificateAuthority, writeCertificate } from "@aiplatform/testkit/certificate-authority";
import type { V1Secret } from "@kubernetes/client-node";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openServingTls, type ServingTls } from "../serving-tls.ts";
import { SharedSecret } from "./shared-secret.ts";

const logger = createLogger({ service: "deployments", level: "silent" });
const cleanUp = new AsyncDisposableStack();
let directory: string;
let instances: CertificateAuthority;
let mesh: CertificateAuthority;
let tls: ServingTls;
let certificate: WatchedCertificate;
/** What reached the cluster; it refuses while there is a reason. */
let applied: V1Secret[];
let refusal: Error | undefined;

const cluster = {
  async applySecret(secret: V1Secret) {
    if (refusal) throw refusal;
    applied.push(secret);
  },
};

/** Issues the certificate of instances; answers it. */
async function issue(): Promise<string> {
  const issued = await instances.issue({ hosts: ["serving-instance"] });
  await writeCertificate(join(directory, "instances"), issued, instances.pem);
  return issued.cert;
}

const textsOf = ({ data = {} }: V1Secret) =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, Buffer.from(value, "base64").toString()]));

beforeAll(async () => {
  directory = cleanUp.use(await mkdtempDisposable(join(tmpdir(), "shared-secret-"))).path;
  [instances, mesh] = await Promise.all([
    CertificateAuthority.create("instances"),
    CertificateAuthority.create("mesh"),
  ]);
  const files = await writeCertificate(join(directory, "mesh"), await mesh.issue(), mesh.pem);
  certificate = new WatchedCertificate(
    {
      cert: { setting: "TLS_CERT_FILE", path: files.TLS_CERT_FILE },
      key: { setting: "TLS_KEY_FILE", path: files.TLS_KEY_FILE },
      ca: { setting: "TLS_CA_FILE", path: files.TLS_CA_FILE },
    },
    { use: "files", minVersion: "TLSv1.3", logger },
  );
});
beforeEach(async () => {
  [applied, refusal] = [[], undefined];
  await issue();
  const at = (name: string) => join(directory, "instances", name);
  const opened = openServingTls(
    {
      SERVING_TLS_CERT_FILE: at("tls.crt"),
      SERVING_TLS_KEY_FILE: at("tls.key"),
      SERVING_TLS_CA_FILE: at("ca.crt"),
      SERVING_TLS_SERVER_NAME: "serving-instance",
    },
    logger,
  );
  if (!opened) throw new Error("there are files, but no TLS");
  tls = opened;
});
afterAll(() => cleanUp.disposeAsync());

describe("the Secret that all pods share", () => {
  it("has the certificate of instances, and of the mesh the authority alone", async () => {
    using secret = new SharedSecret({ cluster, logger, tls, certificate });
    await secret.ensure();
    expect(applied.map(({ metadata }) => metadata?.name)).toEqual(["serving-tls"]);
    const { cert, key } = tls.certificate.options;
    expect(applied.map(textsOf)).toEqual([
      { "tls.crt": String(cert), "tls.key": String(key), "files-ca.crt": mesh.pem },
    ]);
  });

  it("is made once, and again when the certificate is replaced", async () => {
    using secret = new SharedSecret({ cluster, logger, tls });
    await secret.ensure();
    await secret.ensure();
    expect(applied).toHaveLength(1);
    const renewed = await issue();
    tls.certificate.refresh();
    await eventually(() => applied.length === 2, "the Secret to be made again");
    expect(applied.map(textsOf)[1]).toMatchObject({ "tls.crt": renewed });
  });

  it("that the cluster refuses is tried again with the next version", async () => {
    using secret = new SharedSecret({ cluster, logger, tls });
    refusal = new Error("no");
    await expect(secret.ensure()).rejects.toThrow("no");
    refusal = undefined;
    await secret.ensure();
    expect(applied).toHaveLength(1);
  });

  it("is none where nothing is shared", async () => {
    using secret = new SharedSecret({ cluster, logger });
    await secret.ensure();
    expect(applied).toEqual([]);
  });
});
