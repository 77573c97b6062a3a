/** Whether the credentials of an organisation are accepted, and whether what it has is there. */
export type OrganisationState = "active" | "suspended" | "deleting" | "deleted";

/** What the operator does to an organisation; `finish` is what the platform does when everything is removed. */
export type OrganisationMove = "suspend" | "restore" | "setQuotas" | "delete" | "finish";

/** Only a suspended organisation is deleted: nothing uses it, and its members had the time to notice. */
export class OrganisationNotSuspendedError extends Error {
  override name = "OrganisationNotSuspendedError";
  constructor() {
    super("The organisation is active: suspend it first, then delete it");
  }
}

/** A deletion cannot be undone. */
export class OrganisationDeletedError extends Error {
  override name = "OrganisationDeletedError";
  constructor(state: "deleting" | "deleted") {
    const is = state === "deleting" ? "is being deleted" : "was deleted";
    super(`The organisation ${is}, which cannot be undone: create another one`);
  }
}

/** Everything is removed of an organisation that is being deleted, and of no other. */
export class OrganisationNotDeletingError extends Error {
  override name = "OrganisationNotDeletingError";
  constructor(state: OrganisationState) {
    super(`The organisation is ${state}, and is not being deleted`);
  }
}

type Outcome = OrganisationState | (() => Error);

const notSuspended = () => new OrganisationNotSuspendedError();
const isDeleting = () => new OrganisationDeletedError("deleting");
const isDeleted = () => new OrganisationDeletedError("deleted");

/** What each move leads to in each state, or why it is refused. A move that was made before changes nothing. */
const moves: Record<OrganisationMove, Record<OrganisationState, Outcome>> = {
  suspend: { active: "suspended", suspended: "suspended", deleting: isDeleting, deleted: isDeleted },
  restore: { active: "active", suspended: "active", deleting: isDeleting, deleted: isDeleted },
  setQuotas: { active: "active", suspended: "suspended", deleting: isDeleting, deleted: isDeleted },
  delete: { active: notSuspended, suspended: "deleting", deleting: "deleting", deleted: "deleted" },
  finish: {
    active: () => new OrganisationNotDeletingError("active"),
    suspended: () => new OrganisationNotDeletingError("suspended"),
    deleting: "deleted",
    deleted: "deleted",
  },
};

/** @throws OrganisationNotSuspendedError, OrganisationDeletedError, OrganisationNotDeletingError */
export function stateAfter(state: OrganisationState, move: OrganisationMove): OrganisationState {
  const outcome = moves[move][state];
  if (typeof outcome === "function") throw outcome();
  return outcome;
}
