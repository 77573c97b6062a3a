import { isInternal } from "@aiplatform/caller-identity";
import { services } from "@aiplatform/contract/services";
import type { DescMethod, DescService } from "@bufbuild/protobuf";

/** A service of the mesh, named as in the contract's packages: `aiplatform.<upstream>.v1`. */
export type Upstream = "content" | "data" | "deployments" | "identity" | "training";

/** All of them. */
export const upstreams: readonly Upstream[] = ["content", "data", "deployments", "identity", "training"];

/** Every service of the contract with an RPC that is called through the gateway, by who answers it. */
export const servicesByUpstream: ReadonlyMap<Upstream, readonly DescService[]> = new Map(
  upstreams.map((upstream) => [
    upstream,
    services.filter(
      (service) => !isOwn(service) && upstreamOf(service) === upstream && !service.methods.every(isInternal),
    ),
  ]),
);

/** Services of the contract that the gateway answers itself: `aiplatform.gateway.v1`. */
export const ownServices: readonly DescService[] = services.filter(isOwn);

/** Whether the gateway answers a service itself. */
export function isOwn({ typeName }: DescService): boolean {
  return typeName.startsWith("aiplatform.gateway.");
}

/** Every service of the contract that is reached through the gateway. */
export const publicServices: readonly DescService[] = [...[...servicesByUpstream.values()].flat(), ...ownServices];

/** @throws Error for a package whose upstream the gateway has no address of. */
export function upstreamOf({ typeName }: DescService): Upstream {
  const [, name] = typeName.split(".");
  const upstream = upstreams.find((candidate) => candidate === name);
  if (!upstream) throw new Error(`the gateway knows no service that answers ${typeName}`);
  return upstream;
}

/**
 * Requests about one run go to one replica while it lives, so that its state is warm there. Wrong routing costs speed,
 * never correctness.
 */
export function runKey(message: unknown, method: DescMethod): string | undefined {
  const field = method.input.field.runId;
  if (!field || typeof message !== "object" || message === null) return undefined;
  const value: unknown = Reflect.get(message, field.localName);
  return typeof value === "string" ? value : undefined;
}
