import type { ClientSession } from "@aiplatform/document-store";
import { InvalidFieldsError } from "@aiplatform/service-host";
import type { AutomationStore } from "../automations/automation-store.ts";
import type { OperationContext } from "../operation-context.ts";
import {
  AutomationDisabledError,
  type AutomationRun,
  AutomationRunLimitError,
  maxInputBytes,
  maxOpenRuns,
  NothingPublishedError,
  onDemand,
} from "./automation-run.ts";
import { automationRunStarted } from "./automation-run-events.ts";
import type { AutomationRunStore } from "./automation-run-store.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "clock" | "newId"> {
  automations: AutomationStore;
  automationRuns: AutomationRunStore;
}

export interface WantedRun extends Pick<AutomationRun, "organisationId" | "automationId" | "cause"> {
  /** JSON text of an object. */
  input: string;
}

/**
 * Starts a run of the published version; it goes on from there by itself.
 * @throws InvalidFieldsError, AutomationNotFoundError, NothingPublishedError, AutomationDisabledError, and once as many
 * are under way as there may be, AutomationRunLimitError: requests of the same instant may each find room for theirs
 */
export async function startAutomationRun(
  dependencies: Dependencies,
  { organisationId, automationId, input, cause }: WantedRun,
  session: ClientSession,
): Promise<AutomationRun> {
  const { automations, automationRuns, outbox, clock, newId } = dependencies;
  assertInput(input);
  const automation = await automations.get(organisationId, automationId);
  const { currentVersion: version, settings } = automation;
  if (!version) throw new NothingPublishedError(automationId);
  if (!settings.enabled) throw new AutomationDisabledError(automationId);
  if ((await automationRuns.countOpen(organisationId, session)) >= maxOpenRuns) throw new AutomationRunLimitError();
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
  if (Buffer.byteLength(input) <= maxInputBytes) return;
  const description = `Value error, the input may have ${maxInputBytes} bytes at most`;
  throw new InvalidFieldsError([{ field: "input", reason: "INPUT_TOO_LARGE", description }]);
}
