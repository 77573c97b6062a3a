import type { IncomingMessage, ServerResponse } from "node:http";
import type { MeshIdentity } from "@aiplatform/service-host";
import { type BodyLimits, readBytes, requestIdOf } from "@aiplatform/transcoder";
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import type { PromptCall } from "./admission.ts";
import { enter, type PublicEntrance, promptCall } from "./admit-caller.ts";
import { writeRpcError } from "./rpc-error.ts";
import { createRpcPathReader, type RpcPath } from "./rpc-path.ts";
import { createServiceAgent, passOn } from "./rpc-proxy-hop.ts";

/** Services that clients may call in Connect and gRPC-Web form through the gateway, and the URL of their owner. */
export interface RpcTarget {
  readonly url: string;
  readonly services: readonly DescService[];
}

/** Passes Connect and gRPC-Web calls on to the service that answers them. */
export interface RpcProxy {
  /** Takes a request when its path names an RPC. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** Closes its connections to services. */
  close(): Promise<void>;
}

export interface RpcProxyParts extends PublicEntrance {
  readonly targets: readonly RpcTarget[];
  /** Of what a client sends, unless it sends a stream. */
  readonly limits: BodyLimits;
  /** Connections to each service at most. */
  readonly connections: number;
  readonly tls?: MeshIdentity | undefined;
}

/**
 * Passes `POST /<package>.<Service>/<Method>` on as it came. A caller passes the same entrance as over REST before any
 * connection to a service is taken, and the body is whole by then, unless the RPC takes a stream. The service authenticates
 * the caller by itself once more: nothing works because it came from the gateway.
 */
export function createRpcProxy(parts: RpcProxyParts): RpcProxy {
  const agent = createServiceAgent(parts);
  const rpcOf = createRpcPathReader(parts.targets.flatMap(({ services }) => services));
  const urls = new Map(parts.targets.flatMap(({ url, services }) => services.map(({ typeName }) => [typeName, url])));

  const serve = async (request: IncomingMessage, response: ServerResponse, { service, method }: RpcPath) => {
    const requestId = requestIdOf(request.headers["x-request-id"]);
    const entering = { request, requestId, response, takesApiKey: true, call: promptCallOf(request, method) };
    try {
      const { caller, leave } = await enter(parts, { ...entering, ...(method ? { method } : {}) });
      try {
        const body = sendsStream(method) ? undefined : await readBytes(request, parts.limits);
        const { address: sourceAddress } = parts.door.sourceOf(request);
        const url = urls.get(service) ?? "";
        await passOn(agent, { request, response, url, body, streams: streams(method), caller, sourceAddress });
      } finally {
        leave(response.statusCode === 503);
      }
    } catch (error) {
      writeRpcError(request, response, error);
    }
  };

  return {
    handle(request, response) {
      const rpc = rpcOf(request.url ?? "");
      if (rpc === undefined) return false;
      const { method = "" } = request;
      if (!rpc.allow.split(", ").includes(method)) refuseMethod(response, rpc);
      else if (method === "OPTIONS") response.writeHead(204, { allow: rpc.allow }).end();
      else void serve(request, response, rpc);
      return true;
    },
    close: () => agent.destroy(),
  };
}

function sendsStream(method: DescMethod | undefined): boolean {
  return method?.methodKind === "client_streaming" || method?.methodKind === "bidi_streaming";
}

/** Also of what only a newer service knows: it may. */
function streams(method: DescMethod | undefined): boolean {
  return method?.methodKind !== "unary";
}

/** Undefined for what lasts because its caller wants that, or may: a stream, and what can be asked to wait. */
function promptCallOf(request: IncomingMessage, method: DescMethod | undefined): PromptCall | undefined {
  if (method?.methodKind !== "unary" || method.input.field.waitSeconds) return undefined;
  return promptCall(method, { request, operation: `${method.parent.typeName}/${method.name}` });
}

function refuseMethod(response: ServerResponse, { allow }: RpcPath): void {
  response
    .writeHead(405, { allow, "content-type": "application/json" })
    .end('{"code":"unimplemented","message":"this method of HTTP calls no RPC"}');
}
