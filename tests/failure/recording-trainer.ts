import { randomUUID } from "node:crypto";
import { TrainingControlAction } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { type CommandDelivery, TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";

/** What the trainer saw and did, in the order in which it happened. */
export interface Record {
  /** Sequences in order of first delivery. */
  delivered: number[];
  /** Sequences whose acknowledgement was accepted, in order. */
  applied: number[];
  /** How often the stream had to be opened. */
  attachments: number;
}

/**
 * A trainer that takes no steps: it holds its commands, acknowledges each once it is its turn, and writes down what it
 * saw. It reconnects for ever and repeats an acknowledgement until it is answered, as a real one does.
 */
export function startRecordingTrainer(transport: Transport, apiKey: string, job: { run_id: string; job_name: string }) {
  const trainers = createClient(TrainerService, transport);
  const abort = new AbortController();
  const address = { runId: job.run_id, jobName: job.job_name, attachmentId: randomUUID() };
  const options = () => ({ headers: { authorization: `Bearer ${apiKey}` }, signal: abort.signal });
  const seen: Record = { delivered: [], applied: [], attachments: 0 };
  const done = new Set<string>();
  const checkpoint = randomUUID();

  const persistently = async <T>(call: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await call();
      } catch (reason) {
        const { code } = ConnectError.from(reason);
        if (abort.signal.aborted || !transient.has(code)) throw reason;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };

  const apply = async ({ command }: CommandDelivery) => {
    if (!command || done.has(command.id)) return;
    if (!seen.delivered.includes(command.sequence)) seen.delivered.push(command.sequence);
    const value = appliedBy(command.action, checkpoint, seen.delivered.length);
    try {
      await persistently(() =>
        trainers.acknowledgeCommand(
          { ...address, commandId: command.id, outcome: { case: "applied", value } },
          options(),
        ),
      );
      seen.applied.push(command.sequence);
    } catch (reason) {
      if (ConnectError.from(reason).code !== Code.FailedPrecondition) throw reason;
    }
    done.add(command.id);
  };

  const follow = async () => {
    let started = false;
    while (!abort.signal.aborted) {
      try {
        seen.attachments += 1;
        for await (const { event } of trainers.attach(
          { ...address, lastSequence: seen.applied.at(-1) ?? 0 },
          options(),
        )) {
          if (event.case === "attached" && !started) {
            for (const state of [JobState.PREPARING, JobState.RUNNING]) {
              await persistently(() => trainers.reportJobState({ ...address, state }, options()));
            }
            started = true;
          }
          if (event.case === "command") await apply(event.value);
        }
      } catch (reason) {
        if (!abort.signal.aborted && !transient.has(ConnectError.from(reason).code)) throw reason;
      }
      if (!abort.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const following = follow();

  return {
    seen,
    async stop() {
      abort.abort();
      await following;
    },
  };
}

/** What a service answers while it or something it needs is away. */
const transient = new Set([
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.Canceled,
  Code.Aborted,
  Code.Unknown,
  Code.Internal,
]);

function appliedBy(action: TrainingControlAction, checkpointId: string, step: number) {
  if (action === TrainingControlAction.PAUSE) {
    return {
      checkpointId,
      checkpoint: { id: checkpointId, step: 1, segmentIndex: 0, uri: "none", sha256: "", sizeBytes: 0n },
    };
  }
  return action === TrainingControlAction.RESUME ? { checkpointId, startStep: step } : {};
}
