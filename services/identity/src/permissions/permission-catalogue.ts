import { permissionCatalogue } from "@aiplatform/caller-identity";
import { access } from "@aiplatform/contract/aiplatform/access/v1/access";
import { services } from "@aiplatform/contract/services";
import { type DescService, getOption } from "@bufbuild/protobuf";

const prefix = "aiplatform.identity.v1.";

/** The services of the contract that this process serves. */
export const identityServices: readonly DescService[] = services.filter(({ typeName }) => typeName.startsWith(prefix));

/** Every permission that the contract names, whichever service asks for it; nothing else can be granted. */
export function platformPermissions(): ReadonlySet<string> {
  return new Set(permissionCatalogue(services));
}

/** A permission, and what it opens. */
export interface Permission {
  /** `resource:action`. */
  id: string;
  /** `package.Service/Method`, in the contract's order; those among them that need it in some situations only as well. */
  rpcs: string[];
}

/** What each permission opens, by id. It follows from the contract, so a new RPC shows up without a line here. */
export function describePermissions(services: readonly DescService[]): Permission[] {
  const rpcsOf = new Map<string, string[]>();
  for (const method of services.flatMap((service) => service.methods)) {
    const { rule, conditionalPermissions } = getOption(method, access);
    const needed = rule.case === "permission" ? [rule.value, ...conditionalPermissions] : conditionalPermissions;
    for (const id of new Set(needed)) {
      rpcsOf.set(id, [...(rpcsOf.get(id) ?? []), `${method.parent.typeName}/${method.name}`]);
    }
  }
  return [...rpcsOf].map(([id, rpcs]) => ({ id, rpcs })).sort((one, other) => (one.id < other.id ? -1 : 1));
}
