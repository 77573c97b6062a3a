import { access } from "@aiplatform/contract/aiplatform/access/v1/access";
import { type DescService, getOption } from "@bufbuild/protobuf";

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
