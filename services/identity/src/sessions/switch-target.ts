import type { ClientSession } from "@aiplatform/document-store";
import type { Issuer } from "../credentials/issuer.ts";
import type { IdentityDependencies } from "../dependencies.ts";
import { type Member, MemberNotFoundError } from "../members/member.ts";
import type { Organisation } from "../organisations/organisation.ts";
import { type Session, SessionNotFoundError } from "./session.ts";

type Dependencies = Pick<IdentityDependencies, "sessions" | "members" | "organisations" | "issuers">;

/** Most organisations that a person can switch to. */
const maxOrganisations = 100;

/** Whether the provider speaks for the organisation: one that is bound to another must open no door here. */
export function speaksFor(
  issuers: readonly Pick<Issuer, "issuer" | "organisation">[],
  issuer: string,
  { id, slug }: Pick<Organisation, "id" | "slug">,
): boolean {
  const known = issuers.find((each) => each.issuer === issuer);
  if (!known) return false;
  return known.organisation === undefined || known.organisation === id || known.organisation === slug;
}

/** The organisations, by name, in which the person is an active member: those of the same subject of the same issuer. */
export async function organisationsOf(
  { members, organisations, issuers }: Dependencies,
  { issuer, subject, organisationId }: Pick<Member, "issuer" | "subject" | "organisationId">,
): Promise<Organisation[]> {
  const known = subject === "" ? [] : await members.findEverywhereBySubject(issuer, subject);
  const active = known.filter(({ status }) => status === "active").slice(0, maxOrganisations);
  const found = await Promise.all(active.map((member) => organisations.findByName(member.organisationId)));
  const open = found.filter(
    (each) => each?.state === "active" && (each.id === organisationId || speaksFor(issuers, issuer, each)),
  );
  return open.flatMap((each) => (each ? [each] : [])).sort((one, other) => (one.name < other.name ? -1 : 1));
}

/**
 * The person's membership in another organisation, and the session that ends.
 * @throws MemberNotFoundError, also where there is no such organisation; SessionNotFoundError when the session has ended meanwhile
 */
export async function switchTarget(
  dependencies: Dependencies,
  wanted: { sessionId: string; memberId: string; toOrganisationId: string; caller: { organisationId: string } },
  transaction: ClientSession,
): Promise<{ member: Member; former: Session }> {
  const { members, organisations, sessions, issuers } = dependencies;
  const { sessionId, memberId, toOrganisationId, caller } = wanted;
  const former = await sessions.find(caller.organisationId, sessionId, transaction);
  if (!former) throw new SessionNotFoundError(sessionId);
  const { issuer, subject } = await members.get(caller.organisationId, memberId, transaction);
  const organisation = await organisations.findByName(toOrganisationId, transaction);
  const isOpen = organisation?.state === "active" && speaksFor(issuers, issuer, organisation);
  const member = isOpen && subject !== "" ? await members.findBySubject(organisation.id, issuer, subject) : undefined;
  if (member?.status !== "active") throw new MemberNotFoundError(toOrganisationId);
  return { member, former };
}
