import { assertNone } from "@aiplatform/service-host";
import type { TrainingQuotas } from "../training-quotas.ts";
import { parametersViolations } from "./job-violations.ts";
import { changedRun, type Run, type RunChange } from "./run.ts";
import { runUpdated } from "./run-events.ts";
import type { RunAddress } from "./run-store.ts";
import type { ChangeRunDependencies } from "./update-run.ts";

export interface AddToRunDependencies extends ChangeRunDependencies {
  quotas: TrainingQuotas;
}

/** What is added to a run while it runs: what {@link RunChange} says, and parameters, made of those that there are. */
export interface RunAddition extends RunChange {
  parameters: (known: string) => string;
}

/**
 * Changes a run and adds parameters to it; nothing is announced where nothing changes.
 * @throws RunNotFoundError, TooManyTagsError, InvalidFieldsError, QuotaExceededError
 */
export function addToRun(
  { runs, quotas, outbox, transaction, clock }: AddToRunDependencies,
  organisationId: string,
  address: RunAddress,
  { parameters: added, ...change }: RunAddition,
): Promise<Run> {
  return transaction(async (session) => {
    const run = await runs.get(organisationId, address, session);
    const parameters = added(run.parameters);
    assertNone(parametersViolations({ text: parameters }));
    const bytes = Buffer.byteLength(parameters) - Buffer.byteLength(run.parameters);
    // The quota first, as with new runs. Where another transaction has changed since what was read, the claim conflicts.
    await quotas.admit(organisationId, { run_configuration_bytes: bytes }, session);
    const claimed = await runs.claim(organisationId, address, session);
    const at = clock();
    const isAdded = parameters !== claimed.parameters;
    const changed = changedRun(claimed, change, at);
    if (changed === claimed && !isAdded) return claimed;
    const stored = { ...changed, parameters, updatedAt: at };
    await runs.update(organisationId, stored, session);
    if (isAdded) await runs.putParameters(organisationId, stored, session);
    await outbox.stage(session, runUpdated(stored));
    return stored;
  });
}
