import { generateKeyPairSync, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diagnose, type Examination } from "@aiplatform/doctor";
import { serviceKeyFiles } from "@aiplatform/testkit";
import { afterAll, expect } from "vitest";
import { diagnostics as content } from "../../../services/content/src/diagnostics.ts";
import { diagnostics as data } from "../../../services/data/src/diagnostics.ts";
import { diagnostics as deployments } from "../../../services/deployments/src/diagnostics.ts";
import { diagnostics as gateway } from "../../../services/gateway/src/diagnostics.ts";
import { diagnostics as identity } from "../../../services/identity/src/diagnostics.ts";
import { diagnostics as training } from "../../../services/training/src/diagnostics.ts";

export type ServiceKind = "gateway" | "identity" | "training" | "content" | "deployments" | "data";

let parts = new AsyncDisposableStack();

/** To be called once by each file of tests: several may share this module. */
export function disposeAfterAll(): void {
  afterAll(async () => {
    const ended = parts;
    parts = new AsyncDisposableStack();
    artifacts = undefined;
    await ended.disposeAsync();
  });
}

/** A folder that is gone after the tests of the file. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "doctor-"));
  parts.defer(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Ends after the tests of the file. */
export function keep(dispose: () => unknown): void {
  parts.defer(async () => void (await dispose()));
}

/** Lets a server listen on any port of this machine until the tests of the file are over. Returns the port. */
export async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  keep(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** An HTTP server that answers so. Returns its URL. */
export async function answering(listener: RequestListener): Promise<string> {
  const server = createHttpServer(listener);
  keep(() => server.closeAllConnections());
  return `http://127.0.0.1:${await listening(server)}`;
}

/** A server that takes connections and never says a word. Returns its port. */
export function silent(): Promise<number> {
  const sockets = new Set<{ destroy: () => void }>();
  keep(() => {
    for (const socket of sockets) socket.destroy();
  });
  return listening(createServer((socket) => sockets.add(socket.on("error", () => {}))));
}

const secret = (mark: string) => mark.repeat(40);
/** Another one for each service: that is no mistake. */
const keyRing = (mark: string) => JSON.stringify([{ id: "own", key: Buffer.alloc(32, mark).toString("base64") }]);
const pem = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();

/** Settings with which nothing is wrong, as long as the parts of the test run are there. */
export function goodSettings(kind: ServiceKind): Record<string, string> {
  const stores = {
    ...serviceKeyFiles(kind),
    MONGODB_URI: process.env["TEST_MONGODB_URI"] ?? "",
    NATS_URL: process.env["TEST_NATS_URL"] ?? "",
    NATS_STREAM: `doctor-${randomUUID().slice(0, 8)}`,
    GRPC_PORT: "0",
    HTTP_PORT: "0",
    ADMIN_PORT: "0",
  };
  const services = ["IDENTITY", "TRAINING", "CONTENT", "DEPLOYMENTS", "DATA"];
  const own: Partial<Record<ServiceKind, Record<string, string>>> = {
    // Addresses where nothing is: who looks at them gives others.
    gateway: Object.fromEntries(
      services.flatMap((name) => [
        [`${name}_ADDRESS`, "127.0.0.1:1"],
        [`${name}_HTTP_URL`, "http://127.0.0.1:1"],
      ]),
    ),
    identity: {
      SECRETS_KEYS: keyRing("i"),
      CONTEXT_SIGNING_KEY: pem,
      API_KEY_HASH_SECRET: secret("a"),
      DELEGATION_SECRET: secret("d"),
    },
    content: { DELEGATION_SECRET: secret("d") },
    deployments: { ARTIFACTS_DIRECTORY: artifactsFolder(), SECRETS_KEYS: keyRing("e") },
    data: {
      DATA_DIRECTORY: join(folder(), "data"),
      // For machines with a small disk, and those that have no sandbox.
      ...{ DATA_CACHE_BYTES: "1048576", DATA_TEMPORARY_DISK_MB: "64", DATA_SANDBOX: "none" },
    },
  };
  return { ...stores, ...own[kind] };
}

let artifacts: string | undefined;
function artifactsFolder(): string {
  artifacts ??= join(folder(), "artifacts");
  mkdirSync(artifacts, { recursive: true });
  return artifacts;
}

/** What the named checks (default: all) find when a service is told this besides what is good. */
export async function examined(
  kind: ServiceKind,
  settings: Record<string, string>,
  { checks: only, timeoutMs = 50_000 }: { checks?: readonly string[]; timeoutMs?: number } = {},
): Promise<Examination[]> {
  const env = { ...goodSettings(kind), ...settings };
  const options = { timeoutMs, ...(only && { only }) };
  const examinations = await examine[kind](env, options);
  const isRead = examinations.every(({ check, findings }) => check !== "settings" || findings[0]?.state === "ok");
  const ran = new Set(examinations.map(({ check }) => check));
  for (const name of isRead ? (only ?? []) : []) expect(ran).toContain(name);
  return examinations;
}

type Examine = (env: Record<string, string>, options: Parameters<typeof diagnose>[2]) => Promise<Examination[]>;

const examine: Record<ServiceKind, Examine> = {
  gateway: (...args) => diagnose(gateway, ...args),
  identity: (...args) => diagnose(identity, ...args),
  training: (...args) => diagnose(training, ...args),
  content: (...args) => diagnose(content, ...args),
  deployments: (...args) => diagnose(deployments, ...args),
  data: (...args) => diagnose(data, ...args),
};

/** What is not well, each on a line: the check, what it says, and the remedy. */
export function complaints(examinations: readonly Examination[]): string[] {
  return examinations.flatMap(({ check, findings }) =>
    findings.flatMap(({ state, says, remedy }) => (state === "ok" ? [] : [`${state} ${check}: ${says} → ${remedy}`])),
  );
}
