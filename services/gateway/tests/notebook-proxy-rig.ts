import { connect, createServer as createTcpServer, type Socket } from "node:net";
import { CredentialChangedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { CallRefused } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { NotebookSessionService } from "@aiplatform/contract/aiplatform/identity/v1/notebook_sessions";
import { listenOnLoopback } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { createEdgeServer, stopEdgeServer } from "../src/edge/server.ts";
import { NotebookPasses } from "../src/notebooks/passes.ts";
import { createNotebookProxy } from "../src/notebooks/proxy.ts";
import type { NotebookTimeouts } from "../src/notebooks/response.ts";
import { createAdmissionRig, silentObservation } from "./admission-rig.ts";

/** What identity knows in these tests: the credential `good` is valid, and any other is unknown. */
export interface KnownCaller {
  permissions: string[];
  isRevoked: boolean;
}

/** The gateway's edge with the proxy in front of a hub that is a bare TCP server, so that it can do anything. */
export interface ProxyRig extends AsyncDisposable {
  port: number;
  caller: KnownCaller;
  refusals: CallRefused[];
  /** How often a pass was issued. */
  passes: () => number;
  /** Permits that are held. */
  taken: () => number;
  /** Tells the gateway that credentials of the organisation changed. */
  changed: () => void;
  drain: () => void;
}

export const username: string = "member-1";
/** Of a browser of the user's. */
export const sessionToken: string = `ais_${"a".repeat(43)}`;
const goodBearers: ReadonlySet<string> = new Set(["good", sessionToken]);
export const hubToken: string = "hub-token-of-the-tests";
export const shortTimeouts: NotebookTimeouts = { responseMs: 1_000, silenceMs: 1_000, idleSocketMs: 1_000 };

export async function startProxyRig(hubPort: number, timeouts: NotebookTimeouts = shortTimeouts): Promise<ProxyRig> {
  const caller: KnownCaller = { permissions: ["notebooks:use"], isRevoked: false };
  let passes = 0;
  const transport = createRouterTransport(({ service }) => {
    service(CredentialService, {
      exchangeCredential({ bearer }) {
        if (!goodBearers.has(bearer) || caller.isRevoked) throw new ConnectError("no", Code.Unauthenticated);
        const expiresAt = timestampFromDate(new Date(Date.now() + 60_000));
        const { permissions } = caller;
        return {
          signedContext: "signed",
          caller: { organisationId: "o", memberId: "1", credentialId: "i s", permissions, expiresAt },
        };
      },
    });
    service(NotebookSessionService, {
      issueNotebookPass() {
        passes += 1;
        const expiresAt = timestampFromDate(new Date(Date.now() + 300_000));
        return { username, hubToken, signedIdentity: `signed-identity-${passes}`, expiresAt };
      },
    });
  });
  const { control, authenticator, exchange, refusals, taken } = createAdmissionRig(transport);
  const client = createClient(NotebookSessionService, transport);
  const draining = new AbortController();
  const notebooks = createNotebookProxy(control, {
    hubUrl: `http://127.0.0.1:${hubPort}/notebooks`,
    authenticator,
    exchange,
    passes: new NotebookPasses({ client, exchange, now: () => new Date() }),
    draining: draining.signal,
    observation: silentObservation(),
    timeouts,
  });
  const server = createEdgeServer(
    (request, response) => {
      if (!notebooks.entryPoint.handle(request, response)) response.writeHead(404).end();
    },
    { upgrades: notebooks.upgrades },
  );
  const port = await listenOnLoopback(server);
  return {
    port,
    caller,
    refusals,
    passes: () => passes,
    taken,
    changed: () => exchange.evict(create(CredentialChangedSchema, { organisationId: "o" })),
    drain: () => draining.abort(),
    async [Symbol.asyncDispose]() {
      draining.abort();
      await stopEdgeServer(server, 100);
    },
  };
}

/** A hub that does as it is told with each connection, and writes down what it is sent. */
export interface BareHub extends AsyncDisposable {
  port: number;
  /** All bytes that came, connection by connection. */
  received: () => string;
  sockets: Set<Socket>;
}

/** `answer` is called with each connection's first head. */
export async function startBareHub(answer: (socket: Socket, head: string) => void): Promise<BareHub> {
  const sockets = new Set<Socket>();
  let received = "";
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
    let head = "";
    let isAnswered = false;
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (isAnswered) return;
      head += chunk.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      isAnswered = true;
      answer(socket, head);
    });
  });
  const port = await listenOnLoopback(server);
  return {
    port,
    received: () => received,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

/** What a raw request was answered: everything until the connection ended or `enough` was there. */
export async function exchangeRaw(port: number, text: string, enough?: RegExp): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => {});
  socket.write(text);
  let answer = "";
  for await (const chunk of socket) {
    answer += chunk.toString("latin1");
    if (enough?.test(answer)) break;
  }
  return answer;
}

/** The text of a request; headers as they go out, in their order. */
export function rawRequest(line: string, headers: readonly string[] = [], body = ""): string {
  const base = ["Host: gateway.test", "Authorization: Bearer good", "Connection: close"];
  return [line, ...base, ...headers, "", body].join("\r\n");
}

export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

/** The values of a header in a raw answer. */
export function headerOf(answer: string, name: string): string[] {
  const [head = ""] = answer.split("\r\n\r\n");
  const wanted = `${name.toLowerCase()}:`;
  return head
    .split("\r\n")
    .filter((line) => line.toLowerCase().startsWith(wanted))
    .map((line) => line.slice(wanted.length).trim());
}
