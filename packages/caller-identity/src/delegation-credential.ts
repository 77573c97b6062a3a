import { createHmac, timingSafeEqual } from "node:crypto";

/** Which delegation; ids are the organisation's own. */
export interface DelegationRef {
  readonly organisationId: string;
  readonly delegationId: string;
  /** SHA-256 in hex of what may act under it. Undefined: it is bound to nothing. */
  readonly digest?: string | undefined;
}

/** What the bearer of every delegation begins with. */
const prefix = "aid_";
const shape = /^aid_([0-9A-Za-z-]{1,64})\.([0-9A-Za-z-]{1,64})(?:\.([0-9a-f]{64}))?\.([0-9A-Za-z_-]{43})$/;

/**
 * The bearer that opens a delegation: a holder of the installation's secret can compute it, so it is stored nowhere. It
 * is useless before the delegation exists or after it has ended. A secret: never logged.
 */
export function delegationCredential(secret: string, delegation: DelegationRef): string {
  return `${prefix}${nameOf(delegation)}.${proofOf(secret, delegation).toString("base64url")}`;
}

/** Whether a bearer claims to be of a delegation, well-formed or not. */
export function looksLikeDelegation(bearer: string): boolean {
  return bearer.startsWith(prefix);
}

/** Which delegation a bearer is of; undefined when its proof does not hold. Takes as long whichever byte is wrong. */
export function verifiedDelegation(secret: string, bearer: string): DelegationRef | undefined {
  const [, organisationId, delegationId, digest, proof = ""] = shape.exec(bearer) ?? [];
  if (organisationId === undefined || delegationId === undefined) return undefined;
  const delegation = { organisationId, delegationId, ...(digest === undefined ? {} : { digest }) };
  const shown = Buffer.from(proof, "base64url");
  const wanted = proofOf(secret, delegation);
  return shown.length === wanted.length && timingSafeEqual(shown, wanted) ? delegation : undefined;
}

/** The credential id of who acts under a delegation: what the audit log names, and what caches forget it by. */
export function delegationCredentialId(delegationId: string): string {
  return `delegation:${delegationId}`;
}

/** Whether a credential id is one of a delegation. */
export function isDelegated(credentialId: string): boolean {
  return credentialId.startsWith(delegationCredentialId(""));
}

function proofOf(secret: string, delegation: DelegationRef): Buffer {
  return createHmac("sha256", secret).update(nameOf(delegation), "utf8").digest();
}

function nameOf({ organisationId, delegationId, digest }: DelegationRef): string {
  return [organisationId, delegationId, ...(digest === undefined ? [] : [digest])].join(".");
}
