import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Logger, WatchedCertificate } from "@aiplatform/service-host";
import type { ArtifactStore } from "../../artifacts/artifact-store.ts";
import type { VersionFile } from "../../deployment-versions/deployment-version.ts";

/** What a version is made of, and who may have it. */
export interface VersionContents {
  deploymentId: string;
  token: string;
  files: readonly VersionFile[];
}

export interface VersionFilesDependencies {
  artifacts: Pick<ArtifactStore, "read" | "sizeOf">;
  versions: { find(organisationId: string, versionId: string): Promise<VersionContents | undefined> };
  logger: Logger;
  host: string;
  /** 0 takes any free one. */
  port: number;
  /** Absent: without TLS. */
  certificate?: WatchedCertificate | undefined;
}

export interface VersionFilesServer extends AsyncDisposable {
  port: number;
}

/** Max files that are sent at the same time; further clients are asked to retry. */
const maxConcurrent = 32;
/** A connection on which nothing moves for so long is ended. */
const idleMs = 30_000;

/** For a request, which has no body. */
const timeLimits = { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 };

interface FileResponse {
  status: number;
  headers: Record<string, string | number>;
  body?: AsyncIterable<Uint8Array>;
}

/**
 * Serves `GET /serving-files/<organisation>/<deployment>/<version>/<sha256>` to bearers of the version's token: the files of
 * that version and nothing else. What is asked for wrongly is not found, whatever is wrong with it.
 */
export async function startVersionFiles(dependencies: VersionFilesDependencies): Promise<VersionFilesServer> {
  const server = createFilesServer(dependencies);
  server.timeout = idleMs;
  server.listen(dependencies.port, dependencies.host);
  await once(server, "listening");
  return { port: portOf(server), [Symbol.asyncDispose]: () => close(server) };
}

function createFilesServer(dependencies: VersionFilesDependencies): Server | TlsServer {
  const { certificate } = dependencies;
  const answer = answererOf(dependencies);
  if (!certificate) return createServer(timeLimits, answer);
  const server = createTlsServer({ ...timeLimits, ...certificate.options, handshakeTimeout: idleMs }, answer);
  certificate.onRenewal((renewed) => server.setSecureContext(renewed));
  return server;
}

function answererOf(dependencies: VersionFilesDependencies) {
  let underWay = 0;
  return async (request: IncomingMessage, response: ServerResponse) => {
    underWay++;
    try {
      const answer = underWay > maxConcurrent ? busy : await respond(request, dependencies);
      await send(response, answer);
    } catch (error) {
      dependencies.logger.warn({ err: error }, "a version's file could not be sent");
      if (response.headersSent) response.destroy();
      else response.writeHead(503, { "retry-after": "1" }).end();
    } finally {
      underWay--;
    }
  };
}

const notFound: FileResponse = { status: 404, headers: {} };
const busy: FileResponse = { status: 503, headers: { "retry-after": "1" } };
const addressPattern = /^\/serving-files\/([^/]+)\/([^/]+)\/([^/]+)\/([0-9a-f]{64})$/;

async function respond(
  request: IncomingMessage,
  { artifacts, versions }: VersionFilesDependencies,
): Promise<FileResponse> {
  if (request.method !== "GET") return { status: 405, headers: { allow: "GET" } };
  const [, organisationId, deploymentId, versionId, sha256] = addressPattern.exec(request.url ?? "") ?? [];
  if (!organisationId || !deploymentId || !versionId || !sha256) return notFound;
  const version = await versions.find(organisationId, versionId);
  if (version?.deploymentId !== deploymentId || !isBearer(request, version.token)) return notFound;
  if (!version.files.some((file) => file.sha256 === sha256)) return notFound;
  const sizeBytes = await artifacts.sizeOf(organisationId, sha256);
  if (sizeBytes === undefined) return notFound;
  const headers = { "content-type": "application/octet-stream", "content-length": sizeBytes };
  return { status: 200, headers, body: artifacts.read(organisationId, sha256) };
}

async function send(response: ServerResponse, { status, headers, body }: FileResponse): Promise<void> {
  response.writeHead(status, headers);
  if (body) await pipeline(Readable.from(body), response);
  else response.end();
}

function isBearer({ headers }: IncomingMessage, token: string): boolean {
  const [, shown = ""] = /^Bearer (.+)$/i.exec(headers.authorization ?? "") ?? [];
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(shown), digest(token));
}

function portOf(server: Server | TlsServer): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

async function close(server: Server | TlsServer): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
