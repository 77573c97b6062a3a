import type { ClientSession, EventCause } from "@aiplatform/document-store";
import { isSameSettings, settingsAfterRun } from "../automations/automation-settings.ts";
import type { ContentDependencies } from "../dependencies.ts";
import { type AutomationRun, causeOf, endedRun, type RunEnd } from "./automation-run.ts";
import { automationRunEnded, automationSettingsUpdated } from "./automation-run-events.ts";

type Dependencies = Pick<ContentDependencies, "automations" | "automationRuns" | "outbox" | "clock">;

/** How a run ends, and who says so. */
export interface WantedEnd {
  status: RunEnd;
  error?: string | undefined;
  /** Ends the run only if this holder carries it out. Undefined: ends it, with or without a holder. */
  holder?: string;
  cause?: EventCause | undefined;
}

/**
 * Ends a run in the session's transaction, and disables its automation when too many have failed in a row. Answers the run as
 * it is then; undefined when it had ended before, or another carries it out.
 */
export async function endRun(
  { automations, automationRuns, outbox, clock }: Dependencies,
  run: AutomationRun,
  { status, error, holder, cause }: WantedEnd,
  session: ClientSession,
): Promise<AutomationRun | undefined> {
  const time = clock();
  const ended = endedRun(run, { status, error, time });
  if (!(await automationRuns.end(ended, holder, session))) return undefined;
  await outbox.stage(session, automationRunEnded(ended, time, cause));
  if (status === "cancelled") return ended;
  await countOutcome({ automations, outbox }, ended, status, session);
  return ended;
}

/** Counts how a run of the automation ended. */
export async function countOutcome(
  { automations, outbox }: Pick<Dependencies, "automations" | "outbox">,
  run: AutomationRun,
  outcome: "succeeded" | "failed",
  session: ClientSession,
): Promise<void> {
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
  await outbox.stage(session, automationSettingsUpdated(changed, endedAt, causeOf(run)));
}
