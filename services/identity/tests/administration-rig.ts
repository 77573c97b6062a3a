import { randomUUID } from "node:crypto";
import type { NewMember } from "@aiplatform/contract/aiplatform/identity/v1/members";
import { startIdentityService } from "../src/identity-service.ts";
import { systemRolesOf } from "../src/roles/system-roles.ts";
import { clientsOf, type IdentityClients, type IdentityRig, operatorKey, startIdentityRig } from "./identity-rig.ts";

/** An identity with the clients of all who administer something in it. */
export interface AdministrationRig extends AsyncDisposable {
  rig: IdentityRig;
  operator: IdentityClients;
  /** Of the organisation acme, by the token of its administrator. */
  acme: IdentityClients;
  /** Of the organisation globex, by its first key. */
  globex: IdentityClients;
  /** A second replica; what is asked of both at once is decided by the database alone. */
  startReplica(): Promise<Pick<IdentityRig, "as">>;
  /** Clients of acme that hold only these permissions. */
  limitedTo(...permissionIds: string[]): Promise<IdentityClients>;
  /** A person who is no member yet, known to the issuer. */
  person(name: string): Person;
  /** Adds a member to acme, and answers their id. */
  newMember(name: string, roleIds?: string[]): Promise<string>;
  /** Makes a role of acme, and answers its id. */
  newRole(...permissionIds: string[]): Promise<string>;
}

export type Person = Pick<NewMember, "displayName" | "email" | "issuer" | "subject">;

/** Id of a system role. */
export function systemRole(slug: string): string {
  const role = systemRolesOf("", new Set()).find((one) => one.slug === slug);
  if (!role) throw new Error(`there is no system role ${slug}`);
  return role.id;
}

export async function startAdministrationRig(
  o: { settings?: Record<string, string> } = {},
): Promise<AdministrationRig> {
  const owned = new AsyncDisposableStack();
  const rig = owned.use(await startIdentityRig(o));
  const acme = rig.as({ bearer: await rig.provider.token("ada") });
  const person = (name: string) => {
    const unique = `${name}-${randomUUID()}`;
    return { displayName: name, email: `${unique}@people.test`, issuer: rig.provider.issuer, subject: unique };
  };
  return {
    rig,
    operator: rig.as({ bearer: operatorKey }),
    acme,
    globex: rig.as({ apiKey: rig.globex.apiKeySecret }),
    person,
    startReplica: async () => ({ as: clientsOf(owned.use(await startIdentityService(rig.config)), owned) }),
    async limitedTo(...permissionIds) {
      const { secret } = await acme.apiKeys.createApiKey({ name: permissionIds.join(" "), permissionIds });
      return rig.as({ apiKey: secret });
    },
    async newMember(name, roleIds = []) {
      const { member } = await acme.members.createMember({ member: person(name), roleIds });
      return member?.id ?? "";
    },
    async newRole(...permissionIds) {
      const slug = `role-${randomUUID().slice(0, 8)}`;
      const { role } = await acme.roles.createRole({ name: slug, slug, permissionIds });
      return role?.id ?? "";
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
