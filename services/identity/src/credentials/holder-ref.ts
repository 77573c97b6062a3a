/** A member, or an API key that acts for itself. */
export type HolderRef = { memberId: string } | { apiKeyId: string };

/** A holder in a document: one of the two. */
export interface StoredHolder {
  member_id?: string;
  api_key_id?: string;
}

/** In whose name the caller acts. */
export function holderOf({ memberId, credentialId }: { memberId?: string; credentialId: string }): HolderRef {
  return memberId === undefined ? { apiKeyId: credentialId } : { memberId };
}

export function toStoredHolder(holder: HolderRef): { member_id: string } | { api_key_id: string } {
  return "memberId" in holder ? { member_id: holder.memberId } : { api_key_id: holder.apiKeyId };
}

export function toHolder({ member_id: memberId, api_key_id: apiKeyId = "" }: StoredHolder): HolderRef {
  return memberId === undefined ? { apiKeyId } : { memberId };
}
