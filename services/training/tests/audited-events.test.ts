import { randomUUID } from "node:crypto";
import {
  ControlCommandCreatedSchema,
  PipelineCreatedSchema,
  RunCreatedSchema,
  SupervisionLeaseChangedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/training";
import { TrainingControlAction } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { connectEventStream, decodeEvent, eventSubject } from "@aiplatform/event-stream";
import { until } from "@aiplatform/local-platform";
import { serviceKeys } from "@aiplatform/testkit";
import type { DescMessage } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { newJob, TrainingRig } from "./training-rig.ts";

const waitOptions = { withinMs: 20_000, otherwise: () => new Error("the events did not come") };
const audited: DescMessage[] = [
  PipelineCreatedSchema,
  RunCreatedSchema,
  SupervisionLeaseChangedSchema,
  ControlCommandCreatedSchema,
];

interface ReceivedEvent {
  kind: string;
  message: Record<string, unknown>;
  cause: (string | undefined)[];
}

/** What the audit log receives, with member, credential and request. */
async function auditedEvents(rig: TrainingRig) {
  const { NATS_URL: servers, NATS_STREAM: streamName } = rig.home;
  const stream = await connectEventStream({ servers, keys: serviceKeys("gateway"), name: "test", streamName });
  await until(() => stream.connected() || undefined, waitOptions);
  const received: ReceivedEvent[] = [];
  for (const schema of audited) {
    stream.listen(eventSubject(schema), ({ data, headers }) => {
      const cause = ["ce-memberid", "ce-credentialid", "ce-requestid"].map((name) => headers.get(name));
      received.push({ kind: schema.name, message: { ...decodeEvent(schema, data) }, cause });
    });
  }
  const all = async (count: number) => {
    await until(() => (received.length >= count ? true : undefined), waitOptions);
    return received.splice(0);
  };
  return { all, stream };
}

const as = (requestId: string) => ({ headers: { "x-request-id": requestId } });

describe("what training announces for the audit log", () => {
  it("names the caller and the request of each write", async () => {
    await using rig = await TrainingRig.start();
    const { all, stream } = await auditedEvents(rig);
    await using _ = stream;
    const memberId = randomUUID();
    const { runs, leases, commands } = rig.as({ memberId });
    const { pipeline } = await runs.createPipeline({ name: "p" }, as("r1"));
    const pipelineId = pipeline?.id ?? "";
    const { run } = await runs.createRun({ pipelineId, name: "r", jobs: [{ name: "train" }] }, as("r2"));
    const job = { pipelineId, runId: run?.id ?? "", jobName: "train" };
    const { lease, supervisionLeaseToken } = await leases.acquireSupervisionLease({ ...job }, as("r3"));
    const proof = { ...job, supervisionId: lease?.supervisionId ?? "", supervisionLeaseToken };
    await leases.renewSupervisionLease(proof, as("r4"));
    await leases.releaseSupervisionLease(proof, as("r5"));
    const command = { ...job, action: TrainingControlAction.ABORT, idempotencyKey: randomUUID() };
    await commands.createTrainingControlCommand(command, as("r6"));
    const received = (await all(6)).toSorted((a, b) => String(a.cause[2]).localeCompare(String(b.cause[2])));
    expect(received.map(({ kind, cause, message }) => [kind, ...cause, message["change"]])).toEqual([
      ["PipelineCreated", memberId, "test", "r1", undefined],
      ["RunCreated", memberId, "test", "r2", undefined],
      ["SupervisionLeaseChanged", memberId, "test", "r3", "acquired"],
      ["SupervisionLeaseChanged", memberId, "test", "r4", "renewed"],
      ["SupervisionLeaseChanged", memberId, "test", "r5", "released"],
      ["ControlCommandCreated", memberId, "test", "r6", undefined],
    ]);
  });

  it("says nothing of repeats and refusals", async () => {
    await using rig = await TrainingRig.start();
    const { all, stream } = await auditedEvents(rig);
    await using _ = stream;
    const { runs, leases, commands } = rig.as();
    const idempotencyKey = randomUUID();
    const creating = () => runs.createPipeline({ idempotencyKey, name: "p" });
    const [{ pipeline }] = [await creating(), await creating()];
    await runs.createPipeline({ idempotencyKey, name: "another" }).catch(() => undefined);
    const pipelineId = pipeline?.id ?? "";
    const running = () => runs.createRun({ idempotencyKey, pipelineId, name: "r", jobs: [{ name: "train" }] });
    const [{ run }] = [await running(), await running()];
    const job = { pipelineId, runId: run?.id ?? "", jobName: "train" };
    const { lease, supervisionLeaseToken } = await leases.acquireSupervisionLease({ ...job });
    await leases.acquireSupervisionLease({ ...job }).catch(() => undefined);
    const proof = { ...job, supervisionId: lease?.supervisionId ?? "", supervisionLeaseToken };
    for (let repeat = 0; repeat < 2; repeat += 1) await leases.releaseSupervisionLease(proof);
    const command = { ...job, action: TrainingControlAction.ABORT, idempotencyKey: randomUUID() };
    for (let repeat = 0; repeat < 2; repeat += 1) await commands.createTrainingControlCommand({ ...command });
    await newJob(rig.as());
    const kinds = (await all(7)).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual([
      "ControlCommandCreated",
      "PipelineCreated",
      "PipelineCreated",
      "RunCreated",
      "RunCreated",
      "SupervisionLeaseChanged",
      "SupervisionLeaseChanged",
    ]);
  });
});
