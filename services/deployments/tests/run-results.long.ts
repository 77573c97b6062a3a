import { ModelVersionStatus } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { eventually, ServiceProcess } from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { program } from "./deployments-rig.ts";
import { ResultsRig } from "./results-rig.ts";

let told: ResultsRig;
beforeAll(async () => {
  told = await ResultsRig.start();
});
afterAll(() => told?.[Symbol.asyncDispose]());

describe("services that are killed again and again", () => {
  it("register each result once, and take all of them over in the end", async () => {
    await using service = new ServiceProcess({
      program,
      home: told.rig.home,
      settings: { ARTIFACT_SOURCES: told.results },
    });
    const pipelineId = await told.newPipeline("Killed");
    const runs: string[] = [];
    for (let round = 0; round < 2; round++) {
      await service.start();
      for (let job = 0; job < 3; job++) {
        runs.push(await told.complete({ pipelineId, ...(await told.resultFile(`killed ${round} ${job}`)) }, 2));
      }
      await service.kill();
    }
    const versions = [];
    for (const runId of runs) versions.push(await told.versionOf(runId, pipelineId));
    expect(new Set(versions.map(({ number }) => number))).toEqual(new Set(runs.map((_, index) => index + 1)));
    expect(versions.map(({ status }) => status)).toEqual(runs.map(() => ModelVersionStatus.READY));
    const ids = new Set(versions.map(({ id }) => id));
    // One that was killed between announcing and noting that may have announced it twice: under one id, which the stream knows.
    const announced = () => new Set(told.resolved.map(({ modelVersionId }) => modelVersionId));
    await eventually(() => [...ids].every((id) => announced().has(id)));
    expect(service.kills).toBe(2);
  }, 240_000);
});
