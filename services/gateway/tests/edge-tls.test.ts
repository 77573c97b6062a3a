import { once } from "node:events";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { connect as connectHttp2 } from "node:http2";
import { request as httpsRequest } from "node:https";
import { connect as connectSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { createLogger, type WatchedCertificate } from "@aiplatform/service-host";
import { eventually, listenOnLoopback } from "@aiplatform/testkit";
import { CertificateAuthority } from "@aiplatform/testkit/certificate-authority";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEdgeServer, type EdgeOptions, stopEdgeServer } from "../src/edge/server.ts";
import { openEdgeCertificate } from "../src/edge/tls.ts";

let cleanUp = new AsyncDisposableStack();
afterEach(async () => {
  await cleanUp.disposeAsync();
  cleanUp = new AsyncDisposableStack();
});

const logger = createLogger({ service: "gateway", level: "silent" });
let authority: CertificateAuthority;
let certificate: WatchedCertificate;
let files: { HTTP_TLS_CERT_FILE: string; HTTP_TLS_KEY_FILE: string };

async function issue(): Promise<void> {
  const { cert, key } = await authority.issue();
  await Promise.all([writeFile(files.HTTP_TLS_CERT_FILE, cert), writeFile(files.HTTP_TLS_KEY_FILE, key)]);
}

beforeEach(async () => {
  authority = await CertificateAuthority.create("clients");
  const directory = await mkdtempDisposable(join(tmpdir(), "edge-tls-"));
  cleanUp.use(directory);
  files = { HTTP_TLS_CERT_FILE: join(directory.path, "tls.crt"), HTTP_TLS_KEY_FILE: join(directory.path, "tls.key") };
  await issue();
  const opened = openEdgeCertificate(files, logger);
  if (!opened) throw new Error("no certificate was opened");
  certificate = cleanUp.adopt(opened, (one) => one.close());
});

async function serve(limits: EdgeOptions["limits"] = {}): Promise<number> {
  const server = createEdgeServer(
    async (request, response) => {
      const body = await text(request);
      response.end(JSON.stringify({ version: request.httpVersion, url: request.url, body }));
    },
    { certificate, limits },
  );
  cleanUp.adopt(server, (one) => stopEdgeServer(one, 0));
  return await listenOnLoopback(server);
}

async function handshake(port: number, ALPNProtocols?: string[]): Promise<TLSSocket> {
  const options = { port, host: "127.0.0.1", ca: authority.pem, ...(ALPNProtocols ? { ALPNProtocols } : {}) };
  const socket = cleanUp.adopt(connectTls(options), (one) => void one.destroy());
  socket.on("error", () => {});
  await once(socket, "secureConnect");
  return socket;
}

describe("a port with a certificate", () => {
  it.each([
    { offered: ["h2", "http/1.1"], chosen: "h2" },
    { offered: ["http/1.1"], chosen: "http/1.1" },
    { offered: undefined, chosen: false },
  ])("speaks $chosen with a client that offers $offered", async ({ offered, chosen }) => {
    const socket = await handshake(await serve(), offered);
    expect(socket.alpnProtocol).toBe(chosen);
  });

  it("answers over HTTP/2 what a client chose by ALPN", async () => {
    const port = await serve();
    const session = cleanUp.adopt(connectHttp2(`https://127.0.0.1:${port}`, { ca: authority.pem }), (one) =>
      one.destroy(),
    );
    const stream = session.request({ ":method": "POST", ":path": "/a" }).end("said");
    const [headers] = await once(stream, "response");
    expect(headers).toMatchObject({
      ":status": 200,
      "strict-transport-security": expect.stringMatching(/^max-age=\d+/),
    });
    expect(JSON.parse(await text(stream))).toMatchObject({ url: "/a", body: "said" });
  });

  it("answers over HTTP/1.1", async () => {
    const port = await serve();
    const request = httpsRequest({ port, host: "127.0.0.1", path: "/b", ca: authority.pem, agent: false }).end();
    const [response] = await once(request, "response");
    expect(JSON.parse(await text(response))).toMatchObject({ version: "1.1", url: "/b" });
  });

  it("ends a connection without TLS, and one that never ends its handshake", async () => {
    const port = await serve({ headersTimeoutMs: 300 });
    for (const said of ["GET / HTTP/1.1\r\nHost: g\r\n\r\n", ""]) {
      const socket = connectSocket(port, "127.0.0.1");
      cleanUp.defer(() => void socket.destroy());
      socket.on("error", () => {}).write(said);
      socket.resume();
      await once(socket, "close");
    }
    expect((await handshake(port)).authorized).toBe(true);
  });

  it("shows new connections the certificate that replaced the first, and keeps open ones", async () => {
    const port = await serve();
    const before = await handshake(port);
    await issue();
    await eventually(async () => {
      certificate.refresh();
      const now = await handshake(port);
      return now.getPeerCertificate().serialNumber !== before.getPeerCertificate().serialNumber;
    }, "the new certificate");
    before.write("GET /still HTTP/1.1\r\nHost: g\r\nConnection: close\r\n\r\n");
    expect(await text(before)).toContain('"url":"/still"');
  });
});

describe("settings of the certificate for clients", () => {
  it("are both set or none", () => {
    expect(openEdgeCertificate({}, logger)).toBeUndefined();
    expect(() => openEdgeCertificate({ HTTP_TLS_KEY_FILE: "k" }, logger)).toThrow(/HTTP_TLS_CERT_FILE is not set/);
    expect(() => openEdgeCertificate({ HTTP_TLS_CERT_FILE: "c" }, logger)).toThrow(/HTTP_TLS_KEY_FILE is not set/);
  });

  it("name files that exist, or the error says which setting to correct", () => {
    const missing = { ...files, HTTP_TLS_KEY_FILE: "/nowhere/tls.key" };
    expect(() => openEdgeCertificate(missing, logger)).toThrow(/HTTP_TLS_KEY_FILE names \/nowhere\/tls\.key.*ENOENT/);
  });
});
