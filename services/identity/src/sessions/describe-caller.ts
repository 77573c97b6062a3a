import type { ApiKey } from "../api-keys/api-key.ts";
import type { IdentityDependencies } from "../dependencies.ts";
import type { Member } from "../members/member.ts";
import type { Organisation } from "../organisations/organisation.ts";
import type { Session } from "./session.ts";
import { organisationsOf } from "./switch-target.ts";

type Dependencies = Pick<
  IdentityDependencies,
  "sessions" | "members" | "apiKeys" | "organisations" | "issuers" | "clock"
>;

/** What is known of a caller. */
export interface DescribedCaller {
  organisationId: string;
  memberId?: string | undefined;
  credentialId: string;
  sessionId?: string | undefined;
  permissions: ReadonlySet<string>;
}

/** Who calls, as people see it. */
export interface CallerDescription {
  /** Absent for other credentials. */
  session: Session | undefined;
  name: string;
  /** One of the two; neither for the operator, a delegation and a notebook of a key. */
  member: Member | undefined;
  apiKey: ApiKey | undefined;
  /** Absent for the operator. */
  organisation: Organisation | undefined;
  /** Where the person can act, by name. */
  organisations: Organisation[];
}

/** Looks who calls, and changes nothing. */
export async function describeCaller(
  dependencies: Dependencies,
  { organisationId, memberId, credentialId, sessionId }: DescribedCaller,
): Promise<CallerDescription> {
  const { sessions, members, apiKeys, organisations } = dependencies;
  if (organisationId === "") {
    const nothing = { session: undefined, member: undefined, apiKey: undefined, organisation: undefined };
    return { ...nothing, name: credentialId, organisations: [] };
  }
  const [session, organisation, member, apiKey] = await Promise.all([
    sessionId === undefined ? undefined : sessions.find(organisationId, sessionId),
    organisations.get(organisationId),
    memberId === undefined ? undefined : members.get(organisationId, memberId),
    memberId === undefined ? apiKeys.find(organisationId, credentialId) : undefined,
  ]);
  const own = member ? await organisationsOf(dependencies, member) : [organisation];
  const name = member?.displayName ?? apiKey?.name ?? credentialId;
  return { session, name, member, apiKey, organisation, organisations: own };
}
