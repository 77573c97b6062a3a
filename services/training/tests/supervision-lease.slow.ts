import { randomUUID } from "node:crypto";
import { MemberDeactivatedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import {
  TrainingControlAction as Action,
  TrainingControlCommandStatus as Status,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { LeaseExpiryPolicy } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { connectEventStream, eventRecord } from "@aiplatform/event-stream";
import { until } from "@aiplatform/local-platform";
import { serviceKeys } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  allPermissions,
  type Clients,
  failureOf,
  type JobName,
  newJob,
  runningJob,
  send,
  TestTrainer,
  TrainingRig,
} from "./training-rig.ts";

let rig: TrainingRig;
beforeAll(async () => {
  rig = await TrainingRig.start();
});
afterAll(() => rig[Symbol.asyncDispose]());

interface Proof {
  supervisionId: string;
  supervisionLeaseToken: string;
}

async function acquire({ leases }: Clients, job: JobName, ttlSeconds = 60): Promise<Proof & { epoch: number }> {
  const { lease, supervisionLeaseToken } = await leases.acquireSupervisionLease({ ...job, ttlSeconds });
  return { supervisionId: lease?.supervisionId ?? "", supervisionLeaseToken, epoch: lease?.epoch ?? 0 };
}

/** Resolves when the newest command of the job is as wanted; asked again each time the job changes. */
async function newestCommand({ commands }: Clients, job: JobName, wanted: { detail?: string; action?: Action }) {
  for await (const { command } of commands.watchControlCommands(job)) {
    if (wanted.detail !== undefined && command?.detail === wanted.detail) return command;
    if (wanted.action !== undefined && command?.action === wanted.action) return command;
  }
  return undefined;
}

/** Two replicas that sweep all the time, by a clock that the test moves. */
function startSweepingRig(time: { now: number }): Promise<TrainingRig> {
  const settings = { SWEEP_INTERVAL_MS: "20" };
  return TrainingRig.start({ clock: () => new Date(time.now), replicas: 2, settings });
}

describe("a supervised job", () => {
  it("takes commands under the lease only", async () => {
    const clients = rig.as();
    const job = await newJob(clients);
    const { epoch, ...proof } = await acquire(clients, job);
    expect(await send(clients, job, Action.PAUSE)).toMatchObject({ status: Status.REJECTED, detail: "supervised" });
    expect(await send(clients, job, Action.PAUSE, { ...proof, supervisionLeaseToken: randomUUID() })).toMatchObject({
      status: Status.REJECTED,
      detail: "lease lost",
    });
    expect(await send(clients, job, Action.PAUSE, proof)).toMatchObject({ status: Status.PENDING });
    expect((await failureOf(acquire(clients, job))).code).toBe(Code.FailedPrecondition);
    expect(epoch).toBe(1);
  });

  it("is taken over by a member who may, which revokes the lease and raises the epoch", async () => {
    const clients = rig.as();
    const job = await newJob(clients);
    await using trainer = await new TestTrainer(clients, job).attach();
    const { epoch, ...proof } = await acquire(clients, job);
    const permissions = [...allPermissions, "training:override"];
    expect(await send(rig.as({ permissions }), job, Action.PAUSE)).toMatchObject({ detail: "supervised" });
    const human = rig.as({ permissions, memberId: randomUUID() });
    expect(await send(human, job, Action.RESUME)).toMatchObject({ detail: "supervised" });
    expect(await send(human, job, Action.PAUSE)).toMatchObject({ status: Status.PENDING });
    expect((await trainer.delivered(3)).epoch).toBe(epoch + 1);
    expect(await send(clients, job, Action.ABORT, proof)).toMatchObject({
      status: Status.REJECTED,
      detail: "lease lost",
    });
    expect((await failureOf(clients.leases.getSupervisionLease(job))).code).toBe(Code.NotFound);
    expect((await acquire(clients, job)).epoch).toBe(epoch + 2);
  });

  it("gives its lease to a member who may take it over, and the holder before has lost it", async () => {
    const clients = rig.as();
    const job = await newJob(clients);
    const { epoch, ...proof } = await acquire(clients, job);
    const permissions = [...allPermissions, "training:override"];
    const human = rig.as({ permissions, memberId: randomUUID() });
    const takenOver = await human.leases.acquireSupervisionLease({ ...job, takeOver: true });
    expect(takenOver.lease?.epoch).toBe(epoch + 1);
    expect(await send(clients, job, Action.PAUSE, proof)).toMatchObject({
      status: Status.REJECTED,
      detail: "lease lost",
    });
    const renewal = clients.leases.renewSupervisionLease({ ...job, ...proof });
    expect(await failureOf(renewal)).toMatchObject({ rawMessage: "the supervision lease is no longer live" });
    const { supervisionLeaseToken, lease } = takenOver;
    const own = { supervisionId: lease?.supervisionId ?? "", supervisionLeaseToken };
    expect(await send(human, job, Action.PAUSE, own)).toMatchObject({ status: Status.PENDING });
  });

  it.each([
    ["a member without the permission", { permissions: allPermissions, memberId: randomUUID() }],
    ["an API key", { permissions: [...allPermissions, "training:override"] }],
  ])("keeps its lease from %s who would take it over", async (_, caller) => {
    const clients = rig.as();
    const job = await newJob(clients);
    const { epoch: _epoch, ...proof } = await acquire(clients, job);
    const taking = rig.as(caller).leases.acquireSupervisionLease({ ...job, takeOver: true });
    expect(await failureOf(taking)).toMatchObject({
      code: Code.PermissionDenied,
      rawMessage: "Missing permission: training:override",
    });
    expect(await send(clients, job, Action.PAUSE, proof)).toMatchObject({ status: Status.PENDING });
  });

  it("is free again when the lease is released, which may be repeated", async () => {
    const clients = rig.as();
    const job = await newJob(clients);
    const proof = await acquire(clients, job);
    const first = await clients.leases.releaseSupervisionLease({ ...job, ...proof });
    expect(await clients.leases.releaseSupervisionLease({ ...job, ...proof })).toEqual(first);
    expect((await failureOf(clients.leases.renewSupervisionLease({ ...job, ...proof }))).code).toBe(
      Code.FailedPrecondition,
    );
    expect(await send(clients, job, Action.PAUSE)).toMatchObject({ status: Status.PENDING });
  });

  it("stores no token", async () => {
    const clients = rig.as();
    const { supervisionLeaseToken } = await acquire(clients, await newJob(clients));
    const entries = await rig.store.database.collection("job_log").find().toArray();
    expect(JSON.stringify(entries)).not.toContain(supervisionLeaseToken);
  });

  it("loses its lease by the server's clock, and is paused where the policy says so", async () => {
    const time = { now: Date.now() };
    await using rig = await startSweepingRig(time);
    const { clients, job, trainer } = await runningJob(rig, { leaseExpiryPolicy: LeaseExpiryPolicy.PAUSE });
    await using _trainer = trainer;
    const { epoch: _, ...proof } = await acquire(clients, job);
    time.now += 30_000;
    await clients.leases.renewSupervisionLease({ ...job, ...proof, ttlSeconds: 60 });
    time.now += 59_000;
    expect(await send(clients, job, Action.CONTINUE, proof)).toMatchObject({ status: Status.PENDING });
    time.now += 2_000;
    const pause = await newestCommand(clients, job, { action: Action.PAUSE });
    expect(pause).toMatchObject({ status: Status.PENDING, sequence: 2 });
    expect(await send(clients, job, Action.RESUME, proof)).toMatchObject({ detail: "lease expired" });
    expect((await clients.commands.listControlCommands(job)).commands).toHaveLength(3);
  });

  it("loses its lease when the holder is deactivated", async () => {
    const memberId = randomUUID();
    const clients = rig.as({ memberId });
    const job = await newJob(clients);
    await acquire(clients, job, 3_600);
    const { NATS_URL: servers, NATS_STREAM: streamName } = rig.home;
    await using stream = await connectEventStream({
      servers,
      keys: serviceKeys("identity"),
      name: "identity",
      streamName,
    });
    const event = { organisationId: rig.organisationId, memberId };
    const named = { organisationId: rig.organisationId, entityId: memberId, time: new Date() };
    const waitOptions = { withinMs: 40_000, otherwise: () => new Error("the lease was not released") };
    await until(
      () =>
        stream.ping().then(
          () => true,
          () => undefined,
        ),
      waitOptions,
    );
    await stream.publish([eventRecord(MemberDeactivatedSchema, create(MemberDeactivatedSchema, event), named)]);
    const entries = rig.store.database.collection("job_log");
    const released = { run_id: job.runId, kind: "lease_released" };
    await until(async () => (await entries.findOne(released)) ?? undefined, waitOptions);
    expect((await failureOf(clients.leases.getSupervisionLease(job))).code).toBe(Code.NotFound);
  });
});

describe("a command that is never acknowledged", () => {
  it("expires once, with several replicas, and the late trainer loses", async () => {
    const time = { now: Date.now() };
    await using rig = await startSweepingRig(time);
    const { clients, job, trainer } = await runningJob(rig);
    await using _trainer = trainer;
    const command = await send(clients, job, Action.CONTINUE);
    time.now += 899_000;
    expect(await clients.commands.getControlCommand({ ...job, commandId: command.id })).toMatchObject({
      command: { status: Status.PENDING },
    });
    time.now += 2_000;
    expect(await newestCommand(clients, job, { detail: "expired" })).toMatchObject({ status: Status.REJECTED });
    await trainer.until(({ events }) => events.some(({ case: kind }) => kind === "withdrawal"));
    expect((await failureOf(trainer.applied(command.id))).code).toBe(Code.FailedPrecondition);
    const entries = rig.store.database.collection("job_log");
    expect(await entries.countDocuments({ kind: "commands_expired" })).toBe(1);
  });
});
