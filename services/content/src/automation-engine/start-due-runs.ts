import { type Claim, isDuplicateKey, LeaseLostError } from "@aiplatform/document-store";
import type { Logger } from "@aiplatform/service-host";
import { planDueRuns } from "../automation-schedules/plan-due-runs.ts";
import { type KeptSchedule, onSchedule } from "../automation-schedules/schedule.ts";
import type { Advance, ScheduleStore } from "../automation-schedules/schedule-store.ts";
import type { Automation } from "../automations/automation.ts";
import type { AutomationEngine } from "./start-automation-engine.ts";
import {
  type StartTriggeredRunDependencies,
  storeTriggeredRun,
  type TriggeredRun,
  triggeredRunOf,
} from "./start-triggered-run.ts";

/** What became of a look at a due schedule. */
export type DueOutcome = "started" | "not_started" | "missed";

export interface StartDueRunsDependencies extends StartTriggeredRunDependencies {
  schedules: ScheduleStore;
  runWorker: Pick<AutomationEngine["runWorker"], "wake">;
  /** The database's clock. */
  now: () => Date;
  logger: Pick<Logger, "warn">;
  /** Counts what became of due times. */
  counted: (outcome: DueOutcome) => void;
}

/**
 * Starts a run for each due time of a schedule, as its holder, and keeps which due time is next in the transaction of each run: one
 * that was killed has left both or neither.
 * @throws LeaseLostError when the automation was changed meanwhile; ConnectError UNAVAILABLE while identity cannot be asked
 */
export async function startDueRuns(
  dependencies: StartDueRunsDependencies,
  { work: schedule, holder }: Pick<Claim<KeptSchedule>, "work" | "holder">,
  signal: AbortSignal,
): Promise<void> {
  const { automations, schedules, transaction, now, logger, counted } = dependencies;
  const { organisationId, automationId, versionId, nextRunAt } = schedule;
  const plan = planDueRuns(schedule, now());
  const automation = await automations.find(organisationId, automationId);
  // Whatever changed that has written to the schedule as well.
  if (automation?.currentVersion?.id !== versionId) throw new LeaseLostError();
  if (plan.hasMissed) {
    const facts = { organisation_id: organisationId, automation_id: automationId, from: nextRunAt, next: plan.next };
    logger.warn(facts, "due times of a schedule are over for too long and start no run");
    counted("missed");
  }
  if (plan.runs.length === 0) {
    const advance = { holder, from: nextRunAt, to: plan.next, isLast: true };
    if (!(await transaction((session) => schedules.advance(schedule, advance, session)))) throw new LeaseLostError();
  }
  for (const [index, dueAt] of plan.runs.entries()) {
    signal.throwIfAborted();
    const from = index === 0 ? nextRunAt : dueAt;
    const next = plan.runs[index + 1];
    await startRun(
      dependencies,
      { automation, schedule, holder, dueAt },
      { from, to: next ?? plan.next, isLast: !next },
    );
  }
}

interface DueRun {
  automation: Automation;
  schedule: KeptSchedule;
  holder: string;
  dueAt: Date;
}

async function startRun(
  dependencies: StartDueRunsDependencies,
  { automation, schedule, holder, dueAt }: DueRun,
  advance: Advance,
): Promise<void> {
  const { schedules, runWorker, counted } = dependencies;
  const { timeZone: time_zone } = schedule;
  const due_at = dueAt.toISOString();
  // The due time is the key of its run.
  const event = { id: `${onSchedule} ${due_at}`, name: onSchedule, json: { due_at, time_zone }, time: dueAt };
  const advanced = (run: TriggeredRun | undefined) =>
    storeTriggeredRun(dependencies, { organisationId: schedule.organisationId, run }, async (session) => {
      if (!(await schedules.advance(schedule, { ...advance, holder }, session))) throw new LeaseLostError();
    });
  const run = await triggeredRunOf(dependencies, automation, event);
  const isStarted = await advanced(run).then(
    () => run !== undefined,
    async (error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
      // The database's clock was put back.
      await advanced(undefined);
      return false;
    },
  );
  counted(isStarted ? "started" : "not_started");
  if (isStarted) runWorker.wake();
}
