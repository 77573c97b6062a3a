import type { Caller } from "@aiplatform/caller-identity";
import type { ClientSession } from "@aiplatform/document-store";
import type { IdentityDependencies } from "../dependencies.ts";
import {
  attemptEnd,
  begun,
  type ExternalLink,
  type LinkAttempt,
  overtaken,
  ProviderNotConfiguredError,
  SecretNameLinkedError,
  statusAt,
} from "./external-link.ts";
import { externalLinkStarted } from "./external-link-events.ts";
import { sealVerifier, stateHashOf } from "./link-secrets.ts";

export type StartExternalLinkDependencies = Pick<
  IdentityDependencies,
  | "organisations"
  | "externalLinks"
  | "oauthProviders"
  | "redirectUri"
  | "reviewUri"
  | "secrets"
  | "hasher"
  | "outbox"
  | "clock"
  | "newId"
  | "randomBytes"
>;

/** A request to link an account. */
export interface WantedLink {
  provider: string;
  secretName: string;
  secretDescription: string;
  relink: boolean;
}

export interface LinkStart {
  linkId: string;
  provider: string;
  secretName: string;
  /** Of our page. */
  authorizationUrl: string;
  state: string;
  expiresAt: Date;
}

/** An attempt for which everything outside the database has been done. */
export interface PreparedLink {
  start: LinkStart;
  attempt: LinkAttempt;
}

/** 256 bits. */
const stateBytes = 32;

/**
 * Makes state and verifier and asks the provider where members go. `linkId` is the link's whose attempt it becomes.
 * @throws ProviderNotConfiguredError, ProviderUnavailableError, ProviderTimeoutError
 */
async function prepareExternalLink(
  { oauthProviders, redirectUri, reviewUri, secrets, hasher, clock, randomBytes }: StartExternalLinkDependencies,
  { organisationId, memberId, credentialId }: Caller,
  { provider: name, secretName, linkId }: WantedLink & { linkId: string },
): Promise<PreparedLink> {
  const provider = oauthProviders.get(name);
  if (!provider || redirectUri === undefined || reviewUri === undefined) throw new ProviderNotConfiguredError();
  const state = Buffer.from(randomBytes(stateBytes)).toString("base64url");
  const codeVerifier = provider.newCodeVerifier();
  // The browser goes there from our page. It is asked for now as well: a provider that does not answer begins no link.
  await provider.authorizationUrl({ state, codeVerifier, redirectUri });
  const verifier = await sealVerifier(secrets, { id: linkId, organisationId }, codeVerifier);
  const expiresAt = attemptEnd(clock());
  return {
    start: { linkId, provider: name, secretName, authorizationUrl: `${reviewUri}?state=${state}`, state, expiresAt },
    attempt: {
      stateHash: stateHashOf(hasher, state),
      verifier,
      expiresAt,
      memberId,
      credentialId,
      claimedUntil: undefined,
    },
  };
}

/**
 * Begins to link an account under a name. A name that is pending goes to the new attempt; a linked one keeps its tokens
 * until the new ones are there.
 * @throws SecretNameLinkedError and what {@link prepareExternalLink} throws.
 */
export async function startExternalLink(
  dependencies: StartExternalLinkDependencies,
  caller: Caller,
  wanted: WantedLink,
  session: ClientSession,
): Promise<LinkStart> {
  const { externalLinks, organisations, outbox, clock, newId } = dependencies;
  const { organisationId } = caller;
  const seen = await externalLinks.findHolder(organisationId, wanted.secretName);
  assertFree(seen, wanted, clock());
  const relinked = seen?.status === "linked" ? seen : undefined;
  // Before the transaction: it must not wait for a provider, nor hold the data key that sealing may make.
  const prepared = await prepareExternalLink(dependencies, caller, { ...wanted, linkId: relinked?.id ?? newId() });
  await organisations.lock(organisationId, session);
  const now = clock();
  const holder = await externalLinks.findHolder(organisationId, wanted.secretName, session);
  assertFree(holder, wanted, now);
  if (holder?.status === "linked" && holder.id === relinked?.id) {
    const link = begun(holder, prepared.attempt, wanted.secretDescription);
    await outbox.stage(session, externalLinkStarted(await externalLinks.replace(organisationId, link, session), now));
    return prepared.start;
  }
  // Linked since we looked: the sealed verifier is bound to another link's id.
  if (holder?.status === "linked") throw new SecretNameLinkedError(undefined);
  if (holder) await externalLinks.replace(organisationId, overtaken(holder), session);
  const link = newLink({ ...wanted, organisationId, id: prepared.start.linkId, memberId: caller.memberId }, now);
  await externalLinks.insert(organisationId, begun(link, prepared.attempt, wanted.secretDescription), session);
  await outbox.stage(session, externalLinkStarted(link, now));
  return prepared.start;
}

function assertFree(holder: ExternalLink | undefined, { provider, relink }: WantedLink, now: Date): void {
  if (holder?.status !== "linked") return;
  if (holder.provider !== provider) throw new SecretNameLinkedError(holder.provider);
  if (!relink && statusAt(holder, now) === "linked") throw new SecretNameLinkedError(undefined);
}

function newLink(
  own: Pick<ExternalLink, "id" | "organisationId" | "provider" | "secretName" | "secretDescription" | "memberId">,
  now: Date,
): ExternalLink {
  const { id, organisationId, provider, secretName, secretDescription, memberId } = own;
  return {
    id,
    organisationId,
    provider,
    secretName,
    secretDescription,
    memberId,
    status: "pending",
    error: undefined,
    scopes: [],
    createdAt: now,
    linkedAt: undefined,
    tokenExpiresAt: undefined,
    refresh: undefined,
    revokedAt: undefined,
    attempt: undefined,
    tokens: undefined,
    finished: undefined,
    revision: 0,
  };
}
