import { randomUUID } from "node:crypto";
import {
  TrainingControlAction as Action,
  TrainingControlCommandStatus as Status,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { until } from "@aiplatform/local-platform";
import { newTestEnvironment, ServiceProcess } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import { clientsAt, newJob, program } from "./training-rig.ts";

const hourMs = 3_600_000;

/** Rounds of the sweep that ends leases and commands that have run out. */
async function sweepsOf({ admin }: ServiceProcess): Promise<number> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  const [, rounds] = /^worker_rounds_total\{.*worker="job-sweep".*outcome="done".*\} (\d+)/m.exec(text) ?? [];
  return Number(rounds ?? 0);
}

describe("a replica whose clock is two hours ahead", () => {
  it("neither ends a lease nor rejects a command that still has time", async () => {
    const home = newTestEnvironment("training");
    const settings = { SWEEP_INTERVAL_MS: "50", LOG_LEVEL: "info" };
    await using right = await new ServiceProcess({ program, home, settings }).start();
    await using ahead = await new ServiceProcess({ program, home, settings, clockAheadMs: 2 * hourMs }).start();
    const { clients, transport } = clientsAt(right.address, { organisationId: randomUUID() });
    await using cleanUp = new AsyncDisposableStack();
    cleanUp.defer(() => transport.close());
    const job = await newJob(clients);
    const command = async (proof = {}) => {
      const request = { ...job, action: Action.PAUSE, idempotencyKey: randomUUID(), ...proof };
      return (await clients.commands.createTrainingControlCommand(request)).command;
    };
    const { lease, supervisionLeaseToken } = await clients.leases.acquireSupervisionLease({ ...job, ttlSeconds: 300 });
    const pending = await command({ supervisionId: lease?.supervisionId ?? "", supervisionLeaseToken });
    expect(pending?.status).toBe(Status.PENDING);

    const before = await sweepsOf(ahead);
    const swept = async () => ((await sweepsOf(ahead)) >= before + 5 ? true : undefined);
    await until(swept, { withinMs: 20_000, everyMs: 50, otherwise: () => new Error("the replica does not sweep") });

    const { id: commandId } = pending ?? { id: "" };
    const seen = await clients.commands.getControlCommand({ ...job, commandId });
    expect(seen.command?.status).toBe(Status.PENDING);
    expect(await command()).toMatchObject({ status: Status.REJECTED, detail: "supervised" });
  });
});
