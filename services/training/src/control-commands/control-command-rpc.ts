import { type Caller, callerOf } from "@aiplatform/caller-identity";
import {
  ControlCommandService,
  type WatchControlCommandsRequest,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { InvalidFieldsError, waitWithin } from "@aiplatform/service-host";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import { addressOf } from "../runs/job-directory.ts";
import { commandJobs } from "./command-jobs.ts";
import { commandRequestOf, pauseRequestOf } from "./command-request.ts";
import { commandMessage, outcomeMessage, pauseMessage, statusOf } from "./control-command-message.ts";
import { type CreateControlCommandDependencies, createControlCommand } from "./create-control-command.ts";
import { type PreviewDependencies, previewControlCommand } from "./preview-control-command.ts";
import { getControlCommand, listControlCommands } from "./read-control-commands.ts";
import { type SelectJobsDependencies, selectJobs } from "./select-jobs.ts";
import { type WatchStart, watchControlCommands } from "./watch-control-commands.ts";

export interface ControlCommandDependencies
  extends CreateControlCommandDependencies,
    PreviewDependencies,
    SelectJobsDependencies {
  /** Aborted when this replica drains. */
  draining: AbortSignal;
}

const defaultLimit = 1_000;

export function controlCommandRoutes(router: ConnectRouter, dependencies: ControlCommandDependencies): void {
  router.service(ControlCommandService, {
    async createTrainingControlCommand(request, context) {
      const caller = callerOf(context);
      const command = await createControlCommand(dependencies, caller.organisationId, {
        ...commandRequestOf(request, caller),
        ...{ address: addressOf(request), idempotencyKey: request.idempotencyKey, ...requesterOf(caller) },
      });
      return { command: commandMessage(command) };
    },
    async pauseJob(request, context) {
      const caller = callerOf(context);
      const command = await createControlCommand(dependencies, caller.organisationId, {
        ...pauseRequestOf(request, caller, dependencies.clock()),
        ...{ address: addressOf(request), idempotencyKey: request.idempotencyKey, ...requesterOf(caller) },
      });
      return { pause: pauseMessage(command) };
    },
    async commandJobs(request, context) {
      const caller = callerOf(context);
      const { action, runtimeOverrides, dryRun, idempotencyKey } = request;
      const command = commandRequestOf({ action, runtimeOverrides }, caller);
      const jobs = await selectJobs(dependencies, request, context);
      const outcomes = await commandJobs(dependencies, caller.organisationId, {
        ...{ ...command, jobs, dryRun, idempotencyKey, ...requesterOf(caller) },
      });
      return { outcomes: outcomes.map(outcomeMessage) };
    },
    async listControlCommands(request, context) {
      const { organisationId } = callerOf(context);
      const status = statusOf(request.status);
      const commands = await listControlCommands(dependencies, organisationId, addressOf(request), {
        afterSequence: Number(request.afterSequence ?? 0n),
        ...(status ? { status } : {}),
        limit: request.limit ?? defaultLimit,
      });
      return { commands: commands.map(commandMessage) };
    },
    async getControlCommand(request, context) {
      const { organisationId } = callerOf(context);
      const wanted = { ...addressOf(request), commandId: request.commandId };
      const milliseconds = waitWithin(context, (request.waitSeconds ?? 0) * 1_000);
      const wait = { milliseconds, signal: until(dependencies, context) };
      return { command: commandMessage(await getControlCommand(dependencies, organisationId, wanted, wait)) };
    },
    async previewControlCommand(request, context) {
      const caller = callerOf(context);
      const wanted = commandRequestOf(request, caller);
      return { preview: await previewControlCommand(dependencies, caller.organisationId, addressOf(request), wanted) };
    },
    async *watchControlCommands(request, context) {
      const { organisationId } = callerOf(context);
      const watching = { ...startOf(request), signal: until(dependencies, context) };
      const changes = watchControlCommands(dependencies, organisationId, addressOf(request), watching);
      for await (const { position, command } of changes) yield { position, command: commandMessage(command) };
    },
  });
}

function requesterOf({ memberId }: Caller): { requestedByMemberId?: string } {
  return memberId === undefined ? {} : { requestedByMemberId: memberId };
}

function until({ draining }: ControlCommandDependencies, context: HandlerContext): AbortSignal {
  return AbortSignal.any([draining, context.signal]);
}

function startOf({ afterSequence, lastEventId }: WatchControlCommandsRequest): WatchStart {
  if (!lastEventId) return { afterSequence: Number(afterSequence ?? 0n) };
  if (/^\d+$/.test(lastEventId)) return { afterSequence: 0, afterPosition: Number(lastEventId) };
  const description = "must be the id of an event of this stream";
  throw new InvalidFieldsError([{ field: "last_event_id", reason: "UNKNOWN_EVENT_ID", description }]);
}
