import type { Outbox } from "@aiplatform/document-store";
import type { DomainStores } from "@aiplatform/service-kit";
import { changedRun, type Run, type RunChange } from "./run.ts";
import { runUpdated } from "./run-events.ts";
import type { RunAddress, RunStore } from "./run-store.ts";

export interface ChangeRunDependencies extends Pick<DomainStores, "transaction"> {
  runs: RunStore;
  outbox: Pick<Outbox, "stage">;
  clock: () => Date;
}

/** Changes a run; nothing is announced where nothing changes. @throws RunNotFoundError, TooManyTagsError */
export function updateRun(
  { runs, outbox, transaction, clock }: ChangeRunDependencies,
  organisationId: string,
  address: RunAddress,
  change: RunChange,
): Promise<Run> {
  return transaction(async (session) => {
    const run = await runs.claim(organisationId, address, session);
    const changed = changedRun(run, change, clock());
    if (changed === run) return run;
    await runs.update(organisationId, changed, session);
    await outbox.stage(session, runUpdated(changed));
    return changed;
  });
}
