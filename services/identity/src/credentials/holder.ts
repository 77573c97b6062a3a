import type { ApiKey } from "../api-keys/api-key.ts";
import { refusalOfKey } from "../api-keys/api-key.ts";
import type { IdentityDependencies } from "../dependencies.ts";
import type { Member } from "../members/member.ts";
import { permissionsOf } from "../roles/role.ts";
import { CredentialRefusedError } from "./credential-refused-error.ts";
import type { HolderRef } from "./holder-ref.ts";
import type { VerifiedCredential } from "./verified-credential.ts";

/** In whose name a credential acts that is neither the member's own token nor the key: what they may do now, and until when. */
export type Holder = Pick<VerifiedCredential, "organisationId" | "memberId" | "permissions" | "expiresAt">;

/** @throws CredentialRefusedError unless the member is active */
export async function memberNow({ roles }: Pick<IdentityDependencies, "roles">, member?: Member): Promise<Holder> {
  if (member?.status !== "active") throw new CredentialRefusedError("MEMBER_INACTIVE");
  const { id, organisationId, roleIds } = member;
  const permissions = permissionsOf(await roles.findAll(organisationId, roleIds));
  return { organisationId, memberId: id, permissions, expiresAt: undefined };
}

/** @throws CredentialRefusedError when the key has ended */
export function keyNow({ clock }: Pick<IdentityDependencies, "clock">, key: ApiKey): Holder {
  const refusal = refusalOfKey(key, clock());
  if (refusal) throw new CredentialRefusedError(refusal);
  const { organisationId, permissionIds, expiresAt } = key;
  return { organisationId, memberId: undefined, permissions: new Set(permissionIds), expiresAt };
}

/** What the holder may do now. @throws CredentialRefusedError */
export async function holderNow(
  dependencies: Pick<IdentityDependencies, "members" | "roles" | "apiKeys" | "clock">,
  organisationId: string,
  holder: HolderRef,
): Promise<Holder> {
  if ("memberId" in holder) {
    return await memberNow(dependencies, await dependencies.members.find(organisationId, holder.memberId));
  }
  const key = await dependencies.apiKeys.find(organisationId, holder.apiKeyId);
  if (!key) throw new CredentialRefusedError("CREDENTIAL_UNKNOWN");
  return keyNow(dependencies, key);
}
