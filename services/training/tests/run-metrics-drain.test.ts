import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { MetricsRig } from "./metrics-rig.ts";
import { failureOf, TrainingRig } from "./training-rig.ts";

describe("a replica that is told to stop", () => {
  it("tells its watchers to reconnect, and they go on elsewhere where they were", async () => {
    await using rig = await TrainingRig.start({ replicas: 2 });
    await using metrics = await MetricsRig.start(rig);
    await metrics.report([metrics.batch([[1, 1]])]);
    const end = new AbortController();
    const events = metrics.watch({}, end.signal, 1);
    const first = await events.next();
    const sequence = first.value?.metrics?.sequence;
    expect(sequence).toBe(1);
    const [failure] = await Promise.all([failureOf(untilEnd(events)), rig.services[1]?.stop()]);
    expect(failure.code).toBe(Code.Unavailable);
    expect(failure.findDetails(ErrorInfoSchema)).toMatchObject([{ reason: "RECONNECT" }]);
    await metrics.report([metrics.batch([[2, 2]])]);
    const again = metrics.watch({ lastEventId: String(sequence) }, end.signal, 0);
    expect((await again.next()).value?.metrics?.sequence).toBe(2);
    end.abort();
  });

  it("answers those who wait with what there is", async () => {
    await using rig = await TrainingRig.start({ replicas: 2 });
    await using metrics = await MetricsRig.start(rig);
    await metrics.report([metrics.batch([[1, 1]])]);
    const { sequence } = await metrics.read({}, 1);
    // A reader of the same connection that is answered: the one who waits has arrived by then.
    const waiting = metrics.read({ afterSequence: BigInt(sequence), waitSeconds: 30 }, 1);
    await metrics.read({}, 1);
    const [answered] = await Promise.all([waiting, rig.services[1]?.stop()]);
    expect(answered.sequence).toBe(sequence);
  });
});

async function untilEnd(events: AsyncIterator<unknown>): Promise<void> {
  while (!(await events.next()).done);
}
