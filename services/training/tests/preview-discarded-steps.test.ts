import { randomUUID } from "node:crypto";
import { TrainingControlAction as Action } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MetricsRig } from "./metrics-rig.ts";
import { send, TrainingRig } from "./training-rig.ts";

let rig: TrainingRig;
beforeAll(async () => {
  rig = await TrainingRig.start();
});
afterAll(() => rig[Symbol.asyncDispose]());

describe("a preview of a rollback said that no step is discarded, and steps were archived", () => {
  it("counts from the newest step that the trainer has reported", async () => {
    await using metrics = await MetricsRig.start(rig);
    const checkpointId = randomUUID();
    await metrics.report([metrics.batch([[400, 1]])]);
    await metrics.trainer.checkpoint({ id: checkpointId, step: 400 });
    expect(await discarded(rig, metrics, checkpointId)).toBe(0);
    await metrics.report([
      metrics.batch([
        [420, 1],
        [440, 1],
      ]),
    ]);
    expect(await discarded(rig, metrics, checkpointId)).toBe(40);
    await rollBack(rig, metrics, checkpointId, 400);
    const { segments } = await metrics.read();
    expect(segments[0]?.archivedFromStep).toBe(400);
  });

  it("counts from the active segment's steps, not from those of a segment that was archived", async () => {
    await using metrics = await MetricsRig.start(rig);
    const [early, archived] = [randomUUID(), randomUUID()];
    await metrics.trainer.checkpoint({ id: early, step: 100 });
    await metrics.trainer.checkpoint({ id: archived, step: 900 });
    await metrics.report([metrics.batch([[950, 1]])]);
    await rollBack(rig, metrics, early, 100);
    await metrics.report([metrics.batch([[120, 1]], { segmentIndex: 1 })]);
    expect(await discarded(rig, metrics, early)).toBe(20);
  });
});

async function discarded(rig: TrainingRig, { job }: MetricsRig, checkpointId: string): Promise<number | undefined> {
  const { commands } = rig.as();
  const { preview } = await commands.previewControlCommand({ ...job, action: Action.ROLLBACK, checkpointId });
  expect(preview).toMatchObject({ accepted: true, checkpointId });
  return preview?.discardedSteps;
}

async function rollBack(rig: TrainingRig, { job, trainer }: MetricsRig, checkpointId: string, startStep: number) {
  const command = await send(rig.as(), job, Action.ROLLBACK, { checkpointId });
  await trainer.delivered(command.sequence);
  await trainer.applied(command.id, { checkpointId, startStep });
}
