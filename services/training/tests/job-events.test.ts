import { randomUUID } from "node:crypto";
import {
  ControlCommandCreatedSchema,
  ControlCommandResolvedSchema,
  JobCompletedSchema,
  JobStateChangedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/training";
import {
  TrainingControlAction as Action,
  TrainingControlCommandStatus as CommandStatus,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { connectEventStream, decodeEvent, eventSubject } from "@aiplatform/event-stream";
import { until } from "@aiplatform/local-platform";
import { serviceKeys } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import { JobLogStore } from "../src/job-log/job-log-store.ts";
import { JobOutbox } from "../src/job-log/job-outbox.ts";
import { newJob, runningJob, TrainingRig } from "./training-rig.ts";

const waitOptions = { withinMs: 20_000, otherwise: () => new Error("the events did not come") };

/** What is announced, by the last part of its message's name. */
async function announcements(rig: TrainingRig) {
  const { NATS_URL: servers, NATS_STREAM: streamName } = rig.home;
  const stream = await connectEventStream({ servers, keys: serviceKeys("gateway"), name: "test", streamName });
  await until(() => stream.connected() || undefined, waitOptions);
  const received: { kind: string; id: string | undefined; message: Record<string, unknown> }[] = [];
  const schemas = [
    ControlCommandCreatedSchema,
    ControlCommandResolvedSchema,
    JobStateChangedSchema,
    JobCompletedSchema,
  ];
  for (const schema of schemas) {
    stream.listen(eventSubject(schema), ({ data, headers }) => {
      received.push({ kind: schema.name, id: headers.get("ce-id"), message: { ...decodeEvent(schema, data) } });
    });
  }
  return { received, stream };
}

describe("a job's log as its outbox", () => {
  it("announces each recording, outcome, state and completion once", async () => {
    await using rig = await TrainingRig.start();
    const { received, stream } = await announcements(rig);
    await using _ = stream;
    const { clients, job, trainer } = await runningJob(rig);
    await using _trainer = trainer;
    const checkpointId = randomUUID();
    await trainer.checkpoint({ id: checkpointId, step: 10 });
    const action = Action.FINISH_FROM_CHECKPOINT;
    const { command } = await clients.commands.createTrainingControlCommand({
      ...job,
      action,
      idempotencyKey: randomUUID(),
    });
    const artifact = { uri: "file:///model.onnx", sha256: "a".repeat(64), sizeBytes: 1n, format: "onnx" };
    await trainer.applied(command?.id ?? "", { checkpointId, artifact });
    await until(() => (received.some(({ kind }) => kind === "JobCompleted") ? true : undefined), waitOptions);
    const kinds = received.map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual([
      "ControlCommandCreated",
      "ControlCommandResolved",
      "JobCompleted",
      "JobStateChanged",
      "JobStateChanged",
    ]);
    const messageOf = (wanted: string) => received.find(({ kind }) => kind === wanted)?.message;
    expect(messageOf("ControlCommandCreated")).toMatchObject({
      organisationId: rig.organisationId,
      commandId: command?.id,
      sequence: 1,
      ...{ action: "finish_from_checkpoint", controlAction: Action.FINISH_FROM_CHECKPOINT },
      ...{ status: "pending", commandStatus: CommandStatus.PENDING },
    });
    expect(messageOf("ControlCommandResolved")).toMatchObject({
      commandId: command?.id,
      sequence: 1,
      ...{ status: "applied", commandStatus: CommandStatus.APPLIED },
    });
    expect(messageOf("JobStateChanged")).toMatchObject({
      ...{ fromState: "queued", fromJobState: JobState.QUEUED },
      ...{ toState: "running", toJobState: JobState.RUNNING },
    });
    expect(messageOf("JobCompleted")).toMatchObject({
      pipelineId: job.pipelineId,
      runId: job.runId,
      checkpointId,
      artifactUri: "file:///model.onnx",
      artifactFormat: "onnx",
    });
    const { run } = await clients.runs.getRun({ runId: job.runId });
    const { uri, sha256, format } = artifact;
    expect(run?.jobs[0]?.artifact).toMatchObject({ uri, sha256, format, sizeBytes: 1n, checkpointId });
    const log = rig.store.database.collection("job_log");
    await until(async () => ((await log.countDocuments({ published: false })) === 0 ? true : undefined), waitOptions);
  });

  it("makes the same events of an entry whenever it is asked, so that repeats are recognised", async () => {
    await using rig = await TrainingRig.start();
    const clients = rig.as();
    const job = await newJob(clients);
    for (const action of [Action.PAUSE, Action.ABORT]) {
      await clients.commands.createTrainingControlCommand({ ...job, action, idempotencyKey: randomUUID() });
    }
    const log = rig.store.database.collection("job_log");
    await until(async () => ((await log.countDocuments({ published: false })) === 0 ? true : undefined), waitOptions);
    await log.updateMany({ published: true }, { $set: { published: false } });
    const look = { isOwn: () => true, published: new Set<string>(), limit: 100 };
    const outbox = async () => {
      const source = new JobOutbox(new JobLogStore(rig.store), () => new Date());
      const batches = await Array.fromAsync(source.unpublished(look));
      return batches.flat().flatMap(({ records }) => records);
    };
    const [first, second] = [await outbox(), await outbox()];
    expect(first).toEqual(second);
    expect(new Set(first.map(({ id }) => id)).size).toBe(3);
  });
});
