import { looksLikeDelegation } from "@aiplatform/caller-identity";
import { isWellFormedApiKey, looksLikeApiKey, refusalOfKey } from "../api-keys/api-key.ts";
import { verifyDelegation } from "../delegations/verify-delegation.ts";
import type { IdentityDependencies } from "../dependencies.ts";
import { permissionsOf } from "../roles/role.ts";
import { operatorPermission } from "../roles/system-roles.ts";
import type { UseLog } from "../use-log.ts";
import { longestCredential } from "./access-token.ts";
import type { AccessTokenVerifier } from "./access-token-verifier.ts";
import { CredentialRefusedError } from "./credential-refused-error.ts";
import { memberOfToken } from "./member-of-token.ts";
import { combineCredentials, type VerifiedCredential } from "./verified-credential.ts";

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
  /** When keys were used. */
  useLog: UseLog;
  /** When members were seen. */
  seenLog: UseLog;
  /** Hash of the operator's key. Absent: the installation has none. */
  operatorKeyHash: string | undefined;
};

/** What a caller shows; empty is what was not sent. */
export interface ShownCredentials {
  bearer: string;
  apiKey: string;
}

/** Who the caller is. Throws CredentialRefusedError, IssuerUnavailableError. What is sent and bad is never passed over. */
export async function exchangeCredential(
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
  const isToken = bearer.length <= longestCredential && bearer.split(".").length === 3 && !looksLikeApiKey(bearer);
  return isToken && !isOperatorKey(dependencies, bearer)
    ? verifyToken(dependencies, bearer)
    : verifySecret(dependencies, bearer);
}

async function verifySecret(dependencies: ExchangeDependencies, secret: string): Promise<VerifiedCredential> {
  if (secret.length > longestCredential) throw new CredentialRefusedError("CREDENTIAL_MALFORMED");
  if (isOperatorKey(dependencies, secret)) {
    const permissions = new Set([operatorPermission]);
    return { organisationId: "", memberId: undefined, permissions, credentialId: "operator", expiresAt: undefined };
  }
  if (!isWellFormedApiKey(secret)) throw new CredentialRefusedError("CREDENTIAL_MALFORMED");
  return await verifyApiKey(dependencies, secret);
}

function isOperatorKey({ hasher, operatorKeyHash }: ExchangeDependencies, secret: string): boolean {
  return operatorKeyHash !== undefined && hasher.matches(secret, operatorKeyHash);
}

async function verifyApiKey(
  { apiKeys, hasher, clock, useLog }: ExchangeDependencies,
  secret: string,
): Promise<VerifiedCredential> {
  const stored = await apiKeys.findByHash(hasher.hash(secret));
  if (!stored || !hasher.matches(secret, stored.hash)) throw new CredentialRefusedError("CREDENTIAL_UNKNOWN");
  const { apiKey } = stored;
  const now = clock();
  const refusal = refusalOfKey(apiKey, now);
  if (refusal) throw new CredentialRefusedError(refusal);
  useLog.note(apiKey, now);
  const { id, organisationId, permissionIds, expiresAt } = apiKey;
  return { organisationId, memberId: undefined, permissions: new Set(permissionIds), credentialId: id, expiresAt };
}

async function verifyToken(
  { tokens, roles, seenLog, ...dependencies }: ExchangeDependencies,
  text: string,
): Promise<VerifiedCredential> {
  const token = await tokens.verify(text);
  const member = await memberOfToken(dependencies, token);
  seenLog.note({ ...member, lastUsedAt: member.lastSeenAt }, dependencies.clock());
  return {
    organisationId: member.organisationId,
    memberId: member.id,
    permissions: permissionsOf(await roles.findAll(member.organisationId, member.roleIds)),
    credentialId: `${token.issuer} ${token.subject}`,
    expiresAt: token.expiresAt,
  };
}
