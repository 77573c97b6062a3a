import type { Organisation } from "./organisation.ts";

/** The services that keep something of organisations, besides identity, which is the last to remove what it keeps. */
export const purgingServices = ["content", "data", "deployments", "training"] as const;

export type PurgingService = (typeof purgingServices)[number];

/** Services that an installation may do without. */
const optionalServices: ReadonlySet<PurgingService> = new Set(["data"]);

/** The services that keep something of organisations in this installation. */
export function installedServices(isInstalled: (service: PurgingService) => boolean): PurgingService[] {
  return purgingServices.filter((service) => !optionalServices.has(service) || isInstalled(service));
}

/** How far the deletion of an organisation is. */
export interface OrganisationDeletion {
  readonly requestedAt: Date;
  /** Credential of who requested it: what tells of its end names it as well. */
  readonly requestedBy: string;
  /** When each service had removed everything; absent: it has not. */
  readonly purgedAt: Readonly<Partial<Record<PurgingService, Date>>>;
  /** Absent until everything is removed. */
  readonly deletedAt?: Date;
}

/** The slug that was to confirm a deletion is another one. */
export class SlugNotConfirmedError extends Error {
  override name = "SlugNotConfirmedError";
  readonly field = "confirm_slug";
  constructor() {
    super("is not the slug of this organisation: read its slug, and make sure that it is the one to delete");
  }
}

/** A deleted organisation has no slug left to compare. @throws SlugNotConfirmedError */
export function assertConfirmed({ state, slug }: Organisation, confirmSlug: string): void {
  if (state !== "deleted" && slug !== confirmSlug) throw new SlugNotConfirmedError();
}

/** Whether identity may remove what it keeps: each of the services has removed everything. */
export function isPurgedElsewhere(
  { purgedAt }: Pick<OrganisationDeletion, "purgedAt">,
  services: readonly PurgingService[],
): boolean {
  return services.every((service) => purgedAt[service] !== undefined);
}

/** The service that an event's type names: `aiplatform.training.organisation.purged.v1`. */
export function purgingServiceOf(type: string): PurgingService | undefined {
  const domain = type.split(".")[1];
  return purgingServices.find((service) => service === domain);
}
