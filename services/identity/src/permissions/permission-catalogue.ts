import { permissionCatalogue } from "@aiplatform/caller-identity";
import { services } from "@aiplatform/contract/services";
import type { DescService } from "@bufbuild/protobuf";

const prefix = "aiplatform.identity.v1.";

/** What this process serves. */
export const identityServices: readonly DescService[] = services.filter(({ typeName }) => typeName.startsWith(prefix));

/** Every permission that the contract names, whichever service asks for it; nothing else can be granted. */
export function platformPermissions(): ReadonlySet<string> {
  return new Set(permissionCatalogue(services));
}
