import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { type Json, until } from "../mesh/rest.ts";
import { DatasetFiles } from "../rest-contract/dataset-files.ts";
import { deployHandler } from "../rest-contract/embedding-deployment.ts";
import { Automations } from "./automations.ts";

let platform: LocalPlatform;
sharedPlatform((started) => {
  platform = started;
});
const data = new DatasetFiles(() => platform.description);
const automations = new Automations(() => platform);
const asked = (path: string) => automations.asked(path);

let source: { id: string; versions: string };
beforeAll(async () => {
  source = await data.dataset(`Points ${randomUUID()}`);
  await data.ready(source.versions, "x,y\n1,2\n3,4\n5,6\n");
});
/** Makes a version of a dataset of the newest points. */
const ofPoints = (dataset_id: string, sql = "SELECT * FROM points WHERE x > 1") => ({
  ...{ type: "dataset", dataset_id, sql },
  tables: [{ name: "points", dataset_id: source.id }],
});

describe("an automation that makes a version, embeds it and trains, each night", () => {
  it("makes one version, one embedding and one training run of each due time, once the clock is behind it", async () => {
    const deployment_id = await deployHandler(platform.description, `Nightly ${randomUUID()}`);
    const target = await data.dataset(`Nightly ${randomUUID()}`);
    const { id: pipeline } = await automations.asked("/platform/pipelines", {
      body: { name: `Nightly ${randomUUID()}` },
    });
    const made = { dataset_id: "{{ steps.s0.output.dataset_id }}", version_id: "{{ steps.s0.output.version_id }}" };
    const recipe = {
      input: "texts",
      output: "vectors",
      template: "{% raw %}x={{x}} y={{y}}{% endraw %}",
      metric: "l2",
    };
    const steps = [
      { ...ofPoints(target.id), description: "Due at {{ event.due_at }}" },
      { type: "embed", ...made, deployment_id, ...recipe },
      {
        ...{ type: "train", action: "start_run", pipeline_id: pipeline, name: "Due at {{ event.due_at }}" },
        ...{ jobs: [{ name: "train" }], datasets: [{ name: "points", ...made }], wait: false },
      },
    ];
    // Not due by itself while the test runs.
    const soon = new Date(Date.now() + 12 * 3_600_000);
    const daily = `${soon.getUTCMinutes()} ${soon.getUTCHours()} * * *`;
    const schedule = { cron: daily, time_zone: "UTC", missed: "catch_up" };
    const path = await automations.published(steps, { event: "schedule", schedule });
    await automations.awayFor(3, path);
    const runs = await automations.endedRuns(path, 3);
    expect(runs.map(({ status, error }) => [status, error])).toEqual(runs.map(() => ["succeeded", null]));
    const dueTimes = runs.map(({ input }) => input.due_at);
    expect(new Set(dueTimes).size).toBe(3);
    const versions: Json[] = await asked(`${target.versions}?order_by=number`);
    expect(versions.map(({ state, row_count }) => [state, row_count])).toEqual(runs.map(() => ["ready", 2]));
    expect(versions.map(({ description }) => description).sort()).toEqual(dueTimes.map((at) => `Due at ${at}`).sort());
    const trained: Json[] = await asked(`/platform/pipelines/${pipeline}/runs`);
    expect(trained).toHaveLength(3);
    for (const { steps: ended, input } of runs) {
      const [version, embedding, run] = ended.map(({ output }: Json) => output);
      const found = versions.find(({ id }) => id === version.version_id);
      expect(version).toMatchObject({ dataset_id: target.id, number: found.number, row_count: 2, columns: ["x", "y"] });
      expect([version.content_sha256, found.description]).toEqual([found.content_sha256, `Due at ${input.due_at}`]);
      const embeddings: Json[] = await asked(`${target.versions}/${version.version_id}/embeddings`);
      expect(embeddings).toMatchObject([{ id: embedding.embedding_id, state: "ready", row_count: 2 }]);
      expect(embedding).toMatchObject({ row_count: 2, dimensions: 2 });
      const read = trained.find(({ id }) => id === run.run_id);
      expect(read.datasets).toMatchObject([{ name: "points", dataset_id: target.id, version_id: version.version_id }]);
    }
    // The next one is not yet due.
    const { next_run_at } = await asked(`${path}/settings`);
    expect(Date.parse(next_run_at)).toBeGreaterThan(Date.now());
    expect(await asked(`${path}/runs`)).toHaveLength(3);
  }, 240_000);
});

