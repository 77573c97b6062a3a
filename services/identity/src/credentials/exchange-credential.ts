import {
  looksLikeDelegation,
  looksLikeNotebook,
  looksLikeSession,
  looksLikeSignInCode,
} from "@aiplatform/caller-identity";
import { isWellFormedApiKey, looksLikeApiKey, refusalOfKey } from "../api-keys/api-key.ts";
import type { IdentityDependencies } from "../dependencies.ts";
import type { NotebookHub } from "../notebook-sessions/notebook-hub.ts";
import { permissionsOf } from "../roles/role.ts";
import { operatorPermission } from "../roles/system-roles.ts";
import { maxCredentialLength } from "./access-token.ts";
import type { AccessTokenVerifier } from "./access-token-verifier.ts";
import { CredentialRefusedError } from "./credential-refused-error.ts";
import { findTokenMember } from "./find-token-member.ts";
import type { LastUsedRecorder } from "./last-used-recorder.ts";
import { combineCredentials, type VerifiedCredential } from "./verified-credential.ts";
import { verifyDelegation } from "./verify-delegation.ts";
import { verifyNotebook } from "./verify-notebook.ts";

export type ExchangeDependencies = Pick<
  IdentityDependencies,
  | "organisations"
  | "members"
  | "roles"
  | "apiKeys"
  | "delegations"
  | "delegationSecret"
  | "outbox"
  | "transaction"
  | "hasher"
  | "clock"
> & {
  tokens: AccessTokenVerifier;
  /** Records when keys were used. */
  keyUses: LastUsedRecorder;
  /** Records when members were last seen. */
  memberUses: LastUsedRecorder;
  /** Verifies what browsers show. */
  browserCredentials: BrowserCredentials;
  /** Hash of the operator's key. Absent: the installation has none. */
  operatorKeyHash: string | undefined;
  /** Absent: notebook servers have no credential here. */
  notebookHub: Pick<NotebookHub, "findTokenServer"> | undefined;
};

/** Verifies the credentials of browsers. Each throws CredentialRefusedError. */
export interface BrowserCredentials {
  session(token: string): Promise<VerifiedCredential>;
  signInCode(code: string): Promise<VerifiedCredential>;
}

/** What a caller shows; empty is what was not sent. */
export interface ShownCredentials {
  bearer: string;
  apiKey: string;
}

/**
 * Who the caller is. What is sent and bad is never passed over.
 * @throws CredentialRefusedError, OrganisationSuspendedError, IssuerUnavailableError, HubUnavailableError
 */
export async function exchangeCredential(
  dependencies: ExchangeDependencies,
  shown: ShownCredentials,
): Promise<VerifiedCredential> {
  const verified = await verify(dependencies, shown);
  await dependencies.organisations.assertActive(verified.organisationId);
  return verified;
}

async function verify(
  dependencies: ExchangeDependencies,
  { bearer, apiKey }: ShownCredentials,
): Promise<VerifiedCredential> {
  if (bearer === "" && apiKey === "") throw new CredentialRefusedError("CREDENTIAL_MISSING");
  if (apiKey === "") return await verifyBearer(dependencies, bearer);
  if (bearer === "") return await verifySecret(dependencies, apiKey);
  const shownBearer = await verifyBearer(dependencies, bearer);
  return combineCredentials(shownBearer, await verifySecret(dependencies, apiKey));
}

function verifyBearer(dependencies: ExchangeDependencies, bearer: string): Promise<VerifiedCredential> {
  if (looksLikeDelegation(bearer) && !isOperatorKey(dependencies, bearer)) {
    return verifyDelegation(dependencies, bearer);
  }
  const isToken = bearer.length <= maxCredentialLength && bearer.split(".").length === 3 && !looksLikeApiKey(bearer);
  return isToken && !isOperatorKey(dependencies, bearer)
    ? verifyToken(dependencies, bearer)
    : verifySecret(dependencies, bearer);
}

async function verifySecret(dependencies: ExchangeDependencies, secret: string): Promise<VerifiedCredential> {
  if (secret.length > maxCredentialLength) throw new CredentialRefusedError("CREDENTIAL_MALFORMED");
  if (isOperatorKey(dependencies, secret)) {
    const permissions = new Set([operatorPermission]);
    return { organisationId: "", memberId: undefined, permissions, credentialId: "operator", expiresAt: undefined };
  }
  if (looksLikeNotebook(secret)) return await verifyNotebook(dependencies, secret);
  if (looksLikeSession(secret)) return await dependencies.browserCredentials.session(secret);
  if (looksLikeSignInCode(secret)) return await dependencies.browserCredentials.signInCode(secret);
  if (!isWellFormedApiKey(secret)) throw new CredentialRefusedError("CREDENTIAL_MALFORMED");
  return await verifyApiKey(dependencies, secret);
}

function isOperatorKey({ hasher, operatorKeyHash }: ExchangeDependencies, secret: string): boolean {
  return operatorKeyHash !== undefined && hasher.matches(secret, operatorKeyHash);
}

async function verifyApiKey(
  { apiKeys, hasher, clock, keyUses }: ExchangeDependencies,
  secret: string,
): Promise<VerifiedCredential> {
  const stored = await apiKeys.findByHash(hasher.hash(secret));
  if (!stored || !hasher.matches(secret, stored.hash)) throw new CredentialRefusedError("CREDENTIAL_UNKNOWN");
  const { apiKey } = stored;
  const now = clock();
  const refusal = refusalOfKey(apiKey, now);
  if (refusal) throw new CredentialRefusedError(refusal);
  keyUses.record(apiKey, now);
  const { id, organisationId, permissionIds, expiresAt } = apiKey;
  return { organisationId, memberId: undefined, permissions: new Set(permissionIds), credentialId: id, expiresAt };
}

async function verifyToken(
  { tokens, roles, memberUses, ...dependencies }: ExchangeDependencies,
  text: string,
): Promise<VerifiedCredential> {
  const token = await tokens.verify(text);
  const member = await findTokenMember(dependencies, token);
  memberUses.record({ ...member, lastUsedAt: member.lastSeenAt }, dependencies.clock());
  return {
    organisationId: member.organisationId,
    memberId: member.id,
    permissions: permissionsOf(await roles.findAll(member.organisationId, member.roleIds)),
    credentialId: `${token.issuer} ${token.subject}`,
    expiresAt: token.expiresAt,
  };
}
