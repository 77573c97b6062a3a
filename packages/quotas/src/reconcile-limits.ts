import type { ClientSession } from "@aiplatform/document-store";
import type { LimitsListener } from "./hear-changed-limits.ts";
import type { OrganisationLimitStore } from "./organisation-limit-store.ts";
import { compareLimits, type LimitsPage } from "./organisation-limits.ts";

/** Organisations that are compared at a time. */
const pageSize = 500;

export interface ReconcileDependencies {
  readonly organisationLimits: Pick<OrganisationLimitStore, "page" | "replace">;
  /** Asks identity. */
  readonly listActual: (after: string, limit: number) => Promise<LimitsPage>;
  /** Whether the organisation was deleted: nothing of it is to come back. */
  readonly isDeleted: (organisationId: string, session: ClientSession) => Promise<boolean>;
  readonly transaction: <R>(work: (session: ClientSession) => Promise<R>) => Promise<R>;
  readonly quotas: LimitsListener;
}

/**
 * Brings what is known to what identity has. Needed where an event is gone from the stream before it was handled, and where a
 * database was restored from a backup, this one or identity's.
 */
export async function reconcileLimits(
  { organisationLimits, listActual, isDeleted, transaction, quotas }: ReconcileDependencies,
  signal: AbortSignal,
): Promise<void> {
  let after: string | undefined = "";
  while (after !== undefined && !signal.aborted) {
    // In this order: what identity says later than that is at least as new, unless it was restored from a backup.
    const known = await organisationLimits.page(after, pageSize);
    const { differences, next } = compareLimits(known, await listActual(after, pageSize));
    for (const { known: former, actual } of differences) {
      await transaction(async (session) => {
        if (!(await isDeleted(actual.organisationId, session)))
          await organisationLimits.replace(former, actual, session);
      });
      quotas.limitsChanged(actual.organisationId);
    }
    after = next;
  }
}
