import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Health } from "@aiplatform/contract/grpc/health/v1/health";
import {
  createMeshTransport,
  hostSettings,
  type MeshCertificateFiles,
  MeshIdentity,
  type MeshTransport,
  readSettings,
  startService,
} from "@aiplatform/service-host";
import { CertificateAuthority, writeCertificate } from "@aiplatform/testkit/certificate-authority";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

let directory: string;
let ours: CertificateAuthority;
let theirs: CertificateAuthority;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "certificates-"));
  ours = await CertificateAuthority.create("ours");
  theirs = await CertificateAuthority.create("theirs");
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

const written = async (name: string) => writeCertificate(join(directory, name), await ours.issue(), ours.pem);

describe("a service does not start", () => {
  type Spoil = (files: MeshCertificateFiles) => Promise<Partial<MeshCertificateFiles>>;
  const without =
    (...names: (keyof MeshCertificateFiles)[]): Spoil =>
    async (files) =>
      Object.fromEntries(Object.entries(files).filter(([name]) => !names.some((each) => each === name)));
  const replaced =
    (name: keyof MeshCertificateFiles, text: () => Promise<string>): Spoil =>
    async (files) => {
      await writeFile(files[name], await text());
      return files;
    };
  const cases: [string, Spoil, RegExp][] = [
    [
      "with a certificate but no key",
      without("TLS_KEY_FILE"),
      /TLS_KEY_FILE is not set, but TLS_CERT_FILE and TLS_CA_FILE/,
    ],
    ["with a key alone", without("TLS_CERT_FILE", "TLS_CA_FILE"), /TLS_CERT_FILE is not set.*TLS_CA_FILE is not set/s],
    [
      "with a file that is not there",
      async (files) => ({ ...files, TLS_CA_FILE: "/nowhere/ca.crt" }),
      /TLS_CA_FILE names \/nowhere\/ca\.crt, which cannot be read \(ENOENT\): put the file there/,
    ],
    [
      "with text for a certificate",
      replaced("TLS_CERT_FILE", async () => "hello"),
      /TLS_CERT_FILE names .* must hold, in PEM/,
    ],
    [
      "with a broken certificate",
      replaced("TLS_CA_FILE", async () => "-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----\n"),
      /TLS_CA_FILE names .* must hold, in PEM, the certificates of the authorities/,
    ],
    [
      "with a certificate for a key",
      replaced("TLS_KEY_FILE", async () => ours.pem),
      /TLS_KEY_FILE names .* private key in PEM/,
    ],
    [
      "with the key of another certificate",
      replaced("TLS_KEY_FILE", async () => (await ours.issue()).key),
      /TLS_KEY_FILE \(.*\) is not the key of the certificate in TLS_CERT_FILE/,
    ],
    [
      "with a certificate of another authority",
      replaced("TLS_CA_FILE", async () => theirs.pem),
      /was not issued by an authority in TLS_CA_FILE .*: peers would refuse it/,
    ],
  ];

  it.each(cases)("%s, and says which setting and what to do", async (name, spoil, message) => {
    const files = await spoil(await written(name.replaceAll(" ", "-")));
    expect(() => MeshIdentity.open(files)).toThrow(
      expect.objectContaining({ name: "SettingsError", message: expect.stringMatching(message) }),
    );
  });
});

describe("files that are replaced", () => {
  it("are taken when they fit together; until then the certificate before them is kept, and said once", async () => {
    const files = await written("replaced");
    const said: string[] = [];
    const says = (_facts: unknown, line?: string) => void said.push(line ?? "");
    const identity = MeshIdentity.open(files, { info: says, warn: says, error: says });
    if (!identity) throw new Error("there are files, but no identity");
    const first = identity.options;
    const next = await ours.issue();
    await writeFile(files.TLS_CERT_FILE, next.cert);
    identity.refresh();
    identity.refresh();
    expect(identity.options).toEqual(first);
    await writeFile(files.TLS_KEY_FILE, next.key);
    identity.refresh();
    expect(String(identity.options.cert)).toBe(next.cert);
    expect(said).toEqual([
      "calls between services use TLS",
      "the new TLS certificate cannot be used; the one before it is kept",
      "calls between services use a new TLS certificate",
    ]);
    identity.close();
  });
});

/** A service that has certificates, and answers no more than its health. */
function startWithCertificate(files: MeshCertificateFiles) {
  const settings = { HOST: "127.0.0.1", GRPC_PORT: "0", HTTP_PORT: "0", ADMIN_PORT: "0", LOG_LEVEL: "silent" };
  return startService({
    name: "certified",
    config: readSettings(hostSettings, { ...settings, ...files }),
    services: [],
    errors: new Map(),
    callers: { verifier: { verify: () => Promise.reject(new ConnectError("no caller", Code.Unauthenticated)) } },
    start: async () => ({ checks: {}, close: [], routes: () => {} }),
  });
}

describe("unary calls between services with certificates", () => {
  it("go over HTTP/1.1 with TLS, and go on when the certificates are renewed", async () => {
    await using service = await startWithCertificate(await written("serving"));
    const files = await written("calling");
    const tls = MeshIdentity.open(files);
    const addresses = service.addresses.grpc.replace("127.0.0.1", "localhost");
    const open = () => createMeshTransport({ addresses, channels: 1, tls });
    const transports = [open()];
    const isOverHttp = async (transport: MeshTransport) => {
      let header = new Headers();
      await createClient(Health, transport).check({}, { onHeader: (answered) => (header = answered) });
      // Told over gRPC alone.
      return !header.has("alt-svc");
    };
    for (const renewed of [false, true]) {
      if (renewed) {
        const { cert, key } = await ours.issue();
        await Promise.all([writeFile(files.TLS_CERT_FILE, cert), writeFile(files.TLS_KEY_FILE, key)]);
        tls?.refresh();
        expect(String(tls?.options.cert)).toBe(cert);
        transports.push(open());
      }
      for (const transport of transports) {
        await vi.waitFor(async () => expect(await isOverHttp(transport)).toBe(true), { timeout: 10_000 });
      }
    }
    for (const transport of transports) transport.close();
    tls?.close();
  });
});

describe("a service whose certificate names another host", () => {
  it("is not believed by those who call it", async () => {
    const issue = await ours.issue({ hosts: ["elsewhere"] });
    const files = await writeCertificate(join(directory, "elsewhere"), issue, ours.pem);
    expect(await readFile(files.TLS_CERT_FILE, "utf8")).toBe(issue.cert);
    await using service = await startWithCertificate(files);
    const tls = MeshIdentity.open(await written("caller"));
    const ask = async (host: string) => {
      const addresses = service.addresses.grpc.replace("127.0.0.1", host);
      const transport = createMeshTransport({ addresses, channels: 1, tls, defaultTimeoutMs: 10_000 });
      try {
        return await createClient(Health, transport)
          .check({})
          .then(
            () => "answered",
            (error) => ConnectError.from(error).code,
          );
      } finally {
        transport.close();
      }
    };
    expect(await ask("127.0.0.1")).toBe(Code.Unavailable);
    expect(await ask("localhost")).toBe(Code.Unavailable);
    tls?.close();
  });
});
