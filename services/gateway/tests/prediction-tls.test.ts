import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { CertificateAuthority, writeCertificate } from "@aiplatform/testkit/certificate-authority";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type RuntimeProcess, startHandler } from "../../../packages/serving-runtime/tests/runtime-process.ts";
import { openInstanceTrust } from "../src/predictions/instance-trust.ts";
import { type PredictionRig, startPredictionRig, target } from "./prediction-proxy-rig.ts";

/** The name that all instances have, whatever their address. */
const serverName = "serving-instance";
const infer = "/v2/models/digits/infer";
const predicting = (length = 1) => ({
  method: "POST",
  headers: { authorization: "Bearer good", "content-type": "application/json" },
  body: JSON.stringify({ input: "x".repeat(length) }),
});

const parts = new AsyncDisposableStack();
let home: string;
let ours: CertificateAuthority;
let theirs: CertificateAuthority;
/** One instance with a certificate of our authority, and one without any. */
let secure: RuntimeProcess;
let plain: RuntimeProcess;
let rigs = new AsyncDisposableStack();

beforeAll(async () => {
  ours = await CertificateAuthority.create("ours");
  theirs = await CertificateAuthority.create("theirs");
  // For the rig of the instance, which asks by its address; the gateway believes its own file alone.
  setDefaultCACertificates([...getCACertificates("default"), ours.pem]);
  home = parts.use(await mkdtempDisposable(join(tmpdir(), "prediction-tls-"))).path;
  const certificateDirectory = join(home, "certificate");
  const issued = await ours.issue({ hosts: [serverName, "127.0.0.1"] });
  await writeCertificate(certificateDirectory, issued, ours.pem);
  const handler = "export default (input) => input.length;";
  secure = parts.use(await startHandler(handler, { certificateDirectory }));
  plain = parts.use(await startHandler(handler));
});
afterEach(async () => {
  await rigs.disposeAsync();
  rigs = new AsyncDisposableStack();
});
afterAll(() => parts.disposeAsync());

interface GatewayOptions {
  /** What deployments says that the instance is called. */
  readonly name?: string;
  /** What is in SERVING_CA_FILE; undefined: there is none. */
  readonly authorities: string | undefined;
  readonly SERVING_TLS?: string;
}

const caFile = () => join(home, "gateway-ca.crt");

async function gateway(url: string, { name = serverName, authorities, ...o }: GatewayOptions): Promise<PredictionRig> {
  if (authorities !== undefined) await writeFile(caFile(), authorities);
  const SERVING_CA_FILE = authorities === undefined ? undefined : caFile();
  const trust = openInstanceTrust({ SERVING_TLS: "required", ...o, SERVING_CA_FILE });
  return rigs.use(await startPredictionRig([target(url, { serverName: name })], trust));
}

describe("a prediction for an instance with a certificate of the authority", () => {
  it.each([1, 500_000])("is answered over TLS, with %i bytes", async (length) => {
    const rig = await gateway(secure.url, { authorities: ours.pem });
    const answer = await rig.ask(infer, predicting(length));
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ output: length })]);
  });

  it("needs no restart of the gateway when the file of authorities is replaced", async () => {
    const rig = await gateway(secure.url, { authorities: theirs.pem });
    expect((await rig.ask(infer, predicting())).status).toBe(502);
    await writeFile(caFile(), `${theirs.pem}\n${ours.pem}`);
    expect((await rig.ask(infer, predicting())).status).toBe(200);
  });
});

describe("a prediction is not sent, and the operator is told why, where the instance", () => {
  async function refused(rig: PredictionRig): Promise<string[]> {
    const answer = await rig.ask(infer, predicting());
    expect([answer.status, await answer.json()]).toEqual([
      502,
      expect.objectContaining({ code: "instance_untrusted" }),
    ]);
    expect(rig.taken()).toBe(0);
    return rig.untrusted.map(({ reason }) => reason);
  }

  it("has a certificate of another authority", async () => {
    const rig = await gateway(secure.url, { authorities: theirs.pem });
    expect(await refused(rig)).toEqual(["its certificate is of no authority that is believed here"]);
  });

  it("has a certificate of another name", async () => {
    const rig = await gateway(secure.url, { authorities: ours.pem, name: "another-instance" });
    expect(await refused(rig)).toEqual(["its certificate names another server"]);
  });

  it("is reached without TLS", async () => {
    const rig = await gateway(plain.url, { authorities: ours.pem });
    const { last_used_at: before } = await plain.state();
    expect(await refused(rig)).toEqual(["it is reached without TLS, and SERVING_TLS is required"]);
    expect((await plain.state()).last_used_at).toBe(before);
  });

  it("is said to have TLS and has none", async () => {
    const rig = await gateway(plain.url.replace("http:", "https:"), { authorities: ours.pem });
    expect(await refused(rig)).toEqual(["it does not speak TLS"]);
  });

  it("has a certificate, and the gateway knows no authority", async () => {
    const rig = await gateway(secure.url, { authorities: undefined });
    expect(await refused(rig)).toEqual(["it has a certificate, and SERVING_CA_FILE names no authority"]);
  });
});

describe("while instances are replaced by ones with a certificate", () => {
  it("those without one are asked, too, where SERVING_TLS is accept-plain", async () => {
    const rig = await gateway(plain.url, { authorities: ours.pem, name: "", SERVING_TLS: "accept-plain" });
    expect((await rig.ask(infer, predicting())).status).toBe(200);
  });
});

describe("a gateway does not start", () => {
  it("with a file of authorities that is not there, or holds none", async () => {
    const openWith = (path: string) => () => openInstanceTrust({ SERVING_CA_FILE: path, SERVING_TLS: "required" });
    expect(openWith("/nowhere")).toThrow(/SERVING_CA_FILE names \/nowhere, which cannot be read \(ENOENT\)/);
    await writeFile(join(home, "none.crt"), "none");
    expect(openWith(join(home, "none.crt"))).toThrow(/SERVING_CA_FILE names .* must hold, in PEM/);
  });
});
