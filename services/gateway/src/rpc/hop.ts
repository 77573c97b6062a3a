import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { callerContextHeader, serviceAssertionHeader, sourceAddressHeader } from "@aiplatform/caller-identity";
import { type MeshIdentity, requestIdSourceHeader } from "@aiplatform/service-host";
import { HttpError } from "@aiplatform/transcoder";
import { Agent, buildConnector } from "undici";
import { requestNameOf } from "../edge/request-name.ts";
import { bannerHeaders } from "../edge/security-headers.ts";
import { hopByHopOf } from "../hop-by-hop.ts";
import { asGrpc, asGrpcWeb, GrpcAnswer, isGrpc } from "./grpc.ts";

const connectTimeoutMs = 2_000;
/** Shorter than a service keeps a connection (15 s), so that none closes under a call. */
const keepAliveMs = 3_000;
/** Longer than a service takes at most for a unary call. */
const unaryAnswerMs = 35_000;

/** Connections to the HTTP ports of services, at most `connections` to each. With certificates where there is an identity. */
export function createServiceAgent(o: { connections: number; tls?: MeshIdentity | undefined }): Agent {
  return new Agent({
    connect: o.tls ? securely(o.tls) : { timeout: connectTimeoutMs },
    connections: o.connections,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
  });
}

/** Each connection is made with the certificate of its moment. */
function securely(tls: MeshIdentity): buildConnector.connector {
  const build = () => buildConnector({ ...tls.options, allowH2: false, timeout: connectTimeoutMs });
  let connect = build();
  tls.onRenewal(() => {
    connect = build();
  });
  return (options, connected) => connect(options, connected);
}

/** One call on its way to its service. */
export interface RpcHop {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Base URL of the service. */
  readonly url: string;
  /** What was read of the body; undefined where it is a stream, and passed on as it comes. */
  readonly body: Buffer | undefined;
  /** Whether the call may be silent for as long as it likes. */
  readonly streams: boolean;
  /** Proves to the service that the gateway calls. */
  readonly assertion: string;
  /** The caller's signed context for the service, and the client's IP address. Undefined where the contract needs no credential. */
  readonly known: { readonly context: string; readonly sourceAddress: string } | undefined;
}

/**
 * Passes a call on and its answer back, both as they come; one of gRPC as gRPC-Web, which is the same but for its end. A client that
 * leaves aborts the call.
 * @throws HttpError 503, 504 with nothing answered; whatever broke off an answer that had begun
 */
export async function passOn(agent: Agent, hop: RpcHop): Promise<void> {
  const { request, response } = hop;
  const ending = new AbortController();
  const abort = () => ending.abort(new Error("the caller left"));
  response.once("close", abort);
  if (response.closed) abort();
  try {
    await agent.stream(
      {
        origin: hop.url,
        path: request.url ?? "/",
        method: request.method === "GET" ? "GET" : "POST",
        headers: headersForService(hop),
        body: bodyOf(hop),
        signal: ending.signal,
        headersTimeout: hop.streams ? 0 : unaryAnswerMs,
        bodyTimeout: hop.streams ? 0 : unaryAnswerMs,
      },
      ({ statusCode, headers }) => {
        const passed = headersForCaller(headers, request.headers["x-request-id"]);
        const type = isGrpc(request) ? String(headers["content-type"] ?? "") : "";
        if (type !== "") passed["content-type"] = asGrpc(type);
        // One that ended before its first message says how in its head.
        const isTrailed = asGrpc(type) !== type && headers["grpc-status"] === undefined;
        response.writeHead(statusCode, passed);
        // A stream may have nothing to say yet.
        if (hop.streams) response.flushHeaders();
        return isTrailed ? new GrpcAnswer(response, String(headers["grpc-encoding"] ?? "")) : response;
      },
    );
  } catch (error) {
    throw failureOf(error);
  } finally {
    response.off("close", abort);
    // What an answered client still sends is thrown away; what still waits for it would keep it from flowing.
    request.removeAllListeners("readable").on("data", () => {});
  }
}

/** A message in the URL is the whole of a GET: a body is not read and not passed on. */
function bodyOf({ request, body }: RpcHop): Buffer | Readable | null {
  if (request.method === "GET") return null;
  return body ?? Readable.from(request.iterator({ destroyOnReturn: false }), { objectMode: false });
}

/** Of the connection, of the framing, and what only the mesh may say. */
const staysHere: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  callerContextHeader,
  serviceAssertionHeader,
  sourceAddressHeader,
  requestIdSourceHeader,
  // A browser's session is no credential of an RPC.
  "cookie",
]);

function headersForService({ request, assertion, known }: RpcHop): IncomingHttpHeaders {
  const isHopByHop = hopByHopOf(request.headers);
  const passed = Object.entries(request.headers).filter(([name]) => !staysHere.has(name) && !isHopByHop(name));
  const framed = isGrpc(request) ? { "content-type": asGrpcWeb(request.headers["content-type"]) } : undefined;
  const caller = known && { [callerContextHeader]: known.context, [sourceAddressHeader]: known.sourceAddress };
  const ours = {
    [serviceAssertionHeader]: assertion,
    [requestIdSourceHeader]: requestNameOf(request).requestIdSource,
  };
  return { ...Object.fromEntries(passed), ...framed, ...ours, ...caller };
}

function headersForCaller(
  answered: IncomingHttpHeaders,
  requestId: string | string[] | undefined,
): OutgoingHttpHeaders {
  const isHopByHop = hopByHopOf(answered);
  const passed = Object.entries(answered).filter(
    ([name]) => name !== "transfer-encoding" && !bannerHeaders.includes(name) && !isHopByHop(name),
  );
  // The one it was asked under, also where the service was not even reached by the call.
  return { ...Object.fromEntries(passed), ...(requestId === undefined ? {} : { "x-request-id": requestId }) };
}

function failureOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  if (code === "UND_ERR_HEADERS_TIMEOUT") return new HttpError(504, "The answer took too long", "deadline_exceeded");
  const detail = "the service does not answer; try again in a moment";
  return new HttpError(503, detail, "unavailable", { "retry-after": "1" });
}
