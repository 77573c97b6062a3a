import { randomUUID } from "node:crypto";
import { LogLineService } from "@aiplatform/contract/aiplatform/training/v1/log_lines";
import { TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MetricsRig } from "./metrics-rig.ts";
import { failureOf, TrainingRig } from "./training-rig.ts";

const maxBytes = 65_536;
const retentionDays = 3;

let rig: TrainingRig;
const cleanUp = new AsyncDisposableStack();
beforeAll(async () => {
  const settings = { LOG_BYTES_PER_JOB: String(maxBytes), LOG_RETENTION_DAYS: String(retentionDays) };
  rig = cleanUp.use(await TrainingRig.start({ replicas: 2, settings }));
});
afterAll(() => cleanUp.disposeAsync());

const at = (minute: number) => timestampFromDate(new Date(Date.UTC(2026, 2, 2, 9, minute)));
const line = (message: string, source = "train.py", minute = 0) => ({ message, source, timestamp: at(minute) });

/** A job whose trainer has sent these lines, one list a report. */
async function jobWith(reports: ReturnType<typeof line>[][]): Promise<MetricsRig> {
  const job = cleanUp.use(await MetricsRig.start(rig));
  await job.report(reports.map((logs) => job.batch([], { logs })));
  return job;
}

const logsOf = (job: MetricsRig, replica = 0) => createClient(LogLineService, job.transport(replica));

async function read(job: MetricsRig, query: { source?: string[]; limit?: number; cursor?: string } = {}) {
  const { lines, nextCursor } = await logsOf(job, 1).readLogLines({ ...job.job, ...query });
  return { messages: lines.map(({ message }) => message), nextCursor };
}

describe("what a job's trainers log", () => {
  it("is read in the order of the reports, page by page, at every replica", async () => {
    const job = await jobWith([[line("a"), line("b")], [], [line("c"), line("d"), line("e")]]);
    expect(await read(job)).toEqual({ messages: ["a", "b", "c", "d", "e"], nextCursor: "" });
    const first = await read(job, { limit: 3 });
    expect(first.messages).toEqual(["a", "b", "c"]);
    expect(await read(job, { limit: 3, cursor: first.nextCursor })).toEqual({ messages: ["d", "e"], nextCursor: "" });
    expect((await failureOf(read(job, { cursor: "forged" }))).code).toBe(Code.InvalidArgument);
    const { lines } = await logsOf(job).readLogLines(job.job);
    expect(lines[2]).toMatchObject({ message: "c", source: "train.py", counter: 3, timestamp: at(0) });
  });

  it("is filtered by source and by time", async () => {
    const job = await jobWith([
      [line("a", "loader", 1), line("b", "train.py", 2)],
      [line("c", "loader", 3), line("d", "eval", 4)],
    ]);
    expect((await read(job, { source: ["loader", "eval"] })).messages).toEqual(["a", "c", "d"]);
    expect((await read(job, { source: ["other"] })).messages).toEqual([]);
    const { lines } = await logsOf(job).readLogLines({ ...job.job, since: at(2), until: at(4) });
    expect(lines.map(({ message }) => message)).toEqual(["b", "c"]);
  });

  it("is followed from where a watcher was, at a replica that the reports do not go to", async () => {
    const job = await jobWith([[line("a")], [line("b")]]);
    const left = new AbortController();
    const wanted = { ...job.job, lastEventId: "1" };
    const events = logsOf(job, 1).watchLogLines(wanted, { signal: left.signal })[Symbol.asyncIterator]();
    const next = async () => (await events.next()).value?.batch;
    expect(await next()).toMatchObject({ counter: 2, lines: [{ message: "b" }] });
    await job.report([job.batch([[1, 0.5]]), job.batch([], { logs: [line("c"), line("d")] })]);
    expect(await next()).toMatchObject({ counter: 4, lines: [{ message: "c" }, { message: "d" }] });
    left.abort();
  });

  it("shows nothing of a report that was refused, and a repeated one once", async () => {
    const job = await jobWith([]);
    const trainers = createClient(TrainerService, job.transport());
    const { pipelineId } = job.job;
    const report = (counter: number, message: string) =>
      trainers.sendReport({ ...job.trainer.address, pipelineId, counter, logs: [line(message)] });
    await report(2, "second");
    await report(2, "second");
    expect((await failureOf(report(1, "late"))).code).toBe(Code.FailedPrecondition);
    const foreign = { ...job.trainer.address, attachmentId: randomUUID(), pipelineId, counter: 3 };
    const refused = trainers.sendReport({ ...foreign, logs: [line("of another process")] });
    expect((await failureOf(refused)).code).toBe(Code.FailedPrecondition);
    expect((await read(job)).messages).toEqual(["second"]);
  });

  it("is kept for some days, and up to a size: the oldest lines go first", async () => {
    const text = "x".repeat(8_000);
    const job = await jobWith(Array.from({ length: 12 }, (_, index) => [line(`${index} ${text}`)]));
    // The first report that a replica gets of a job has it look at how much there is.
    await job.report([job.batch([], { logs: [line(`last ${text}`)] })], 1);
    const numbers = (await read(job)).messages.map((message) => message.split(" ")[0]);
    expect(numbers).toEqual(["5", "6", "7", "8", "9", "10", "11", "last"]);
    const stored = await rig.store.database.collection("log_batches").findOne({ run_id: job.job.runId });
    const days = (stored?.["expires_at"].getTime() - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(retentionDays);
  });

  it("is another organisation's own", async () => {
    const job = await jobWith([[line("secret")]]);
    const foreign = createClient(LogLineService, job.transport(0, randomUUID()));
    expect((await failureOf(foreign.readLogLines(job.job))).code).toBe(Code.NotFound);
  });
});
