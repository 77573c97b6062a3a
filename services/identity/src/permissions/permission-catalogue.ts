import { permissionCatalogue } from "@aiplatform/caller-identity";
import { services } from "@aiplatform/contract/services";
import type { DescService } from "@bufbuild/protobuf";

const prefix = "aiplatform.identity.v1.";

/** Services of the contract that are not served yet. */
const awaited = new Set(["DelegationService"]);

/** What this process serves. */
export const identityServices: readonly DescService[] = services.filter(
  ({ typeName, name }) => typeName.startsWith(prefix) && !awaited.has(name),
);

/** Every permission that the contract names, whoever asks for it; nothing else can be granted. */
export function platformPermissions(): ReadonlySet<string> {
  return new Set(permissionCatalogue(services));
}
