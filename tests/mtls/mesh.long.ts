// The whole mesh, each service a process of its own, with certificates between them.
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { type RequestOptions, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { type LocalPlatform, startPlatform, until } from "@aiplatform/local-platform";
import type { MeshCertificateFiles } from "@aiplatform/service-host";
import {
  CertificateAuthority,
  type IssuedCertificate,
  writeCertificate,
} from "@aiplatform/testkit/certificate-authority";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import * as grpc from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { command } from "../mesh/rest.ts";

const startsWithinMs = 180_000;
const services = ["identity", "training", "content", "deployments", "data", "gateway"];

let directory: string;
let authority: CertificateAuthority;
let stranger: IssuedCertificate;
let strangers: CertificateAuthority;
let files: MeshCertificateFiles;
let running: LocalPlatform;
let platform: LocalPlatform["description"];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "mtls-"));
  authority = await CertificateAuthority.create("the mesh");
  strangers = await CertificateAuthority.create("strangers");
  stranger = await strangers.issue();
  files = await writeCertificate(join(directory, "tls"), await authority.issue(), authority.pem);
  running = await startPlatform({ directory, trainer: false, separate: "services", tls: files });
  platform = running.description;
}, startsWithinMs);

afterAll(async () => {
  await running?.stop();
  await rm(directory, { recursive: true, force: true });
});

const logOf = (name: string) => readFile(join(directory, "logs", `${name}.log`), "utf8");
const readyz = async (name: string) => {
  const response = await fetch(`${running.adminUrls[name]}/readyz`);
  return { status: response.status, text: await response.text() };
};

/** Writes a certificate for all services, and waits until each of them says `seen`. */
async function renew(issue: IssuedCertificate, seen: (name: string) => Promise<boolean>): Promise<void> {
  await writeCertificate(join(directory, "tls"), issue, authority.pem);
  for (const name of services) {
    await until(async () => (await seen(name)) || undefined, {
      withinMs: 20_000,
      everyMs: 100,
      otherwise: () => new Error(`${name} has not taken the new certificate`),
    });
  }
}

describe("a mesh with certificates", () => {
  it("records a training control command", async () => {
    const answer = await command(platform, "pause", { idempotency_key: randomUUID(), checkpoint_id: null });
    expect([answer.status, answer.body.status]).toEqual([201, "pending"]);
  });

  it("passes Connect calls on", async () => {
    const transport = createConnectTransport({ baseUrl: platform.gateway, httpVersion: "1.1" });
    const headers = { authorization: `Bearer ${platform.api_key}` };
    const { run } = await createClient(RunService, transport).getRun({ runId: platform.run_id }, { headers });
    expect(run?.id).toBe(platform.run_id);
  });
});

interface Client {
  /** What it shows of itself. */
  readonly tls: () => Pick<RequestOptions, "cert" | "key" | "ca" | "maxVersion">;
  /** How the service's log says why it was refused. */
  readonly said: string;
}

const own = async (): Promise<IssuedCertificate> => ({
  cert: await readFile(files.TLS_CERT_FILE, "utf8"),
  key: await readFile(files.TLS_KEY_FILE, "utf8"),
});

describe("a client", () => {
  const clients: [string, Client][] = [
    ["without a certificate", { tls: () => ({ ca: authority.pem }), said: "the client has no certificate" }],
    [
      "with a certificate of another authority",
      {
        tls: () => ({ ca: authority.pem, ...stranger }),
        said: "the client's certificate is of no authority in TLS_CA_FILE",
      },
    ],
  ];

  describe.each(clients)("%s", (_, { tls }) => {
    it("gets no answer over HTTP", async () => {
      await expect(answerOver(running.httpUrls.training, tls())).resolves.toBe("refused");
    });

    it("gets no answer over gRPC", async () => {
      const { ca, cert, key } = tls();
      const bytes = (pem: unknown) => (pem === undefined ? null : Buffer.from(String(pem)));
      const credentials = grpc.credentials.createSsl(bytes(ca), bytes(key), bytes(cert));
      await expect(health(platform.grpc.training, credentials)).resolves.toBe(grpc.status.UNAVAILABLE);
    });
  });

  it("that speaks no TLS gets no answer on either port", async () => {
    const plain = await fetch(running.httpUrls.training.replace("https:", "http:")).then(
      () => "answered",
      () => "refused",
    );
    expect(plain).toBe("refused");
    await expect(health(platform.grpc.training, grpc.credentials.createInsecure())).resolves.toBe(
      grpc.status.UNAVAILABLE,
    );
  });

  it("that speaks TLS 1.2 gets no answer, whatever its certificate", async () => {
    const tls = { ca: authority.pem, ...(await own()) };
    await expect(answerOver(running.httpUrls.training, { ...tls, maxVersion: "TLSv1.2" })).resolves.toBe("refused");
    await expect(answerOver(running.httpUrls.training, tls)).resolves.toBe(404);
  });

  it.each([["content"], ["deployments"]])(
    "that knocks a hundred times leaves a line or two in the log of %s, with the reason",
    async (name) => {
      const { said, tls } = clients[name === "content" ? 0 : 1]?.[1] ?? { said: "", tls: () => ({}) };
      const url = name === "content" ? running.httpUrls.content : running.httpUrls.deployments;
      for (let i = 0; i < 100; i++) expect(await answerOver(url, tls())).toBe("refused");
      const lines = (await logOf(name)).split("\n").filter((line) => line.includes('"connection refused"'));
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.length).toBeLessThanOrEqual(3);
      expect(JSON.parse(lines[0] ?? "")).toMatchObject({ port: "http", reason: said });
    },
  );
});

