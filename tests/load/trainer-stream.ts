import { randomUUID } from "node:crypto";
import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { createClient, type Transport } from "@connectrpc/connect";
import type { Job } from "./run-with-jobs.ts";

/** A trainer that attaches and tells when it holds a command; it trains nothing. */
export async function attachTrainer(transport: Transport, apiKey: string, job: Job) {
  const trainers = createClient(TrainerService, transport);
  const abort = new AbortController();
  const options = { headers: { authorization: `Bearer ${apiKey}` }, signal: abort.signal };
  const address = { runId: job.runId, jobName: job.name, attachmentId: randomUUID() };
  const held = new Map<string, (at: number) => void>();
  const early = new Map<string, number>();
  const stream = trainers.attach(address, options)[Symbol.asyncIterator]();
  await stream.next();
  for (const state of [JobState.PREPARING, JobState.RUNNING])
    await trainers.reportJobState({ ...address, state }, options);

  const reading = (async () => {
    for (let item = await stream.next(); !item.done; item = await stream.next()) {
      if (item.value.event.case !== "command" || !item.value.event.value.command) continue;
      const { id, idempotencyKey } = item.value.event.value.command;
      const told = held.get(idempotencyKey);
      if (told) told(performance.now());
      else early.set(idempotencyKey, performance.now());
      held.delete(idempotencyKey);
      await trainers.acknowledgeCommand(
        { ...address, commandId: id, outcome: { case: "applied", value: {} } },
        options,
      );
    }
  })().catch((reason: unknown) => {
    if (!abort.signal.aborted) throw reason;
  });

  return {
    address,
    trainers,
    options,
    /** When the trainer held the command with this idempotency key, on the clock of `performance.now()`. */
    heldAt: (key: string) => {
      const already = early.get(key);
      early.delete(key);
      return already === undefined
        ? new Promise<number>((resolve) => held.set(key, resolve))
        : Promise.resolve(already);
    },
    close: async () => {
      abort.abort();
      await reading;
    },
  };
}
