import type { ServerResponse } from "node:http";
import { accessRule } from "@aiplatform/caller-identity";
import { toHttpError } from "@aiplatform/transcoder";
import type { DescService } from "@bufbuild/protobuf";
import type { Request, RequestHandler } from "express";
import type { Admission } from "./admission.ts";
import type { Door } from "./door.ts";
import { createRpcPathReader, type RpcPath } from "./rpc-path.ts";

export interface RpcGuardParts {
  readonly door: Pick<Door, "countGuess" | "sourceOf">;
  readonly admission: Pick<Admission, "enterAnonymous">;
}

/**
 * Stands before calls that are passed on, whatever their protocol: from an address that guesses, no new credential gets
 * through, and without one the budget is that of REST. All else is for the service to refuse.
 */
export function rpcGuard(services: readonly DescService[], { door, admission }: RpcGuardParts): RequestHandler {
  const rpcOf = createRpcPathReader(services);
  const publicPaths = new Set(
    services
      .flatMap(({ methods }) => methods)
      .filter((method) => accessRule(method).kind === "public")
      .map((method) => `/${method.parent.typeName}/${method.name}`),
  );

  const enter = async (request: Request, response: ServerResponse, { path }: RpcPath): Promise<void> => {
    if (!publicPaths.has(path)) return door.countGuess(request);
    response.once("close", await admission.enterAnonymous(door.sourceOf(request).network));
  };

  return (request, response, next) => {
    const rpc = rpcOf(request.url);
    if (rpc === undefined) next();
    else if (!rpc.allow.split(", ").includes(request.method)) refuseMethod(response, rpc);
    else if (request.method === "OPTIONS") response.writeHead(204, { allow: rpc.allow }).end();
    else enter(request, response, rpc).then(next, (refused: unknown) => putOff(response, refused));
  };
}

function refuseMethod(response: ServerResponse, { allow }: RpcPath): void {
  response
    .writeHead(405, { allow, "content-type": "application/json" })
    .end('{"code":"unimplemented","message":"this method of HTTP calls no RPC"}');
}

/** In Connect's form; to gRPC-Web the status alone says UNAVAILABLE. */
function putOff(response: ServerResponse, refused: unknown): void {
  const { status, detail, headers } = toHttpError(refused);
  const code = status === 429 ? "resource_exhausted" : "unavailable";
  response
    .writeHead(status, { ...headers, "content-type": "application/json" })
    .end(JSON.stringify({ code, message: detail }));
}
