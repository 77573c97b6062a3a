import { isSuspension } from "@aiplatform/caller-identity";
import { type ClientSession, isDuplicateKey } from "@aiplatform/document-store";
import type { TaskRunner } from "@aiplatform/worker-pool";
import type { JsonObject } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { onSchedule } from "../automation-schedules/schedule.ts";
import { StepFailedError } from "../automation-steps/step-outcome.ts";
import type { Automation, Version } from "../automations/automation.ts";
import type { AutomationStore } from "../automations/automation-store.ts";
import { ConditionError } from "../automations/condition.ts";
import type { KeepScheduleDependencies } from "../automations/keep-schedule.ts";
import type { OperationContext } from "../operation-context.ts";
import { type AutomationRun, causeOf, maxInputBytes, maxOpenRunsForTriggers } from "./automation-run.ts";
import { automationRunEnded, automationRunStarted } from "./automation-run-events.ts";
import type { AutomationRunStore } from "./automation-run-store.ts";
import { countOutcome } from "./complete-run.ts";
import type { StepAuthorizer } from "./step-authorizer.ts";
import type { TriggeredEventStore } from "./triggered-event-store.ts";

export interface StartTriggeredRunDependencies
  extends Pick<OperationContext, "outbox" | "transaction" | "clock" | "newId">,
    KeepScheduleDependencies {
  automations: AutomationStore;
  automationRuns: AutomationRunStore;
  triggeredEvents: TriggeredEventStore;
  authorizer: Pick<StepAuthorizer, "authorizeTrigger">;
  tasks: TaskRunner<{ conditionHolds: (asked: { when: string; event: unknown }) => boolean }>;
}

/** Something that happened, as automations see it. */
export interface TriggeringEvent {
  id: string;
  /** `domain.entity.happened` */
  name: string;
  json: JsonObject;
  time: Date;
}

/** Why a run fails before its first step, and whether that is the automation's fault. */
interface Failure {
  error: string;
  isCounted: boolean;
}

/**
 * Starts a run of a triggered automation, once for each event, where its condition holds. A run that has failed is made for an
 * event that the publisher may not read, of a suspended organisation, or for which there is no room, and where the condition
 * cannot be answered. Answers whether a run was made.
 * @throws ConnectError UNAVAILABLE while identity cannot be asked what the publisher may read
 */
export async function startTriggeredRun(
  dependencies: StartTriggeredRunDependencies,
  automation: Automation,
  event: TriggeringEvent,
): Promise<boolean> {
  const { organisationId, currentVersion: version } = automation;
  // Events from before the version was published start nothing.
  if (!version?.publishedAt || event.time < version.publishedAt) return false;
  const run = await triggeredRunOf(dependencies, automation, event);
  if (!run) return false;
  try {
    await storeTriggeredRun(dependencies, { organisationId, run });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** A run that an event starts, or that has failed before its first step. */
export interface TriggeredRun {
  automation: Automation;
  versionId: string;
  event: TriggeringEvent;
  failure: Failure | undefined;
}

/**
 * The run that the event starts; undefined where it starts none. @throws ConnectError UNAVAILABLE while identity cannot be asked
 * what the publisher may do
 */
export async function triggeredRunOf(
  dependencies: StartTriggeredRunDependencies,
  automation: Automation,
  event: TriggeringEvent,
): Promise<TriggeredRun | undefined> {
  const { currentVersion: version } = automation;
  if (!version?.trigger) return undefined;
  const refusal = await refusalOf(dependencies, version, event.name);
  // Due times go on while an organisation is suspended, and events that others caused do not.
  if (refusal === suspended && event.name === onSchedule) return undefined;
  // Before the condition, which tells something of the event as well.
  const answer = refusal ?? (await conditionOf(dependencies, automation.organisationId, version.trigger.when, event));
  if (answer === false) return undefined;
  return {
    automation,
    versionId: version.id,
    event: refusal ? { ...event, json: {} } : event,
    failure: answer === true ? undefined : answer,
  };
}

const suspended: Failure = { error: "The trigger: the organisation was suspended", isCounted: false };

/** Why the event may not be read in the publisher's name. */
async function refusalOf(
  { authorizer }: Pick<StartTriggeredRunDependencies, "authorizer">,
  version: Version,
  event: string,
): Promise<Failure | undefined> {
  try {
    await authorizer.authorizeTrigger(version, event);
    return undefined;
  } catch (error) {
    // Waiting would keep the events of all organisations waiting.
    if (error instanceof ConnectError && isSuspension(error)) return suspended;
    if (!(error instanceof StepFailedError)) throw error;
    return { error: `The trigger: ${error.message}`, isCounted: true };
  }
}

async function conditionOf(
  { tasks }: Pick<StartTriggeredRunDependencies, "tasks">,
  organisationId: string,
  when: string,
  { json: event }: TriggeringEvent,
): Promise<boolean | Failure> {
  // An empty one holds of each.
  if (when.trim() === "") return true;
  try {
    return await tasks.run(organisationId, "conditionHolds", { when, event }, { isBackground: true });
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    return { error: `The condition of the trigger: ${error.message}`, isCounted: true };
  }
}

/**
 * Stores the run, if there is one, and in the same transaction what `within` writes. @throws DuplicateKeyError when the event has
 * started the automation before, and whatever `within` throws
 */
export async function storeTriggeredRun(
  dependencies: StartTriggeredRunDependencies,
  { organisationId, run }: { organisationId: string; run: TriggeredRun | undefined },
  within: (session: ClientSession) => Promise<void> = async () => {},
): Promise<void> {
  const { automationRuns, transaction } = dependencies;
  await transaction(async (session) => {
    await within(session);
    if (run) await insertRun(dependencies, run, session);
  });
  if (run) await automationRuns.prune(organisationId, run.automation.id);
}

async function insertRun(
  dependencies: StartTriggeredRunDependencies,
  { automation, versionId, event, failure }: TriggeredRun,
  session: ClientSession,
): Promise<void> {
  const { automationRuns, triggeredEvents, outbox, clock, newId } = dependencies;
  const { organisationId, id: automationId } = automation;
  const input = JSON.stringify(event.json);
  const time = clock();
  await triggeredEvents.insert(organisationId, { automationId, eventId: event.id, at: time }, session);
  const open = await automationRuns.countOpen(organisationId, session);
  const stopped = failure ?? sizeFailure(input) ?? roomFailure(open);
  const run: AutomationRun = {
    ...{ id: newId(), organisationId, automationId, versionId, startedBy: event.name, steps: [], cause: undefined },
    ...{ status: stopped ? "failed" : "queued", error: stopped?.error, endedAt: stopped && time, createdAt: time },
    input: Buffer.byteLength(input) > maxInputBytes ? "{}" : input,
  };
  await automationRuns.insert(organisationId, run, session);
  await outbox.stage(session, automationRunStarted(run, causeOf(run)));
  if (!stopped) return;
  await outbox.stage(session, automationRunEnded(run, time, causeOf(run)));
  if (stopped.isCounted) await countOutcome(dependencies, run, "failed", session);
}

function sizeFailure(input: string): Failure | undefined {
  if (Buffer.byteLength(input) <= maxInputBytes) return undefined;
  return { error: `The event has more than ${maxInputBytes} bytes`, isCounted: true };
}

function roomFailure(open: number): Failure | undefined {
  if (open < maxOpenRunsForTriggers) return undefined;
  return { error: `${maxOpenRunsForTriggers} runs of the organisation are under way`, isCounted: false };
}
