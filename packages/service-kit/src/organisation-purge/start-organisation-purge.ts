import {
  type Claim,
  type ClientSession,
  type IndexPlan,
  LeaseLostError,
  ownedCollections,
  removeOrganisation,
} from "@aiplatform/document-store";
import { redeliverableMs } from "@aiplatform/event-stream";
import { ClaimingWorker } from "../claiming-worker.ts";
import type { DomainPlatform } from "../start-domain-service.ts";
import { afterPass, type Purge } from "./purge-state.ts";

/** What a service does for the purge of a deleted organisation, besides removing its documents. */
export interface PurgeParts {
  /**
   * Ends and removes what the organisation has outside the database. Answers false while that is not over: it is asked again
   * after a while, and until then no document is removed. It is repeated with every pass. Default: there is nothing.
   */
  readonly prepare?: (organisationId: string, signal: AbortSignal) => Promise<boolean>;
  /** Tells that nothing is left, in the transaction that says so. */
  readonly purged: (organisationId: string, session: ClientSession) => Promise<void>;
}

interface Options extends PurgeParts {
  /** Of everything that the service keeps. */
  readonly indexes: readonly IndexPlan[];
  readonly settleMs: number;
}

type Dependencies = Pick<DomainPlatform, "logger" | "meter" | "tracer" | "store" | "transaction" | "purges">;

/** A killed process's purge goes on after this time, ms. */
const leaseMs = 10_000;
/** Until `prepare` is asked again, ms. */
const askAgainMs = 1_000;
/** Between two looks while nothing is due, ms: a purge begins by an event, and what waits can wait longer. */
const idlePauseMs = 15_000;
/** Organisations that are purged at once; what is removed meanwhile shares the database with the calls. */
const concurrency = 2;

/**
 * Purges deleted organisations, each in passes: at once, when everything that had begun before the deletion has ended, and when
 * no event from before it can come again. The second one is what the service reports.
 */
export function startOrganisationPurge(platform: Dependencies, options: Options): ClaimingWorker<Purge> {
  const { purges } = platform;
  const pass = { ...platform, ...options, collections: ownedCollections(options.indexes) };
  const worker = new ClaimingWorker(platform, {
    name: "organisation-purge",
    leases: purges.leases,
    leaseMs,
    concurrency,
    maxPauseMs: Math.min(idlePauseMs, options.settleMs),
    run: (claim, signal) => runPass(pass, claim, signal),
  });
  purges.onBegin(() => worker.wake());
  return worker;
}

async function runPass(
  o: Dependencies & Options & { collections: ReturnType<typeof ownedCollections> },
  claim: Claim<Purge>,
  signal: AbortSignal,
): Promise<void> {
  const { store, purges, transaction, prepare, purged, collections, settleMs, logger } = o;
  const { organisationId, work } = claim;
  const beganAt = store.now();
  if (prepare && !(await prepare(organisationId, signal))) {
    await purges.leases.release(claim, { afterMs: askAgainMs, failures: 0 });
    return;
  }
  const removed = await removeOrganisation(store, { collections, organisationId }, signal);
  const next = afterPass(work, beganAt, { settleMs, redeliverableMs });
  await transaction(async (session) => {
    if (!(await purges.advance(claim, next, session))) throw new LeaseLostError();
    if (work.state === "purging" && next.state !== "purging") await purged(organisationId, session);
  });
  logger.info(
    { organisation_id: organisationId, removed, state: next.state },
    "a pass over a deleted organisation has ended",
  );
}
