import { isInternal } from "@aiplatform/caller-identity";
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";

/** An RPC that a request names in its path, as Connect and gRPC-Web do. */
export interface RpcPath {
  /** Full name of the service. */
  readonly service: string;
  /** Absent for one that only a newer version of its service knows. */
  readonly method?: DescMethod;
  /** The methods of HTTP that it may be called with, for an `Allow`. */
  readonly allow: string;
}

const form = /^\/([A-Za-z0-9_.]+)\/[A-Za-z][A-Za-z0-9_]*(?=\?|$)/;

/** Whether a URL is one that Connect or gRPC-Web calls, known or not: only their services have points in their names. */
export function hasRpcForm(url: string): boolean {
  return form.exec(url)?.[1]?.includes(".") === true;
}

/**
 * Reads which RPC of these services a URL names; undefined for any other, for what only looks like one to a reader that decodes or
 * shortens paths, and for what only services call. A method that this version does not know is one: its service may be newer.
 */
export function createRpcPathReader(services: readonly DescService[]): (url: string) => RpcPath | undefined {
  const names = new Set(services.map(({ typeName }) => typeName));
  const known = new Map(
    services.flatMap(({ methods }) => methods).map((method) => [`/${method.parent.typeName}/${method.name}`, method]),
  );
  return (url) => {
    const [path, service] = form.exec(url) ?? [];
    if (path === undefined || service === undefined || !names.has(service)) return undefined;
    const method = known.get(path);
    if (method && isInternal(method)) return undefined;
    const isReadable = method?.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
    return { service, ...(method ? { method } : {}), allow: isReadable ? "GET, POST, OPTIONS" : "POST, OPTIONS" };
  };
}
