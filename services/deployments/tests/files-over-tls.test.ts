import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger, WatchedCertificate } from "@aiplatform/service-host";
import { CertificateAuthority, writeCertificate } from "@aiplatform/testkit/certificate-authority";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchFiles } from "../../../packages/serving-runtime/src/container/fetch-files.ts";
import { sha256Of } from "../src/artifacts/artifact-store.ts";
import { startVersionFiles } from "../src/serving/kubernetes-driver/version-files.ts";

const bytes = Buffer.from("weights".repeat(100_000));
const file = { path: "model.onnx", sha256: sha256Of(bytes), sizeBytes: bytes.byteLength };
const logger = createLogger({ service: "deployments", level: "silent" });

const parts = new AsyncDisposableStack();
let directory: string;
let mesh: CertificateAuthority;
let port: number;

beforeAll(async () => {
  directory = parts.use(await mkdtempDisposable(join(tmpdir(), "files-over-tls-"))).path;
  mesh = await CertificateAuthority.create("mesh");
  const issued = await writeCertificate(join(directory, "mesh"), await mesh.issue(), mesh.pem);
  const files = {
    cert: { setting: "TLS_CERT_FILE", path: issued.TLS_CERT_FILE },
    key: { setting: "TLS_KEY_FILE", path: issued.TLS_KEY_FILE },
  };
  const certificate = new WatchedCertificate(files, { use: "files of versions", minVersion: "TLSv1.3", logger });
  parts.defer(() => certificate.close());
  const server = await startVersionFiles({
    artifacts: {
      sizeOf: async () => bytes.byteLength,
      read: async function* () {
        yield bytes;
      },
    },
    versions: { find: async () => ({ deploymentId: "d", token: "the token", files: [file] }) },
    ...{ logger, host: "127.0.0.1", port: 0, certificate },
  });
  port = parts.use(server).port;
});
afterAll(() => parts.disposeAsync());

/** What a pod does that believes one authority. */
async function fetchBy(ca: string, scheme = "https"): Promise<Buffer> {
  const list = { url: `${scheme}://127.0.0.1:${port}/serving-files/o/d/v/`, files: [file] };
  await fetchFiles({ list, directory, token: "the token", ca, attempts: 1 });
  return await readFile(join(directory, file.path));
}

describe("files of a version behind TLS", () => {
  it("are not fetched from a server of another authority", async () => {
    const others = await CertificateAuthority.create("others");
    const said = "model.onnx could not be fetched: the server is refused, because its certificate is of no authority";
    await expect(fetchBy(others.pem)).rejects.toThrow(said);
  });

  it("are not available without TLS", async () => {
    await expect(fetchBy(mesh.pem, "http")).rejects.toThrow("model.onnx could not be fetched");
  });

  it("are fetched by pods that believe the authority of the server", async () => {
    expect((await fetchBy(mesh.pem)).equals(bytes)).toBe(true);
  });
});
