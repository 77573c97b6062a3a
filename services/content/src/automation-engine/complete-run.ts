import type { ClientSession, EventCause } from "@aiplatform/document-store";
import { automationSettingsUpdated } from "../automations/automation-events.ts";
import { isSameSettings, settingsAfterRun } from "../automations/automation-settings.ts";
import type { AutomationStore } from "../automations/automation-store.ts";
import { type KeepScheduleDependencies, keepSchedule } from "../automations/keep-schedule.ts";
import type { OperationContext } from "../operation-context.ts";
import { type AutomationRun, causeOf, endedRun, type RunEnd } from "./automation-run.ts";
import { automationRunEnded } from "./automation-run-events.ts";
import type { AutomationRunStore } from "./automation-run-store.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "clock">, KeepScheduleDependencies {
  automations: AutomationStore;
  automationRuns: AutomationRunStore;
}

export interface RunCompletion {
  status: RunEnd;
  error?: string | undefined;
  /** Ends the run only if this holder executes it. Undefined: ends it, with or without a holder. */
  holder?: string;
  cause?: EventCause | undefined;
}

/**
 * Ends a run in the session's transaction, and disables its automation when too many have failed in a row. Answers the run as
 * it is then; undefined when it had ended before, or another executes it.
 */
export async function completeRun(
  dependencies: Dependencies,
  run: AutomationRun,
  { status, error, holder, cause }: RunCompletion,
  session: ClientSession,
): Promise<AutomationRun | undefined> {
  const { automationRuns, outbox, clock } = dependencies;
  const time = clock();
  const ended = endedRun(run, { status, error, time });
  if (!(await automationRuns.end(ended, holder, session))) return undefined;
  await outbox.stage(session, automationRunEnded(ended, time, cause));
  if (status === "cancelled") return ended;
  await countOutcome(dependencies, ended, status, session);
  return ended;
}

/** Counts how a run of the automation ended. */
export async function countOutcome(
  dependencies: Omit<Dependencies, "automationRuns" | "clock">,
  run: AutomationRun,
  outcome: "succeeded" | "failed",
  session: ClientSession,
): Promise<void> {
  const { automations, outbox } = dependencies;
  const { organisationId, automationId, endedAt } = run;
  const automation = await automations.find(organisationId, automationId, session);
  if (!automation) return;
  const settings = settingsAfterRun(automation.settings, outcome);
  if (isSameSettings(settings, automation.settings)) return;
  const claimed = await automations.claim(organisationId, automationId, session);
  if (!claimed) return;
  const changed = { ...claimed, settings: settingsAfterRun(claimed.settings, outcome) };
  await automations.setSettings(organisationId, changed, session);
  if (changed.settings.enabled === claimed.settings.enabled || !endedAt) return;
  await keepSchedule(dependencies, changed, session);
  await outbox.stage(session, automationSettingsUpdated(changed, endedAt, causeOf(run)));
}
