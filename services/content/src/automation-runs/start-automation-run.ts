import type { ClientSession } from "@aiplatform/document-store";
import { InvalidFieldsError } from "@aiplatform/service-host";
import { getAutomation } from "../automations/get-automation.ts";
import type { ContentDependencies } from "../dependencies.ts";
import { notAnObject, parseJsonObject } from "../json-object.ts";
import {
  AutomationDisabledError,
  type AutomationRun,
  AutomationRunLimitError,
  mostInputBytes,
  mostRuns,
  NothingPublishedError,
  onDemand,
} from "./automation-run.ts";
import { automationRunStarted } from "./automation-run-events.ts";

type Dependencies = Pick<ContentDependencies, "automations" | "automationRuns" | "outbox" | "clock" | "newId">;

/** What is to run, on whose request. */
export interface WantedRun extends Pick<AutomationRun, "organisationId" | "automationId" | "cause"> {
  /** JSON text of an object. */
  input: string;
}

/**
 * Starts a run of the published version; it goes on from there by itself. Throws InvalidFieldsError, AutomationNotFoundError,
 * NothingPublishedError, AutomationDisabledError, and once as many are under way as there may be, AutomationRunLimitError:
 * requests of the same instant may each find room for theirs.
 */
export async function startAutomationRun(
  dependencies: Dependencies,
  { organisationId, automationId, input, cause }: WantedRun,
  session: ClientSession,
): Promise<AutomationRun> {
  const { automations, automationRuns, outbox, clock, newId } = dependencies;
  assertInput(input);
  const automation = await getAutomation({ automations }, organisationId, automationId);
  const { currentVersion: version, settings } = automation;
  if (!version) throw new NothingPublishedError(automationId);
  if (!settings.enabled) throw new AutomationDisabledError(automationId);
  if ((await automationRuns.countOpen(organisationId, session)) >= mostRuns) throw new AutomationRunLimitError();
  const run: AutomationRun = {
    id: newId(),
    ...{ organisationId, automationId, versionId: version.id, status: "queued", startedBy: onDemand, input },
    ...{ error: undefined, steps: [], cause, createdAt: clock(), endedAt: undefined },
  };
  await automationRuns.insert(organisationId, run, session);
  await outbox.stage(session, automationRunStarted(run));
  return run;
}

function assertInput(input: string): void {
  if (!parseJsonObject(input)) throw new InvalidFieldsError([notAnObject("input")]);
  if (Buffer.byteLength(input) <= mostInputBytes) return;
  const description = `Value error, the input may have ${mostInputBytes} bytes at most`;
  throw new InvalidFieldsError([{ field: "input", reason: "INPUT_TOO_LARGE", description }]);
}
