import { NotFoundError } from "@aiplatform/service-kit/not-found";
import type { OrganisationDeletion } from "./organisation-deletion.ts";
import type { OrganisationState } from "./organisation-state.ts";

/** A tenant. */
export interface Organisation {
  id: string;
  slug: string;
  name: string;
  createdAt: Date;
  state: OrganisationState;
  /** Grows with each change of the state. */
  stateRevision: number;
  /** Absent until its deletion is requested. */
  deletion?: OrganisationDeletion;
}

/** Two organisations cannot share a slug. */
export class OrganisationSlugTakenError extends Error {
  override name = "OrganisationSlugTakenError";
  readonly slug: string;
  constructor(slug: string) {
    super(`The slug ${slug} is taken`);
    this.slug = slug;
  }
}

/** A token may name an organisation by id or by slug, so no slug may look like an id. */
export class SlugLikeIdError extends Error {
  override name = "SlugLikeIdError";
  readonly field = "slug";
  constructor() {
    super("must not look like a uuid");
  }
}

/** The operator has suspended the caller's organisation. */
export class OrganisationSuspendedError extends Error {
  override name = "OrganisationSuspendedError";
  constructor() {
    super("The organisation is suspended: ask the operator of the installation");
  }
}

export class OrganisationNotFoundError extends NotFoundError {
  override name = "OrganisationNotFoundError";
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a name of an organisation is its id; otherwise it is its slug. */
export function isOrganisationId(name: string): boolean {
  return uuid.test(name);
}

/** @throws SlugLikeIdError */
export function assertUsableSlug(slug: string): void {
  if (isOrganisationId(slug)) throw new SlugLikeIdError();
}
