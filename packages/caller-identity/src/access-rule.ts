import { type Access, access } from "@aiplatform/contract/aiplatform/access/v1/access";
import { type DescMethod, type DescService, getOption, hasOption } from "@bufbuild/protobuf";
import type { Caller } from "./caller.ts";
import { permissionMissing } from "./refusal.ts";

/** What the contract demands of a caller of one RPC. */
export type AccessRule = { kind: "permission"; permission: string } | { kind: "authenticated" } | { kind: "public" };

/** Declared by others and served by every service; what they answer is public. */
const publicServices = new Set([
  "grpc.health.v1.Health",
  "grpc.reflection.v1.ServerReflection",
  "grpc.reflection.v1alpha.ServerReflection",
]);

/** An RPC has no access rule, or an empty one: who may call it is undefined. */
export class AccessUndeclaredError extends Error {
  override name = "AccessUndeclaredError";
  readonly rpcs: readonly string[];
  constructor(rpcs: readonly string[]) {
    super(`no access rule (aiplatform.access.v1.access) is declared on ${rpcs.join(", ")}`);
    this.rpcs = rpcs;
  }
}

const rules = new WeakMap<DescMethod, AccessRule>();

/** The access rule of an RPC, read once from its descriptor. @throws AccessUndeclaredError when it has none. */
export function accessRule(method: DescMethod): AccessRule {
  let rule = rules.get(method);
  if (!rule) {
    rule = publicServices.has(method.parent.typeName) ? { kind: "public" } : declaredRule(method);
    if (!rule) throw new AccessUndeclaredError([rpcName(method)]);
    rules.set(method, rule);
  }
  return rule;
}

/** @throws the PERMISSION_DENIED error callers receive when `caller` lacks what `method` needs. */
export function assertAllowed(method: DescMethod, caller: Caller): void {
  const rule = accessRule(method);
  if (rule.kind === "permission" && !caller.permissions.has(rule.permission)) throw permissionMissing(rule.permission);
}

/** Start-up check. @throws AccessUndeclaredError naming every RPC of `services` without a rule. */
export function assertAccessDeclared(services: readonly DescService[]): void {
  const undeclared = services
    .filter((service) => !publicServices.has(service.typeName))
    .flatMap((service) => service.methods)
    .filter((method) => !declaredRule(method));
  if (undeclared.length > 0) throw new AccessUndeclaredError(undeclared.map(rpcName));
}

/** Every permission the RPCs of `services` can ask for, sorted. */
export function permissionCatalogue(services: readonly DescService[]): string[] {
  const options = services.flatMap((service) => service.methods).map((method) => getOption(method, access));
  const named = options.flatMap(({ rule, conditionalPermissions }) =>
    rule.case === "permission" ? [rule.value, ...conditionalPermissions] : conditionalPermissions,
  );
  return [...new Set(named)].sort();
}

/** Services that the contract lets call an RPC; the gateway calls those that are not internal, besides. */
export function servicesThatMayCall(method: DescMethod): readonly string[] {
  return getOption(method, access).callers;
}

/** Whether only services of the mesh call an RPC. */
export function isInternal(method: DescMethod): boolean {
  return hasOption(method, access) && getOption(method, access).internal;
}

function declaredRule(method: DescMethod): AccessRule | undefined {
  return hasOption(method, access) ? ruleOf(getOption(method, access)) : undefined;
}

function ruleOf({ rule }: Access): AccessRule | undefined {
  // A rule of `false` or "" says nothing about who may call, so it counts as none.
  if (!rule.value) return undefined;
  return rule.case === "permission" ? { kind: "permission", permission: rule.value } : { kind: rule.case };
}

function rpcName(method: DescMethod): string {
  return `${method.parent.typeName}/${method.name}`;
}
