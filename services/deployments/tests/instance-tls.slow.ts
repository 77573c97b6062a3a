import { once } from "node:events";
import { mkdtempDisposable, readdir, rm } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import { createLogger } from "@aiplatform/service-host";
import { eventually } from "@aiplatform/testkit";
import {
  CertificateAuthority,
  type CertificateOptions,
  writeCertificate,
} from "@aiplatform/testkit/certificate-authority";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fetchRuntimeState } from "../src/serving/runtime-state.ts";
import type { InstanceSet } from "../src/serving/serving-driver.ts";
import { openServingTls, type ServingTls, type ServingTlsConfig } from "../src/serving/serving-tls.ts";
import { containmentHere, DriverRig, isReady } from "./driver-rig.ts";

const serverName = "serving-instance";
const handler = "export default (input) => input.n * 2;";
const logger = createLogger({ service: "deployments", level: "silent" });

let cleanUp = new AsyncDisposableStack();
let authority: CertificateAuthority;
let home: string;
let config: ServingTlsConfig;

beforeAll(async () => {
  authority = await CertificateAuthority.create("instances");
});
beforeEach(async () => {
  home = cleanUp.use(await mkdtempDisposable(join(tmpdir(), "instance-tls-"))).path;
  config = await issue();
});
afterEach(async () => {
  await cleanUp.disposeAsync();
  cleanUp = new AsyncDisposableStack();
});

/** Puts a certificate where the settings name it. */
async function issue(options: CertificateOptions = {}): Promise<ServingTlsConfig> {
  const issued = await authority.issue({ hosts: [serverName], ...options });
  const files = await writeCertificate(join(home, "given"), issued, authority.pem);
  return {
    SERVING_TLS_CERT_FILE: files.TLS_CERT_FILE,
    SERVING_TLS_KEY_FILE: files.TLS_KEY_FILE,
    SERVING_TLS_CA_FILE: files.TLS_CA_FILE,
    SERVING_TLS_SERVER_NAME: serverName,
  };
}

/** A driver whose instances have that certificate, and one of them that is ready. */
async function serve(log = logger): Promise<{ tls: ServingTls; set: InstanceSet; url: string; directory: string }> {
  const tls = openServingTls(config, log);
  if (!tls) throw new Error("there are files, but no TLS");
  const rig = cleanUp.use(await DriverRig.start(await containmentHere(), { tls }));
  const set = await rig.handler(handler);
  const { url = "" } = await rig.instance(set, isReady);
  return { tls, set, url, directory: rig.directory };
}

async function predict(url: string, { modelName, token }: InstanceSet): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const options = { method: "POST", headers, ca: authority.pem, servername: serverName };
  const asked = request(`${url}/v2/models/${modelName}/infer`, options).end(JSON.stringify({ input: { n: 21 } }));
  const [answer] = await once(asked, "response");
  return JSON.parse(await text(answer));
}

async function serialAt(url: string): Promise<string> {
  const { hostname: host, port } = new URL(url);
  const socket = connect({ host, port: Number(port), ca: authority.pem, servername: serverName });
  await once(socket, "secureConnect");
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

describe("an instance that is a process, where there is a certificate for instances", () => {
  it("is found ready over TLS, and answers predictions over TLS alone, in its sandbox too", async () => {
    const { set, url } = await serve();
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await predict(url, set)).toMatchObject({ output: 42 });
    await expect(fetch(url.replace("https:", "http:"))).rejects.toThrow();
  });

  it("shows the certificate that replaced its first, without a restart", async () => {
    const { tls, url } = await serve();
    const before = await serialAt(url);
    await issue();
    tls.certificate.refresh();
    await eventually(async () => (await serialAt(url)) !== before, "the new certificate");
  });

  it("goes on with its first where the new one cannot be written, and the log says so", async () => {
    const written: string[] = [];
    const log = createLogger({
      service: "deployments",
      level: "error",
      destination: { write: (line) => void written.push(line) },
    });
    const { tls, set, url, directory } = await serve(log);
    const [ofDriver = ""] = await readdir(directory);
    await rm(join(directory, ofDriver, "certificate"), { recursive: true });
    await issue();
    tls.certificate.refresh();
    await eventually(() =>
      written.some((line) => line.includes("the new certificate of instances could not be written")),
    );
    expect(await predict(url, set)).toMatchObject({ output: 42 });
  });

  it("is not asked for its state, and shown no token, when it does not prove that it is one", async () => {
    const { tls, set, url } = await serve();
    const others = await CertificateAuthority.create("others");
    const given = await writeCertificate(join(home, "others"), await others.issue({ hosts: [serverName] }), others.pem);
    const stranger = openServingTls(
      {
        ...config,
        SERVING_TLS_CERT_FILE: given.TLS_CERT_FILE,
        SERVING_TLS_KEY_FILE: given.TLS_KEY_FILE,
        SERVING_TLS_CA_FILE: given.TLS_CA_FILE,
      },
      logger,
    );
    const stateBy = (by: ServingTls | undefined) =>
      fetchRuntimeState({ url, token: set.token, timeoutMs: 2_000, tls: by });
    expect(await stateBy(tls)).toMatchObject({ state: "ready" });
    expect(await stateBy(stranger)).toBeUndefined();
    expect(await stateBy({ ...tls, serverName: "another" })).toBeUndefined();
    expect(await stateBy(undefined)).toBeUndefined();
  });
});

describe("settings of the certificate for instances", () => {
  it("are all set or none", () => {
    const none = { ...config, SERVING_TLS_CERT_FILE: undefined, SERVING_TLS_KEY_FILE: undefined };
    expect(openServingTls({ ...none, SERVING_TLS_CA_FILE: undefined }, logger)).toBeUndefined();
    expect(() => openServingTls(none, logger)).toThrow(
      /SERVING_TLS_CERT_FILE is not set.*SERVING_TLS_KEY_FILE is not set, but SERVING_TLS_CA_FILE: set all three/s,
    );
  });

  it("name a certificate of the name by which instances are verified, or the error says which name it lacks", async () => {
    const other = await issue({ hosts: ["another"] });
    expect(() => openServingTls(other, logger)).toThrow(
      /SERVING_TLS_CERT_FILE names .*, which is no certificate of serving-instance \(SERVING_TLS_SERVER_NAME\)/,
    );
  });
});
