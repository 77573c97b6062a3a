import { randomUUID } from "node:crypto";
import { TrainingControlAction as Action } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { describe, expect, it } from "vitest";
import { runningJob, send, TestTrainer, TrainingRig } from "./training-rig.ts";

describe("a trainer that attaches after the platform was restored from a backup", () => {
  it.each([
    ["has finished with more commands than the log has", () => ({ lastSequence: 9 }), true],
    [
      "has finished with another command of a sequence that was given again",
      () => ({ lastSequence: 2, lastCommandId: randomUUID() }),
      true,
    ],
    ["has finished with a command of the log", (own: object) => own, false],
    ["has finished with none", () => ({ lastSequence: 0 }), false],
  ])("and %s", async (_title, last, setBack) => {
    await using rig = await TrainingRig.start();
    const { clients, job, trainer: former } = await runningJob(rig);
    await using _ = former;
    const applied = await send(clients, job, Action.CONTINUE);
    await former.applied(applied.id, {});
    const pending = await send(clients, job, Action.PAUSE);
    const own = { lastSequence: applied.sequence, lastCommandId: applied.id };

    await using trainer = await new TestTrainer(clients, job, former.attachmentId).attach(last(own));
    expect(trainer.attached).toMatchObject({ setBack });
    expect((await trainer.delivered(pending.sequence)).command).toMatchObject({ id: pending.id });
  });
});
