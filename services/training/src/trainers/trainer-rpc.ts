import { callerOf } from "@aiplatform/caller-identity";
import { TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { InvalidFieldsError } from "@aiplatform/service-host";
import type { ConnectRouter, ServiceImpl } from "@connectrpc/connect";
import { commandMessage } from "../control-commands/control-command-message.ts";
import { datasetMessage, jobStateNumber, jobStateOf } from "../runs/run-message.ts";
import { acknowledgeCommand } from "./acknowledge-command.ts";
import { type AttachTrainerDependencies, attachTrainer, type TrainerAddress } from "./attach-trainer.ts";
import { registerCheckpoint } from "./register-checkpoint.ts";
import { type EndingDependencies, reportJobState } from "./report-job-state.ts";
import { takeJob } from "./take-job.ts";
import {
  artifactOfMessage,
  checkpointMessage,
  checkpointOfMessage,
  eventMessage,
  outcomeOfMessage,
} from "./trainer-message.ts";

export interface TrainerDependencies extends AttachTrainerDependencies, EndingDependencies {
  clock: () => Date;
  /** Takes batches of metrics. */
  report: ServiceImpl<typeof TrainerService>["report"];
  sendReport: ServiceImpl<typeof TrainerService>["sendReport"];
  sendMetrics: ServiceImpl<typeof TrainerService>["sendMetrics"];
}

export function trainerRoutes(router: ConnectRouter, dependencies: TrainerDependencies): void {
  const { clock, report, sendReport, sendMetrics } = dependencies;
  router.service(TrainerService, {
    report,
    sendReport,
    sendMetrics,
    async takeJob(request, context) {
      const { organisationId } = callerOf(context);
      const taker = { ...trainerOf(request), pipelineId: request.pipelineId };
      const { state, overrides, datasets, ...taken } = await takeJob(dependencies, organisationId, taker);
      const read = datasets.map(datasetMessage);
      return { ...taken, state: jobStateNumber(state), overrides: { text: overrides }, datasets: read };
    },
    async *attach(request, context) {
      const { organisationId } = callerOf(context);
      const trainer = {
        ...trainerOf(request),
        lastSequence: request.lastSequence,
        lastCommandId: request.lastCommandId,
      };
      for await (const event of attachTrainer(dependencies, organisationId, trainer, context.signal)) {
        yield eventMessage(event);
      }
    },
    async acknowledgeCommand(request, context) {
      const { organisationId } = callerOf(context);
      const addressed = { ...trainerOf(request), commandId: request.commandId };
      const outcome = outcomeOfMessage(request, clock());
      const { command, state, activeSegment } = await acknowledgeCommand(
        dependencies,
        organisationId,
        addressed,
        outcome,
      );
      return { command: commandMessage(command), state: jobStateNumber(state), activeSegment };
    },
    async reportJobState(request, context) {
      const { organisationId } = callerOf(context);
      const state = jobStateOf(request.state);
      if (!state) throw new InvalidFieldsError([{ field: "state", reason: "REQUIRED", description: "is required" }]);
      const artifact = request.artifact ? { artifact: artifactOfMessage(request.artifact) } : {};
      const reported = { state, ...artifact, ...(request.detail ? { detail: request.detail } : {}) };
      return {
        state: jobStateNumber(await reportJobState(dependencies, organisationId, trainerOf(request), reported)),
      };
    },
    async registerCheckpoint(request, context) {
      const { organisationId } = callerOf(context);
      if (!request.checkpoint) {
        throw new InvalidFieldsError([{ field: "checkpoint", reason: "REQUIRED", description: "is required" }]);
      }
      const checkpoint = checkpointOfMessage(request.checkpoint, clock());
      const known = await registerCheckpoint(dependencies, organisationId, trainerOf(request), checkpoint);
      return { checkpoint: checkpointMessage(known) };
    },
  });
}

/** Without a pipeline, the run alone says which job it is. */
function trainerOf({ pipelineId, runId, jobName, attachmentId }: TrainerAddress): TrainerAddress {
  return { pipelineId, runId, jobName, attachmentId };
}
