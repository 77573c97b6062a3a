import type { ServerResponse } from "node:http";
import { accessRule } from "@aiplatform/caller-identity";
import { toHttpError } from "@aiplatform/transcoder";
import type { DescService } from "@bufbuild/protobuf";
import type { Request, RequestHandler } from "express";
import type { Admission } from "./admission.ts";
import type { Door } from "./door.ts";

export interface RpcGuardParts {
  readonly door: Pick<Door, "countGuess" | "sourceOf">;
  readonly admission: Pick<Admission, "enterPublic">;
}

/**
 * Stands before calls that are passed on, whatever their protocol: from an address that guesses, no new credential gets
 * through, and RPCs that ask for none have the budget that they have over REST. All else is for the service to refuse.
 */
export function rpcGuard(services: readonly DescService[], { door, admission }: RpcGuardParts): RequestHandler {
  const prefixes = services.map(({ typeName }) => `/${typeName}/`);
  const publicPaths = new Set(
    services
      .flatMap(({ methods }) => methods)
      .filter((method) => accessRule(method).kind === "public")
      .map((method) => `/${method.parent.typeName}/${method.name}`),
  );

  const enter = async (request: Request, response: ServerResponse): Promise<void> => {
    if (!publicPaths.has(request.path)) return door.countGuess(request);
    response.once("close", await admission.enterPublic(door.sourceOf(request).network));
  };

  return (request, response, next) => {
    if (!prefixes.some((prefix) => request.path.startsWith(prefix))) next();
    else enter(request, response).then(next, (refused: unknown) => putOff(response, refused));
  };
}

/** In Connect's form; to gRPC-Web the status alone says UNAVAILABLE. */
function putOff(response: ServerResponse, refused: unknown): void {
  const { status, detail, headers } = toHttpError(refused);
  const code = status === 429 ? "resource_exhausted" : "unavailable";
  response
    .writeHead(status, { ...headers, "content-type": "application/json" })
    .end(JSON.stringify({ code, message: detail }));
}
