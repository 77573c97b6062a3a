import { randomUUID } from "node:crypto";
import { CheckpointService } from "@aiplatform/contract/aiplatform/training/v1/checkpoints";
import { TestClient } from "@aiplatform/testkit";
import { type Client, Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureOf, type JobName, runningJob, type TestTrainer, TrainingRig } from "./training-rig.ts";

let rig: TrainingRig;
let job: JobName;
let trainer: TestTrainer;
let caller: TestClient;
let checkpoints: Client<typeof CheckpointService>;
const ids = Array.from({ length: 5 }, () => randomUUID());

beforeAll(async () => {
  rig = await TrainingRig.start();
  ({ job, trainer } = await runningJob(rig));
  for (const [index, id] of ids.entries()) {
    await trainer.checkpoint({ id, step: 10 * (index + 1), metrics: { loss: 1 / (index + 1) } });
  }
  const { organisationId } = rig;
  caller = new TestClient(rig.services[0]?.addresses.grpc ?? "", { organisationId, permissions: ["metrics:read"] });
  checkpoints = caller.client(CheckpointService);
});
afterAll(async () => {
  caller?.transport.close();
  await trainer?.[Symbol.asyncDispose]();
  await rig?.[Symbol.asyncDispose]();
});

const list = (rest: { limit?: number; cursor?: string } = {}) => checkpoints.listCheckpoints({ ...job, ...rest });
const idsOf = (page: Awaited<ReturnType<typeof list>>) => page.checkpoints.map(({ id }) => id);

describe("the checkpoints of a job", () => {
  it("are listed newest first, with what the trainer said of each", async () => {
    const page = await list();
    expect(idsOf(page)).toEqual(ids.toReversed());
    expect(page.nextCursor).toBe("");
    expect(page.checkpoints[0]).toMatchObject({ step: 50, segmentIndex: 0, metrics: { loss: 0.2 } });
  });

  it("come page by page, also when one is added between two pages", async () => {
    const first = await list({ limit: 2 });
    const added = randomUUID();
    await trainer.checkpoint({ id: added, step: 60 });
    const second = await list({ limit: 2, cursor: first.nextCursor });
    const third = await list({ limit: 2, cursor: second.nextCursor });
    expect([first, second, third].flatMap(idsOf)).toEqual(ids.toReversed());
    expect(third.nextCursor).toBe("");
    expect(idsOf(await list({ limit: 1 }))).toEqual([added]);
  });

  it("are found by what was said of them, in any order", async () => {
    const found = async (filter: string, orderBy = "") => {
      const page = await checkpoints.listCheckpoints({ ...job, filter, orderBy });
      return page.checkpoints.map(({ step }) => step);
    };
    expect(await found("step >= 20 AND metrics.loss > 0.3", "step asc")).toEqual([20, 30]);
    expect(await found("step <= 50", "metrics.loss")).toEqual([50, 40, 30, 20, 10]);
    expect(await found(`id = ${ids[1]} OR step = 10`, "position asc")).toEqual([10, 20]);
    expect(await found("metrics:accuracy")).toEqual([]);
    expect((await failureOf(found("steps > 1"))).code).toBe(Code.InvalidArgument);
  });

  it.each([
    ["no cursor", "x"],
    ["the cursor of another order", Buffer.from(JSON.stringify([randomUUID()])).toString("base64url")],
  ])("are refused from %s on", async (_what, cursor) => {
    expect((await failureOf(list({ cursor }))).code).toBe(Code.InvalidArgument);
  });

  it("are not found below another run", async () => {
    const failure = await failureOf(checkpoints.listCheckpoints({ ...job, runId: randomUUID() }));
    expect(failure.code).toBe(Code.NotFound);
  });
});
