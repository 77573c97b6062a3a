import { failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { type Clients, TrainingRig } from "./training-rig.ts";

const withQuotas = (quotas: Record<string, number>) =>
  TrainingRig.start({ replicas: 2, settings: { QUOTAS: JSON.stringify(quotas) } });

async function newPipeline({ runs }: Pick<Clients, "runs">): Promise<string> {
  const { pipeline } = await runs.createPipeline({ name: "pipeline" });
  return pipeline?.id ?? "";
}

const jobOf = (configuration = "{}") => [{ name: "train", configuration: { text: configuration } }];

describe("an organisation with as many pipelines as its quota", () => {
  it("is refused another, with both figures", async () => {
    await using rig = await withQuotas({ pipelines: 2 });
    await newPipeline(rig.as());
    await newPipeline(rig.as());
    expect(await failureOf(newPipeline(rig.as()))).toEqual({
      code: Code.PermissionDenied,
      reason: "QUOTA_EXCEEDED",
      message: "The organisation has 2 of 2 pipelines. Delete one, or ask the operator for a higher quota.",
      metadata: { quota: "pipelines", limit: "2", used: "2", asked: "1" },
      fields: [],
    });
  });
});

describe("an organisation with as many runs as its quota", () => {
  it("is refused more at every replica, also of those that are asked for at once", async () => {
    await using rig = await withQuotas({ runs: 3 });
    const pipelineId = await newPipeline(rig.as());
    const created = Array.from({ length: 8 }, (_, index) =>
      rig.as({}, index % 2).runs.createRun({ pipelineId, name: "run", jobs: jobOf() }),
    );
    const outcomes = await Promise.allSettled(created);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect((await rig.as().runs.listRuns({ pipelineId })).runs).toHaveLength(3);
  });

  it("counts the runs that were there before runs were counted", async () => {
    await using rig = await withQuotas({ runs: 2 });
    const pipelineId = await newPipeline(rig.as());
    const create = () => rig.as().runs.createRun({ pipelineId, name: "run", jobs: jobOf() });
    await create();
    await rig.store.database.collection("quotas").deleteMany({});
    await create();
    expect((await failureOf(create())).metadata).toMatchObject({ quota: "runs", used: "2" });
  });
});

describe("an organisation whose runs declare as many bytes as its quota", () => {
  it("is refused a run with a large configuration, and keeps room for small ones", async () => {
    await using rig = await withQuotas({ run_configuration_bytes: 10_000 });
    const pipelineId = await newPipeline(rig.as());
    const create = (bytes: number) => {
      const jobs = jobOf(JSON.stringify({ note: "x".repeat(bytes) }));
      return rig.as().runs.createRun({ pipelineId, name: "run", jobs });
    };
    await create(6_000);
    const refused = await failureOf(create(6_000));
    expect(refused).toMatchObject({ code: Code.PermissionDenied, reason: "QUOTA_EXCEEDED" });
    expect(refused.metadata).toMatchObject({ quota: "run_configuration_bytes", limit: "10000" });
    await create(100);
  });
});
