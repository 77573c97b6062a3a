/** Whether the credentials of an organisation are accepted. */
export type OrganisationState = "active" | "suspended";

/** What the operator does to an organisation. */
export type OrganisationMove = "suspend" | "restore";

/** Every move is allowed in every state; one that was made before changes nothing. */
const moves: Record<OrganisationMove, Record<OrganisationState, OrganisationState>> = {
  suspend: { active: "suspended", suspended: "suspended" },
  restore: { active: "active", suspended: "active" },
};

export function stateAfter(state: OrganisationState, move: OrganisationMove): OrganisationState {
  return moves[move][state];
}
