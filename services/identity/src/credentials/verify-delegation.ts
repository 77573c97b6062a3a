import { delegationCredentialId, verifiedDelegation } from "@aiplatform/caller-identity";
import { refusalOfKey } from "../api-keys/api-key.ts";
import type { Delegation } from "../delegations/delegation.ts";
import type { IdentityDependencies } from "../dependencies.ts";
import { permissionsOf } from "../roles/role.ts";
import { CredentialRefusedError } from "./credential-refused-error.ts";
import type { VerifiedCredential } from "./verified-credential.ts";

type Dependencies = Pick<
  IdentityDependencies,
  "delegations" | "delegationSecret" | "members" | "roles" | "apiKeys" | "clock"
>;

/** What the giver may do now, and until when. */
type GiverNow = Pick<VerifiedCredential, "memberId" | "permissions" | "expiresAt">;

const unknown = () => new CredentialRefusedError("CREDENTIAL_UNKNOWN", { text: "The delegation is unknown" });
const ended = () => new CredentialRefusedError("CREDENTIAL_REVOKED", { text: "The delegation has ended" });

/** The caller under a delegation, with no more than its giver may do at this moment. @throws CredentialRefusedError */
export async function verifyDelegation(dependencies: Dependencies, bearer: string): Promise<VerifiedCredential> {
  const { delegations, delegationSecret } = dependencies;
  const ref = delegationSecret === undefined ? undefined : verifiedDelegation(delegationSecret, bearer);
  const delegation = ref && (await delegations.find(ref.organisationId, ref.delegationId));
  if (!delegation) throw unknown();
  if (delegation.revokedAt) throw ended();
  const { id, organisationId, permissionIds } = delegation;
  const { memberId, permissions, expiresAt } = await giverNow(dependencies, delegation);
  const both = new Set(permissionIds.filter((permission) => permissions.has(permission)));
  return { organisationId, memberId, permissions: both, credentialId: delegationCredentialId(id), expiresAt };
}

function giverNow(dependencies: Dependencies, { organisationId, giver }: Delegation): Promise<GiverNow> {
  return "memberId" in giver
    ? memberNow(dependencies, organisationId, giver.memberId)
    : keyNow(dependencies, organisationId, giver.apiKeyId);
}

async function memberNow({ members, roles }: Dependencies, organisationId: string, id: string): Promise<GiverNow> {
  const member = await members.find(organisationId, id);
  if (member?.status !== "active") throw new CredentialRefusedError("MEMBER_INACTIVE");
  const permissions = permissionsOf(await roles.findAll(organisationId, member.roleIds));
  return { memberId: id, permissions, expiresAt: undefined };
}

async function keyNow({ apiKeys, clock }: Dependencies, organisationId: string, id: string): Promise<GiverNow> {
  const key = await apiKeys.find(organisationId, id);
  if (!key) throw unknown();
  const refusal = refusalOfKey(key, clock());
  if (refusal) throw new CredentialRefusedError(refusal);
  return { memberId: undefined, permissions: new Set(key.permissionIds), expiresAt: key.expiresAt };
}
