import { services } from "@aiplatform/contract/services";
import type { DescMethod, DescService } from "@bufbuild/protobuf";

/** A service of the mesh, named as in the contract's packages: `aiplatform.<owner>.v1`. */
export type Owner = "content" | "deployments" | "identity" | "training";

/** All of them. */
export const owners: readonly Owner[] = ["content", "deployments", "identity", "training"];

/** Exchanges credentials for the mesh itself; a client outside has no use for a caller context. */
const kept = new Set(["aiplatform.identity.v1.CredentialService"]);

/** Every service of the contract that is called through the gateway, by who answers it. */
export const servicesByOwner: ReadonlyMap<Owner, readonly DescService[]> = new Map(
  owners.map((owner) => [
    owner,
    services.filter((service) => ownerOf(service) === owner && !kept.has(service.typeName)),
  ]),
);

/** @throws Error for a package whose owner the gateway has no address of. */
export function ownerOf({ typeName }: DescService): Owner {
  const [, name] = typeName.split(".");
  const owner = owners.find((candidate) => candidate === name);
  if (!owner) throw new Error(`the gateway knows no service that answers ${typeName}`);
  return owner;
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
