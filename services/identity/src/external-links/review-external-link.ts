import type { IdentityDependencies } from "../dependencies.ts";
import type { ExternalLink, LinkAttempt } from "./external-link.ts";
import { LinkBrowser } from "./link-browser.ts";
import { type LinkPage, linkPage, reviewPage } from "./link-page.ts";
import { stateHashOf } from "./link-secrets.ts";

export type FindAttemptDependencies = Pick<IdentityDependencies, "externalLinks" | "hasher" | "clock">;

export type ReviewExternalLinkDependencies = FindAttemptDependencies &
  Pick<IdentityDependencies, "organisations" | "members" | "apiKeys" | "randomBytes">;

/** A link whose attempt is under way. */
export interface AttemptedLink {
  link: ExternalLink;
  attempt: LinkAttempt;
}

/** 256 bits. */
const nonceBytes = 32;

/** The link that the state of an attempt belongs to, or why there is none. */
export async function findAttempted(
  { externalLinks, hasher, clock }: FindAttemptDependencies,
  state: string,
): Promise<AttemptedLink | "state_unknown" | "attempt_expired"> {
  if (state === "") return "state_unknown";
  const stateHash = stateHashOf(hasher, state);
  const link = await externalLinks.findByState(stateHash);
  const attempt = link?.attempt;
  if (!link || attempt?.stateHash !== stateHash) return "state_unknown";
  return attempt.expiresAt > clock() ? { link, attempt } : "attempt_expired";
}

/** Shows a browser which organisation asks for access to an account, and who began that. */
export async function reviewExternalLink(
  dependencies: ReviewExternalLinkDependencies,
  state: string,
): Promise<LinkPage> {
  const found = await findAttempted(dependencies, state);
  if (typeof found === "string") return linkPage(found);
  const { provider, secretName, secretDescription, organisationId } = found.link;
  const [organisation, by] = await Promise.all([
    dependencies.organisations.get(organisationId),
    nameOfStarter(dependencies, found),
  ]);
  const browser = new LinkBrowser(dependencies.hasher, state);
  const nonce = Buffer.from(dependencies.randomBytes(nonceBytes)).toString("base64url");
  const query = new URLSearchParams({ state, confirmation: browser.confirmation(nonce) });
  const facts = { organisation: organisation.name, by, provider, secretName, secretDescription };
  return { ...reviewPage(facts, `authorize/continue?${query}`), setCookie: browser.shown(nonce) };
}

async function nameOfStarter(
  { members, apiKeys }: Pick<ReviewExternalLinkDependencies, "members" | "apiKeys">,
  { link: { organisationId }, attempt: { memberId, credentialId } }: AttemptedLink,
): Promise<string> {
  if (memberId === undefined) {
    const key = await apiKeys.find(organisationId, credentialId);
    return `the API key ${key?.name ?? credentialId}`;
  }
  const member = await members.find(organisationId, memberId);
  return member ? `${member.displayName} (${member.email})` : "a member who is gone";
}
