import { type Access, access } from "@aiplatform/contract/aiplatform/access/v1/access";
import { field as fieldRules } from "@aiplatform/contract/buf/validate/validate";
import { services } from "@aiplatform/contract/services";
import { json, type Route, route } from "@aiplatform/contract/transcoder/v1/route";
import { type DescField, type DescMessage, type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";

/** An RPC of the contract, and what the contract says of it. */
export interface Rpc {
  /** `RoleService/GetRole`. */
  readonly name: string;
  /** The service of the mesh that answers it. */
  readonly owner: string;
  readonly method: DescMethod;
  readonly access: Access;
  readonly route: Route | undefined;
}

/** A place in a request where an id can stand: `RoleService/GetRole role_id`, `… workspaces.assets.asset_id`. */
export interface IdPosition {
  readonly name: string;
  readonly rpc: Rpc;
  /** Field names from the request inwards; a list is entered at its first item. */
  readonly path: readonly string[];
  /** Whether REST reaches it, too. */
  readonly inRest: boolean;
}

/** Every RPC that callers can name, in the contract's order. */
export const rpcs: readonly Rpc[] = services.flatMap((service) =>
  service.methods.map((method) => ({
    name: `${service.name}/${method.name}`,
    owner: service.typeName.split(".")[1] ?? "",
    method,
    access: getOption(method, access),
    route: hasOption(method, route) ? getOption(method, route) : undefined,
  })),
);

/** The permission an RPC always needs; undefined where any caller, or any client at all, may call. */
export function permissionOf({ access: { rule } }: Rpc): string | undefined {
  return rule.case === "permission" ? rule.value : undefined;
}

/** Every permission that the contract names, sorted. */
export const permissions: readonly string[] = [
  ...new Set(rpcs.flatMap((rpc) => [permissionOf(rpc) ?? [], rpc.access.conditionalPermissions].flat())),
].sort();

/** Every place in the contract's requests where an id can stand. */
export const idPositions: readonly IdPosition[] = rpcs.flatMap((rpc) =>
  pathsToIds(rpc.method.input).map((fields) => {
    const path = fields.map(({ name }) => name);
    const inRest = rpc.route !== undefined && !fields.some((field) => getOption(field, json).hidden);
    return { name: `${rpc.name} ${path.join(".")}`, rpc, path, inRest };
  }),
);

function pathsToIds(message: DescMessage, outer: readonly DescMessage[] = []): DescField[][] {
  if (outer.includes(message) || message.typeName.startsWith("google.")) return [];
  return message.fields.flatMap((each) => {
    const inner = each.message && pathsToIds(each.message, [...outer, message]);
    if (inner) return inner.map((path) => [each, ...path]);
    return isId(each) ? [[each]] : [];
  });
}

function isId(each: DescField): boolean {
  const { type } = getOption(each, fieldRules);
  const rules = type.case === "repeated" ? type.value.items?.type : type;
  const isUuid = rules?.case === "string" && rules.value.wellKnown.case === "uuid" && rules.value.wellKnown.value;
  return isUuid || /(^|_)ids?$/.test(each.name);
}
