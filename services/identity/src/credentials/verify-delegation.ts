import { delegationCredentialId, verifiedDelegation } from "@aiplatform/caller-identity";
import type { IdentityDependencies } from "../dependencies.ts";
import { CredentialRefusedError } from "./credential-refused-error.ts";
import { holderNow } from "./holder.ts";
import type { VerifiedCredential } from "./verified-credential.ts";

type Dependencies = Pick<
  IdentityDependencies,
  "delegations" | "delegationSecret" | "members" | "roles" | "apiKeys" | "clock"
>;

const unknown = () => new CredentialRefusedError("CREDENTIAL_UNKNOWN", { text: "The delegation is unknown" });
const altered = () =>
  new CredentialRefusedError("CREDENTIAL_UNKNOWN", { text: "The delegation is for something else than was published" });
const ended = () => new CredentialRefusedError("CREDENTIAL_REVOKED", { text: "The delegation has ended" });

/** The caller under a delegation, with no more than its giver may do at this moment. @throws CredentialRefusedError */
export async function verifyDelegation(dependencies: Dependencies, bearer: string): Promise<VerifiedCredential> {
  const { delegations, delegationSecret } = dependencies;
  const ref = delegationSecret === undefined ? undefined : verifiedDelegation(delegationSecret, bearer);
  const delegation = ref && (await delegations.find(ref.organisationId, ref.delegationId));
  if (!delegation) throw unknown();
  if (delegation.revokedAt) throw ended();
  if (ref.digest !== delegation.digest) throw altered();
  const { id, organisationId, giver, permissionIds } = delegation;
  const { memberId, permissions, expiresAt } = await holderNow(dependencies, organisationId, giver);
  const both = new Set(permissionIds.filter((permission) => permissions.has(permission)));
  return { organisationId, memberId, permissions: both, credentialId: delegationCredentialId(id), expiresAt };
}