describe("a certificate that is replaced while calls flow", () => {
  it("fails none of them, and is what new connections are shown", async () => {
    let renewed = false;
    const statuses: number[] = [];
    const caller = async () => {
      while (!renewed) statuses.push((await command(platform, "pause", { idempotency_key: randomUUID() })).status);
    };
    const issue = await authority.issue();
    const callers = Promise.all([caller(), caller()]);
    await renew(issue, async (name) => (await logOf(name)).includes("use a new TLS certificate")).finally(() => {
      renewed = true;
    });
    await callers;
    expect(statuses.length).toBeGreaterThan(20);
    expect(statuses.filter((status) => status !== 201)).toEqual([]);
    expect(await shownCertificate(running.httpUrls.training)).toBe(issue.cert.replaceAll(/\s/g, ""));
    expect(await shownCertificate(`https://${platform.grpc.training}`)).toBe(issue.cert.replaceAll(/\s/g, ""));
    // A service that starts now meets peers that have long been running; they notice within their time to reconnect.
    await running.restart("training");
    const again = async () => (await command(platform, "pause", { idempotency_key: randomUUID() })).status === 201;
    const otherwise = () => new Error("training is not called again");
    await until(async () => (await again()) || undefined, { withinMs: 20_000, everyMs: 100, otherwise });
  });
});

describe("a certificate that has expired", () => {
  it("takes its service out of use, which says which file to replace, until there is a new one", async () => {
    const expired = await authority.issue({ notAfter: new Date(Date.now() - 3_600_000) });
    await renew(expired, async (name) => (await readyz(name)).status === 503);
    const { checks } = JSON.parse((await readyz("training")).text);
    expect(checks.tls_certificate).toMatchObject({
      ok: false,
      error: expect.stringMatching(
        /^the TLS certificate expired at .*: put a valid one into .*tls\.crt; no restart is needed$/,
      ),
    });
    await renew(await authority.issue(), async (name) => (await readyz(name)).status === 200);
  });
});

/** The status of an answer, whichever it is, or that there was none. */
function answerOver(url: string, tls: RequestOptions): Promise<number | "refused" | undefined> {
  return new Promise((resolve) => {
    const call = request(url, { ...tls, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    call.on("error", () => resolve("refused"));
    call.end();
  });
}

/** How the standard health check ends. */
function health(address: string, credentials: grpc.ChannelCredentials): Promise<grpc.status> {
  const client = new grpc.Client(address, credentials);
  const empty = Buffer.alloc(0);
  return new Promise((resolve) => {
    const bytes = (buffer: Buffer) => buffer;
    const deadline = Date.now() + 3_000;
    client.makeUnaryRequest("/grpc.health.v1.Health/Check", bytes, bytes, empty, { deadline }, (error) => {
      client.close();
      resolve(error?.code ?? grpc.status.OK);
    });
  });
}

/** The certificate, in PEM without white space, that a new connection is shown. */
async function shownCertificate(url: string): Promise<string> {
  const { hostname: host, port } = new URL(url);
  const socket = connect({
    host,
    port: Number(port),
    ca: authority.pem,
    ALPNProtocols: ["h2", "http/1.1"],
    ...(await own()),
  });
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      const text = socket.getPeerX509Certificate()?.toString() ?? "";
      socket.destroy();
      resolve(text.replaceAll(/\s/g, ""));
    });
  });
}