describe("a step that makes a version", () => {
  it("takes the rows of an earlier step, and creates the dataset that it names", async () => {
    const name = `Answers ${randomUUID()}`;
    const path = await automations.published([
      { type: "prompt", text: "{{ input.answer }}" },
      { type: "dataset", name, rows: "{{ input.rows }}" },
    ]);
    const { status, error, steps } = await automations.ran(path, { answer: "Yes", rows: [{ a: 1 }, { a: 2.5 }] });
    expect([status, error]).toEqual(["succeeded", null]);
    const { dataset_id, version_id, row_count } = steps[1].output;
    expect([row_count, (await asked(`/platform/datasets/${dataset_id}`)).name]).toEqual([2, name]);
    const rows = await asked(`/platform/datasets/${dataset_id}/versions/${version_id}/rows`);
    expect(rows).toEqual([{ a: 1 }, { a: 2.5 }]);
  });

  it("reads rows that a language model has written as text", async () => {
    const { id, versions } = await data.dataset(`Texts ${randomUUID()}`);
    const path = await automations.published([{ type: "dataset", dataset_id: id, rows: "{{ input.text }}" }]);
    const { steps } = await automations.ran(path, { text: '```json\n[{"word":"fjord"}]\n```' });
    expect(await asked(`${versions}/${steps[0].output.version_id}/rows`)).toEqual([{ word: "fjord" }]);
  });

  const faults: readonly (readonly [what: string, step: (id: string) => Json, error: RegExp])[] = [
    [
      "whose query has a fault",
      (id) => ofPoints(id, "SELECT z FROM points"),
      /Version 1 of the dataset cannot be made: .*z/,
    ],
    ["of no rows", (id) => ({ type: "dataset", dataset_id: id, rows: "[]" }), /rows: there are none/],
    ["of a dataset that is not there", () => ofPoints(randomUUID()), /Not found/],
    [
      "that reads a dataset that is not there",
      (id) => ({ ...ofPoints(id), tables: [{ name: "points", dataset_id: randomUUID() }] }),
      /Not found/,
    ],
  ];
  it.each(faults)("fails %s, and says why", async (_, step, error) => {
    const { id } = await data.dataset(`Faults ${randomUUID()}`);
    const run = await automations.ran(await automations.published([step(id)]));
    expect([run.status, run.error]).toEqual(["failed", expect.stringMatching(error)]);
  });

  const unusable: readonly (readonly [what: string, field: string, text: string, error: string])[] = [
    ["an id that is empty", "dataset_id", "", "dataset_id: it is empty"],
    ["a name that is empty", "name", " ", "name: it must have 1 to 255 characters, and has 0"],
    ["a name that is too long", "name", "x".repeat(256), "name: it must have 1 to 255 characters, and has 256"],
  ];
  it.each(unusable)("creates no dataset where its template makes %s", async (_, field, text, error) => {
    const path = await automations.published([{ type: "dataset", [field]: "{{ input.text }}", rows: [{ a: 1 }] }]);
    const run = await automations.ran(path, { text });
    expect([run.status, run.error]).toEqual(["failed", expect.stringContaining(error)]);
    const names = [(await asked(path)).name, text.trim()].filter(Boolean);
    const made = names.map((name) => asked(`/platform/datasets?filter=${encodeURIComponent(`name = "${name}"`)}`));
    expect(await Promise.all(made)).toEqual(names.map(() => []));
  });

  it("starts no automation that waits for new data, which would otherwise never end", async () => {
    const { id, versions } = await data.dataset(`Grows ${randomUUID()}`);
    const copy = { type: "dataset", dataset_id: id, sql: "SELECT * FROM t", tables: [{ name: "t", dataset_id: id }] };
    const when = `event.dataset_id == "${id}"`;
    const path = await automations.published([copy], { event: "data.dataset_version.ready", when });
    await data.ready(versions, `a\n${randomUUID()}\n`);
    await automations.endedRuns(path, 1);
    // Events of one service are handled in their order: that of the step's version is handled before this one's.
    await data.ready(versions, `a\n${randomUUID()}\n`);
    const runs = await automations.endedRuns(path, 2);
    expect(runs.map(({ status, error }) => [status, error])).toEqual(runs.map(() => ["succeeded", null]));
    const numbers = (await asked(versions)).map(({ number, query }: Json) => [number, query !== null]);
    expect(numbers).toEqual([
      [4, true],
      [3, false],
      [2, true],
      [1, false],
    ]);
    expect(await asked(`${path}/runs`)).toHaveLength(2);
  });

  it("is refused in a draft with both a query and rows, and without tables", async () => {
    const { id } = await automations.asked("/platform/automations", { body: { name: "Refused" } });
    const both = { type: "dataset", name: "n", sql: "SELECT 1", rows: [] };
    const body = { steps: [{ key: "a", name: "A", prompt_template: both }] };
    const saving = automations.asked(`/platform/automations/${id}/draft`, { method: "PUT", body });
    await expect(saving).rejects.toThrow(/sql or rows.*tables/s);
  });
});

describe("a step that embeds a version", () => {
  it("fails when the model refuses its rows, and says why", async () => {
    const deployment_id = await deployHandler(platform.description, `Refuses ${randomUUID()}`);
    const [version] = await asked(source.versions);
    const named = { dataset_id: source.id, version_id: version.id, deployment_id };
    const step = { type: "embed", ...named, input: "texts", output: "absent", template: "{% raw %}{{x}}{% endraw %}" };
    const run = await automations.ran(await automations.published([step]));
    expect([run.status, run.error]).toEqual(["failed", expect.stringMatching(/cannot be embedded: .*absent/)]);
    const embeddings: Json[] = await until(
      "the embedding to have failed",
      30,
      () => asked(`${source.versions}/${version.id}/embeddings`),
      ([embedding]) => embedding?.state === "failed",
    );
    expect(embeddings).toHaveLength(1);
  }, 120_000);
});
