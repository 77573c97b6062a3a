import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TrainingControlAction as Action } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { eventually } from "@aiplatform/testkit";
import type { DownloadDataset } from "@aiplatform/trainer";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Reading, TrainerRig } from "./trainer-rig.ts";

const content = Buffer.from("what a run reads");
const contentSha256 = createHash("sha256").update(content).digest("hex");

let rig: TrainerRig;
let read: string[];
beforeEach(async () => {
  rig = await TrainerRig.start();
  read = [];
  const versions = { datasetId: "d", versionId: "v", number: 1, rowCount: 1n };
  rig.platform.datasets = [{ ...versions, name: "train", contentSha256, sizeBytes: BigInt(content.length) }];
});
afterEach(() => rig[Symbol.asyncDispose]());

/** Reads the file of the data before training. */
function reading(download: DownloadDataset): Reading {
  return {
    download,
    read: async (datasets) => {
      read.push(await readFile(await datasets.named("train").path(), "utf8"));
    },
  };
}

const given: DownloadDataset = async () => ({ isRest: false, pieces: pieces() });

async function* pieces(): AsyncGenerator<Uint8Array> {
  yield content;
}

/** Gives nothing until it is given up. */
function endless() {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const download: DownloadDataset = ({ signal }) => {
    resolve();
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  };
  return { asked, download };
}

async function journal(): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(rig.directory, "state.json"), "utf8"));
}

const failures = () => rig.lines.filter((line) => line.includes("failed"));

describe("a trainer that downloads and is replaced", () => {
  it("gives the download up, and has not failed", async () => {
    const { asked, download } = endless();
    const trainer = await rig.train(undefined, reading(download));
    await asked;
    rig.platform.detach();
    expect(await trainer.done).toBe("detached");
    expect([await journal(), failures()]).toMatchObject([{ status: "new" }, []]);
  });

  it("does so where the answer to an outcome says it", async () => {
    const { platform } = rig;
    const first = await rig.train(undefined, reading(given));
    await rig.reached(5);
    platform.answers = "never";
    const id = platform.command({ action: Action.CONTINUE });
    await eventually(() => platform.acknowledged(id).length > 0);
    await first.stop();
    const { asked, download } = endless();
    await writeFile(join(rig.directory, "datasets", `${contentSha256}.parquet`), "damaged");
    const trainer = await rig.train(undefined, reading(download));
    await asked;
    platform.answers = "ATTACHMENT_LOST";
    // The outcome is told again.
    await platform.leave();
    await platform.start();
    expect(await trainer.done).toBe("detached");
    expect([await journal(), failures()]).toMatchObject([{ status: "running" }, []]);
  });
});

describe("a trainer that is stopped while a command waits for data", () => {
  it("leaves the command to the next process", async () => {
    const { platform } = rig;
    const first = await rig.train(undefined, reading(given));
    await rig.reached(5);
    const pause = platform.command({ action: Action.PAUSE });
    await eventually(() => platform.acknowledged(pause).length > 0);
    await first.stop();
    await writeFile(join(rig.directory, "datasets", `${contentSha256}.parquet`), "damaged");
    const { asked, download } = endless();
    const second = await rig.train(undefined, reading(download));
    const resume = platform.command({ action: Action.RESUME });
    await asked;
    await second.stop();
    expect([await journal(), platform.acknowledged(resume)]).toMatchObject([{ status: "paused" }, []]);
    await rig.train(undefined, reading(given));
    await eventually(() => platform.acknowledged(resume).length > 0);
    expect(platform.acknowledged(resume)[0]?.outcome.case).toBe("applied");
    await rig.reached(10, 1);
  });
});

describe("what a run reads", () => {
  it("is asked for where a journal of an earlier version does not say it", async () => {
    const first = await rig.train(undefined, reading(given));
    await rig.reached(5);
    await first.stop();
    const { datasets, ...earlier } = await journal();
    expect(datasets).toHaveLength(1);
    await writeFile(join(rig.directory, "state.json"), JSON.stringify(earlier));
    await rig.train(undefined, reading(given));
    const from = Math.max(...rig.platform.points.map(({ step }) => step));
    await rig.reached(from + 10);
    expect([read, failures()]).toEqual([["what a run reads", "what a run reads"], []]);
    expect((await journal())["datasets"]).toEqual(datasets);
  });

  it("is asked for again where a platform of an earlier version has not told it", async () => {
    const { platform } = rig;
    platform.datasetsTold = false;
    platform.datasets = [];
    const trainer = await rig.train();
    await rig.reached(5);
    expect(await journal()).not.toHaveProperty("datasets");
    platform.datasetsTold = true;
    await platform.leave();
    await platform.start();
    await eventually(async () => "datasets" in (await journal()));
    expect((await journal())["datasets"]).toEqual([]);
    await trainer.stop();
    expect(platform.states).not.toContain(JobState.FAILED);
  });
});
