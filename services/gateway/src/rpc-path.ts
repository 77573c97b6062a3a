import type { DescService } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";

/** An RPC that a request names in its path, as Connect and gRPC-Web do. */
export interface RpcPath {
  /** `/<package>.<Service>/<Method>`. */
  readonly path: string;
  /** The methods of HTTP that it may be called with, for an `Allow`. */
  readonly allow: string;
}

const form = /^\/([A-Za-z0-9_.]+)\/[A-Za-z][A-Za-z0-9_]*(?=\?|$)/;

/**
 * Reads which RPC of these services a URL names; undefined for any other, and for what only looks like one to somebody who
 * decodes or shortens paths. A method that this version does not know is one: its service may be newer.
 */
export function createRpcPathReader(services: readonly DescService[]): (url: string) => RpcPath | undefined {
  const names = new Set(services.map(({ typeName }) => typeName));
  const readable = new Set(
    services
      .flatMap(({ methods }) => methods)
      .filter(({ idempotency }) => idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS)
      .map(({ parent, name }) => `/${parent.typeName}/${name}`),
  );
  return (url) => {
    const [path, service] = form.exec(url) ?? [];
    if (path === undefined || service === undefined || !names.has(service)) return undefined;
    return { path, allow: readable.has(path) ? "GET, POST, OPTIONS" : "POST, OPTIONS" };
  };
}
