import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, getCACertificates, setDefaultCACertificates, type TLSSocket } from "node:tls";
import { eventually } from "@aiplatform/testkit";
import { CertificateAuthority, writeCertificate } from "@aiplatform/testkit/certificate-authority";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GRPCInferenceService } from "../src/gen/inference_pb.js";
import { type RuntimeProcess, startHandler, startRuntime } from "./runtime-process.ts";

/** Answers what came of reading a file. */
const reading = `
import { readFileSync } from "node:fs";
export default ({ path }) => {
  try { return readFileSync(path, "utf8"); } catch (error) { return error.code; }
};`;

const cleanUp = new AsyncDisposableStack();
let authority: CertificateAuthority;
let certificateDirectory: string;
let runtime: RuntimeProcess;

const issue = async () => writeCertificate(certificateDirectory, await authority.issue(), authority.pem);

beforeAll(async () => {
  authority = await CertificateAuthority.create("instances");
  setDefaultCACertificates([...getCACertificates("default"), authority.pem]);
  const home = cleanUp.use(await mkdtempDisposable(join(tmpdir(), "instance-tls-")));
  certificateDirectory = join(home.path, "certificate");
  await issue();
  runtime = cleanUp.use(await startHandler(reading, { certificateDirectory }));
});

afterAll(async () => {
  setDefaultCACertificates(getCACertificates("bundled"));
  await cleanUp.disposeAsync();
});

async function handshake(o: { maxVersion?: "TLSv1.2" } = {}): Promise<TLSSocket> {
  const { hostname, port } = new URL(runtime.url);
  const socket = connect({ host: hostname, port: Number(port), ca: authority.pem, ...o });
  await once(socket, "secureConnect");
  return socket;
}

describe("an instance with a certificate", () => {
  it("answers predictions over TLS", async () => {
    const answer = await runtime.infer({ input: { path: "/nowhere" } });
    expect(answer).toMatchObject({ status: 200, body: { output: expect.any(String) } });
  });

  it("answers gRPC over TLS", async () => {
    const client = createClient(GRPCInferenceService, createGrpcTransport({ baseUrl: runtime.grpcUrl }));
    expect(await client.serverReady({})).toMatchObject({ ready: true });
  });

  it.each(["url", "grpcUrl"] as const)("has nothing to say in plain text at its %s", async (at) => {
    await expect(fetch(runtime[at].replace("https:", "http:"))).rejects.toThrow();
  });

  it("takes TLS 1.3 alone", async () => {
    await expect(handshake({ maxVersion: "TLSv1.2" })).rejects.toThrow(/protocol version/);
    const socket = await handshake();
    expect(socket.getProtocol()).toBe("TLSv1.3");
    socket.destroy();
  });

  it("keeps certificate and key from its handler", async () => {
    for (const name of ["tls.crt", "tls.key"]) {
      const { body } = await runtime.infer({ input: { path: join(certificateDirectory, name) } });
      expect(body["output"]).toBe("ERR_ACCESS_DENIED");
    }
  });

  it("shows new connections the certificate that replaced its first, without a restart", async () => {
    const serial = async () => {
      const socket = await handshake();
      const { serialNumber } = socket.getPeerCertificate();
      socket.destroy();
      return serialNumber;
    };
    const before = await serial();
    await issue();
    await eventually(async () => (await serial()) !== before, "the new certificate");
    expect(runtime.said()).toContain("predictions use a new TLS certificate");
  });
});

describe("an instance does not start", () => {
  it.each([
    ["with a certificate alone", { TLS_KEY_FILE: "" }, /Cannot start: .*TLS_KEY_FILE is not set, but TLS_CERT_FILE/],
    ["with a key that is not there", { TLS_KEY_FILE: "/nowhere" }, /Cannot start: .*TLS_KEY_FILE names \/nowhere/],
  ])("%s, and says which setting and why", async (_what, env, said) => {
    await expect(startRuntime({ files: {}, certificateDirectory, env })).rejects.toThrow(said);
  });
});
