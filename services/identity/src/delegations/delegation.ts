import { NotFoundError } from "@aiplatform/service-kit/not-found";
import type { HolderRef } from "../credentials/holder-ref.ts";

/** What a member or an API key lets the platform do in its name while it is absent. */
export interface Delegation {
  /** Minted by the service that asked; the organisation's own. */
  id: string;
  organisationId: string;
  /** In whose name. */
  giver: HolderRef;
  purpose: string;
  /** Sorted, each once. */
  permissionIds: string[];
  /** SHA-256 in hex of what may act under it. Undefined: it is bound to nothing. */
  digest: string | undefined;
  createdAt: Date;
  revokedAt: Date | undefined;
}

/** Whether both allow the same, in the same name. */
export function isSameDelegation(one: Delegation, other: Delegation): boolean {
  const text = ({ giver, purpose, permissionIds, digest }: Delegation) =>
    JSON.stringify([giver, purpose, permissionIds, digest]);
  return text(one) === text(other);
}

/** The installation has no secret under which delegations are proved. */
export class DelegationsOffError extends Error {
  override name = "DelegationsOffError";
  constructor() {
    super("Delegations are not set up here: DELEGATION_SECRET is not set");
  }
}

/** Neither a delegated caller nor a notebook can delegate: the delegation would outlive what the caller acts under. */
export class DelegatedCallerError extends Error {
  override name = "DelegatedCallerError";
  constructor() {
    super("Delegated callers and notebooks cannot delegate");
  }
}

/** The id is another delegation's, or one that has ended. */
export class DelegationTakenError extends Error {
  override name = "DelegationTakenError";
  constructor() {
    super("The id is another delegation's");
  }
}

export class DelegationNotFoundError extends NotFoundError {
  override name = "DelegationNotFoundError";
}
