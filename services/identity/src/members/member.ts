import { NotFoundError } from "@aiplatform/service-kit/not-found";
import { administratorRoleId } from "../roles/system-roles.ts";

/**
 * Where a member stands. `invited`: no token stands for the member yet, so no token lets them in. `active`: may act.
 * `inactive`: may not, until a caller reactivates them.
 */
export type MemberStatus = "invited" | "active" | "inactive";

/** A person or program of an organisation, known by what an identity provider says of it. */
export interface Member {
  id: string;
  organisationId: string;
  displayName: string;
  /** Lower-case. */
  email: string;
  /** With `subject`: whose tokens stand for the member. Both empty: no token does. */
  issuer: string;
  subject: string;
  roleIds: string[];
  status: MemberStatus;
  createdAt: Date;
  /** When a token of the member was last exchanged, to the minute and written lazily, or when they last signed in or switched to the organisation. */
  lastSeenAt: Date | undefined;
  /** Wants none of the e-mails that are sent to members. */
  emailOptedOut: boolean;
}

export type NewMember = Pick<Member, "displayName" | "email" | "issuer" | "subject">;

/** Another member of the organisation has this e-mail address, or this issuer and subject. */
export class MemberTakenError extends Error {
  override name = "MemberTakenError";
  readonly taken: "email" | "subject";
  constructor(taken: "email" | "subject") {
    super(taken === "email" ? "The e-mail address is taken" : "The issuer's subject is taken");
    this.taken = taken;
  }
}

export class MemberNotFoundError extends NotFoundError {
  override name = "MemberNotFoundError";
}

/** The caller is no member: an API key that acts for itself, for example. */
export class CallerNotMemberError extends Error {
  override name = "CallerNotMemberError";
  constructor() {
    super("The caller is not a member of an organisation");
  }
}

/** Issuer without subject, or the reverse: no token could ever stand for such a member. */
export class IncompleteSubjectError extends Error {
  override name = "IncompleteSubjectError";
  /** The one that is empty. */
  readonly field: "issuer" | "subject";
  constructor(field: "issuer" | "subject") {
    super("is needed when the other of issuer and subject is given");
    this.field = field;
  }
}

/** The change would leave the organisation without an administrator who is active, or invited where none is active. */
export class LastAdministratorError extends Error {
  override name = "LastAdministratorError";
  constructor() {
    super("The organisation needs an administrator: make another member one first");
  }
}

/**
 * A member about to be stored: e-mail address in lower case; active, or invited when no issuer knows them.
 * @throws IncompleteSubjectError
 */
export function newMember(
  wanted: NewMember,
  made: Pick<Member, "id" | "organisationId" | "roleIds" | "createdAt">,
): Member {
  if (wanted.issuer === "" && wanted.subject !== "") throw new IncompleteSubjectError("issuer");
  if (wanted.subject === "" && wanted.issuer !== "") throw new IncompleteSubjectError("subject");
  const { displayName, email, issuer, subject } = wanted;
  const fields = { displayName, email: email.toLowerCase(), issuer, subject };
  return { ...made, ...fields, status: statusWhenAllowed(wanted), lastSeenAt: undefined, emailOptedOut: false };
}

/** The status of a member who is not deactivated. */
export function statusWhenAllowed({ subject }: Pick<Member, "subject">): MemberStatus {
  return subject === "" ? "invited" : "active";
}

/** Whether the member administers the organisation, or will after taking up the invitation. */
export function isAdministrator({ status, roleIds }: Pick<Member, "status" | "roleIds">): boolean {
  return status !== "inactive" && roleIds.includes(administratorRoleId);
}

/** Whether both name the same roles, whatever their order. */
export function sameRoles(one: readonly string[], other: readonly string[]): boolean {
  const set = new Set(one);
  return set.size === new Set(other).size && other.every((id) => set.has(id));
}

/** Id of the calling member. @throws CallerNotMemberError */
export function memberIdOf({ memberId }: { memberId?: string }): string {
  if (memberId === undefined) throw new CallerNotMemberError();
  return memberId;
}
