import type { CallerContext } from "@aiplatform/contract/aiplatform/access/v1/caller_context";
import { Code } from "@connectrpc/connect";
import { as, type DemoClients, unless } from "./demo-clients.ts";

/** What the organisation is called, and who administers it. */
export interface OrganisationPlan {
  slug: string;
  name: string;
  issuer: string;
  subject: string;
  /** An access token of that subject. */
  bearer: string;
}

/** An organisation and a key that holds every permission in it. */
export interface SeededOrganisation {
  organisationId: string;
  apiKey: string;
}

/** Permissions of a system role, as identity says. */
export async function rolePermissions({ roles }: DemoClients, bearer: string, slug: string): Promise<string[]> {
  const answer = await roles.listRoles({}, as(bearer));
  const role = answer.roles.find((each) => each.isSystem && each.slug === slug);
  if (!role) throw new Error(`identity has no system role ${slug}`);
  return role.permissionIds;
}

/**
 * Creates the organisation, or finds it: a key of last time that still opens everything is kept, and when only the key was
 * lost, or is of a time when there were fewer permissions, the administrator's token makes another.
 */
export async function seedOrganisation(
  clients: DemoClients,
  plan: OrganisationPlan,
  { operatorKey, knownKey }: { operatorKey: string; knownKey?: string | undefined },
): Promise<SeededOrganisation> {
  const { organisations, apiKeys } = clients;
  const { slug, name, issuer, subject, bearer } = plan;
  const holder = knownKey ? await holderOf(clients, knownKey) : undefined;
  if (knownKey && holder) {
    const held = new Set(holder.permissions);
    const wanted = await rolePermissions(clients, bearer, "administrator");
    if (wanted.every((id) => held.has(id))) return { organisationId: holder.organisationId, apiKey: knownKey };
  }

  const administrator = {
    displayName: `${name} administrator`,
    email: `administrator@${slug}.example`,
    issuer,
    subject,
  };
  const wanted = organisations.createOrganisation({ slug, name, administrator }, as(operatorKey));
  const created = await unless(wanted, Code.AlreadyExists);
  if (created?.organisation) return { organisationId: created.organisation.id, apiKey: created.apiKeySecret };

  const { organisation } = await organisations.getOrganisation({}, as(bearer));
  const permissionIds = await rolePermissions(clients, bearer, "administrator");
  const { secret } = await apiKeys.createApiKey({ name: "every permission", permissionIds }, as(bearer));
  return { organisationId: organisation?.id ?? "", apiKey: secret };
}

/** The caller that the key stands for; undefined when the key is unknown or no longer valid. */
async function holderOf({ credentials }: DemoClients, apiKey: string): Promise<CallerContext | undefined> {
  const { timeoutMs } = as(apiKey);
  const answer = await unless(credentials.exchangeCredential({ apiKey }, { timeoutMs }), Code.Unauthenticated);
  return answer?.caller;
}
