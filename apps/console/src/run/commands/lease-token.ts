/** A lease that this tab holds. */
export interface OwnLease {
  supervision_id: string;
  supervision_lease_token: string;
}

const keyOf = (supervisionId: string) => `lease ${supervisionId}`;

/** Keeps the token for this tab alone, also when the page is loaded again. */
export function keepToken({ supervision_id, supervision_lease_token }: OwnLease): void {
  sessionStorage.setItem(keyOf(supervision_id), supervision_lease_token);
}

/** The lease of this id with its token; undefined when another tab or another caller holds it. */
export function ownLeaseOf(supervisionId: string): OwnLease | undefined {
  const token = sessionStorage.getItem(keyOf(supervisionId));
  return token === null ? undefined : { supervision_id: supervisionId, supervision_lease_token: token };
}

/** Forgets a token that opens nothing now. */
export function forgetToken(supervisionId: string): void {
  sessionStorage.removeItem(keyOf(supervisionId));
}
