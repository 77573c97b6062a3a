import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { Automations } from "../automations/automations.ts";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { type Json, until } from "../mesh/rest.ts";
import { DatasetFiles } from "../rest-contract/dataset-files.ts";
import { deployHandler } from "../rest-contract/embedding-deployment.ts";
import { killed } from "./killed.ts";

let running: LocalPlatform;
sharedPlatform((started) => (running = started), { separate: true });
const data = new DatasetFiles(() => running.description);
const automations = new Automations(() => running);
const asked = (path: string) => automations.asked(path);

/** Enough that each stage takes longer than looking for it. */
const rowCount = 200_000;
const madeRows = rowCount / 2;
/** Answers after a moment, so that a kill meets rows under way. */
const slowHandler = `
export default async ({ inputs: [{ shape: [count], data }] }) => {
  await new Promise((resolve) => setTimeout(resolve, 250));
  return { outputs: [{ name: "vectors", datatype: "FP32", shape: [count, 2], data: data.flatMap((text) => [text.length, 1]) }] };
};
`;

async function restarted(...services: readonly string[]): Promise<void> {
  for (const service of services) await killed(running, service);
  for (const service of services) await running.restart(service);
}

let source: string;
let deployment_id: string;
beforeAll(async () => {
  const { id, versions } = await data.dataset(`Source ${randomUUID()}`);
  const rows = Array.from({ length: rowCount }, (_, row) => `${row},text of row ${row}`);
  await data.ready(versions, `id,text\n${rows.join("\n")}\n`);
  source = id;
  deployment_id = await deployHandler(running.description, `Slow ${randomUUID()}`, slowHandler);
}, 300_000);

/** A run of steps, a dataset for what they make, and where both are to be seen. */
interface Begun {
  run: string;
  target: { id: string; versions: string };
  /** Name of the dataset that the second step creates. */
  few: string;
  pipeline: string;
}

/** A query that takes a while, vectors of a few rows of it, and a training run. */
async function begun(): Promise<Begun> {
  const target = await data.dataset(`Target ${randomUUID()}`);
  const few = `Few ${randomUUID()}`;
  const { id: pipeline } = await automations.asked("/platform/pipelines", { body: { name: `Killed ${randomUUID()}` } });
  const sql = "SELECT id, text FROM rows WHERE id % 2 = 0 ORDER BY md5(text)";
  const made = { dataset_id: "{{ steps.s1.output.dataset_id }}", version_id: "{{ steps.s1.output.version_id }}" };
  const path = await automations.published([
    { type: "dataset", dataset_id: target.id, sql, tables: [{ name: "rows", dataset_id: source }] },
    {
      ...{ type: "dataset", name: few, sql: "SELECT * FROM rows LIMIT 160" },
      tables: [{ name: "rows", dataset_id: target.id, version_id: "{{ steps.s0.output.version_id }}" }],
    },
    {
      type: "embed",
      ...made,
      deployment_id,
      input: "texts",
      output: "vectors",
      template: "{% raw %}{{text}}{% endraw %}",
    },
    {
      ...{ type: "train", action: "start_run", pipeline_id: pipeline, jobs: [{ name: "train" }], wait: false },
      datasets: [{ name: "few", ...made }],
    },
  ]);
  const { id } = await automations.asked(`${path}/runs`, { body: {} });
  return { run: `/platform/automation-runs/${id}`, target, few, pipeline };
}

const stepOf = async ({ run }: Begun, index: number): Promise<Json> => (await asked(run)).steps[index];
const versionOf = async ({ target }: Begun): Promise<Json> => (await asked(target.versions))[0];

/** What there is to see of a run that is in a stage. */
const stages: Readonly<Record<string, (begun: Begun) => Promise<boolean>>> = {
  "that has just begun": async (each) => (await stepOf(each, 0)) !== undefined,
  "whose version was just created": async (each) => (await versionOf(each)) !== undefined,
  "whose version is being read": async (each) => ["reading", "ready"].includes((await versionOf(each))?.state),
  "whose version is ready": async (each) => (await versionOf(each))?.state === "ready",
  "whose second version is made": async (each) => (await stepOf(each, 1)) !== undefined,
  "whose rows are embedded": async (each) => (await stepOf(each, 2))?.status === "waiting",
  "that begins to train": async (each) => (await stepOf(each, 3)) !== undefined,
};

const cases = Object.entries(stages).flatMap(([stage, isReached]) =>
  [["content"], ["data"], ["content", "data"]].map((services) => ({ stage, services, isReached })),
);

describe("killing what an automation that makes data works with", () => {
  it.each(cases)("$services at a run $stage: each step has one effect", async ({ services, isReached }) => {
    const each = await begun();
    await until(
      "the stage",
      120,
      () => isReached(each),
      (reached) => reached,
    );
    await restarted(...services);
    const ended = await until(
      "the run to end",
      180,
      () => asked(each.run),
      ({ ended_at }) => ended_at !== null,
    );
    expect([ended.status, ended.error]).toEqual(["succeeded", null]);
    const [first, second, embedding, trained] = ended.steps.map(({ output }: Json) => output);
    expect(await asked(each.target.versions)).toMatchObject([
      { id: first.version_id, number: 1, state: "ready", row_count: madeRows },
    ]);
    const created = await asked(`/platform/datasets?filter=${encodeURIComponent(`name = "${each.few}"`)}`);
    expect(created).toMatchObject([{ id: second.dataset_id }]);
    const few = `/platform/datasets/${second.dataset_id}/versions`;
    expect(await asked(few)).toMatchObject([{ id: second.version_id, number: 1, state: "ready", row_count: 160 }]);
    expect(await asked(`${few}/${second.version_id}/embeddings`)).toMatchObject([
      { id: embedding.embedding_id, state: "ready", row_count: 160, embedded_rows: 160 },
    ]);
    expect(await asked(`/platform/pipelines/${each.pipeline}/runs`)).toMatchObject([
      { id: trained.run_id, datasets: [{ version_id: second.version_id }] },
    ]);
  });
});
