import type { IncomingMessage } from "node:http";
import { accessRule, contextFor, type ServiceAssertions } from "@aiplatform/caller-identity";
import type { MeshIdentity } from "@aiplatform/service-host";
import { type BodyLimits, readBytes } from "@aiplatform/transcoder";
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { AdmissionControl, AdmissionTarget, EntryPoint } from "../admission/admission-control.ts";
import { lastingDemand } from "../admission/lasting-demand.ts";
import { isOverHttp2 } from "../edge/http2/bridge.ts";
import type { Source } from "../edge/source-address.ts";
import type { Upstream } from "../upstreams/upstreams.ts";
import { writeRpcError } from "./error.ts";
import { createServiceAgent, passOn } from "./hop.ts";
import { createRpcPathReader } from "./path.ts";

/** Services that clients may call in Connect, gRPC-Web and gRPC form through the gateway, and who answers them. */
export interface RpcTarget {
  readonly upstream: Upstream;
  readonly url: string;
  readonly services: readonly DescService[];
}

export interface RpcProxyOptions {
  readonly targets: readonly RpcTarget[];
  /** Of what a client sends, unless it sends a stream. */
  readonly limits: BodyLimits;
  readonly maxConnectionsPerService: number;
  readonly sourceOf: (request: IncomingMessage) => Source;
  readonly tls?: MeshIdentity | undefined;
  /** How the gateway proves to services that it is the gateway. */
  readonly assertions: ServiceAssertions;
}

/** Passes Connect, gRPC-Web and gRPC calls on to the service that answers them. */
export interface RpcProxy {
  readonly entryPoint: EntryPoint;
  /** Whether the RPC that a URL names takes a stream of messages, which may last as long as its caller likes. */
  takesStream(request: Pick<IncomingMessage, "url">): boolean;
  /** Closes its connections to services. */
  close(): Promise<void>;
}

/**
 * Passes `POST /<package>.<Service>/<Method>` on as it came. A caller is admitted before any connection to a service is taken, and
 * the body is whole by then, unless the RPC takes a stream. The service authenticates the caller by itself once more: nothing works
 * because it came from the gateway.
 */
export function createRpcProxy(control: AdmissionControl, options: RpcProxyOptions): RpcProxy {
  const { tls, sourceOf, limits, assertions } = options;
  const agent = createServiceAgent({ connections: options.maxConnectionsPerService, tls });
  const services = options.targets.flatMap((target) => target.services);
  const rpcOf = createRpcPathReader(services);
  const answering = new Map(
    options.targets.flatMap((target) => target.services.map(({ typeName }) => [typeName, target])),
  );
  const targets = new Map(
    options.targets.flatMap(({ upstream, services }) =>
      services.flatMap(({ methods }) => methods.map((method) => [method, targetOf(method, upstream)])),
    ),
  );
  const entryPoint = control.publicEntryPoint({
    showsRateLimit: true,
    refundsUnavailable: true,
    match: (request) => rpcOf(request.url ?? ""),
    target({ method, allow }, { method: httpMethod = "" }) {
      if (httpMethod === "OPTIONS" || !allow.split(", ").includes(httpMethod)) return undefined;
      return (method && targets.get(method)) ?? unknownMethod;
    },
    decline({ match: { allow }, request, response }) {
      if (request.method === "OPTIONS") response.writeHead(204, { allow }).end();
      else {
        // Not as JSON, which clients of Connect take for an error that an RPC answered.
        response.writeHead(405, { allow, "content-type": "text/plain" }).end("This method of HTTP calls no RPC\n");
      }
    },
    async serve({ match: { service, method }, request, response }, { caller }) {
      if (method?.methodKind === "bidi_streaming" && !isOverHttp2(request)) throw needsHttp2();
      const body = sendsStream(method) ? undefined : await readBytes(request, limits);
      const { address: sourceAddress } = sourceOf(request);
      const { url = "", upstream = "" } = answering.get(service) ?? {};
      const assertion = await assertions.for(upstream);
      const known = caller && { context: contextFor(caller, upstream), sourceAddress };
      await passOn(agent, { request, response, url, body, streams: streams(method), assertion, known });
    },
    fail: ({ request, response }, error) => writeRpcError(request, response, error),
  });
  const takesStream: RpcProxy["takesStream"] = ({ url = "" }) => sendsStream(rpcOf(url)?.method);
  return { entryPoint, takesStream, close: () => agent.destroy() };
}

/** Over HTTP/1.1 many clients and proxies send all of a request before they read any of its answer. */
function needsHttp2(): ConnectError {
  return new ConnectError("this RPC streams both ways, which needs HTTP/2", Code.Unimplemented);
}

const unknownMethod: AdmissionTarget = {
  path: "",
  method: undefined,
  isPublic: false,
  takesApiKey: true,
  takesSession: false,
  demand: "watch",
};

/** What can be asked to wait lasts because its caller wants that, or may; so does a stream. */
function targetOf(method: DescMethod, upstream: Upstream): AdmissionTarget {
  const isLasting = method.methodKind !== "unary" || method.input.field.waitSeconds !== undefined;
  const { parent, name } = method;
  const call = { upstream, operation: `${parent.typeName}/${name}` };
  const demand = isLasting ? lastingDemand(method) : call;
  const isPublic = accessRule(method).kind === "public";
  return { path: "", method, isPublic, takesApiKey: true, takesSession: false, demand };
}

function sendsStream(method: DescMethod | undefined): boolean {
  return method?.methodKind === "client_streaming" || method?.methodKind === "bidi_streaming";
}

/** Also of what only a newer service knows: it may. */
function streams(method: DescMethod | undefined): boolean {
  return method?.methodKind !== "unary";
}
