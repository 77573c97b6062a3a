import { randomUUID } from "node:crypto";
import type { Description } from "@aiplatform/local-platform";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Json } from "../mesh/rest.ts";
import { DatasetFiles } from "../rest-contract/dataset-files.ts";
import { faultsInBothThemes } from "./console-page.ts";
import { signedInPage } from "./signed-in-page.ts";

let description: Description;
sharedPlatform((started) => {
  description = started.description;
});
let page: Page;
signedInPage(
  () => description,
  (signedIn) => {
    page = signedIn.page;
  },
);
const data = new DatasetFiles(() => description);
const runName = `Reads ${randomUUID()}`;

let dataset: { id: string; versions: string };
let run: Json;
beforeAll(async () => {
  dataset = await data.dataset(`Lineage ${randomUUID()}`);
  const version = await data.ready(dataset.versions, "id,price\n1,10\n2,20\n");
  const succeed = {
    path: `${dataset.versions}/${version.id}/successors`,
    body: { filter: "id = 1", matching_rows: "remove" },
  };
  await data.settled(dataset.versions, (await ask(description, succeed)).body, "ready");
  const datasets = [{ name: "train", dataset_id: dataset.id, version_id: version.id }];
  const path = `/platform/pipelines/${description.pipeline_id}/runs`;
  ({ body: run } = await ask(description, { path, body: { name: runName, jobs: [{ name: "train" }], datasets } }));
}, 60_000);

const table = (name: string) => page.getByRole("table", { name });

describe("the lineage in the console", () => {
  it("leads from a run to the data that it reads", async () => {
    await page.goto(`${description.gateway}/console/runs/${run.pipeline_id}/${run.id}`);
    const read = page.getByRole("list", { name: "Data that it reads" });
    await read.getByText("train: version 1, 2 rows").waitFor();
    await page.getByRole("tab", { name: "Lineage" }).click();
    await table("Made of").getByRole("link", { name: "Version 1" }).waitFor();
    expect(await faultsInBothThemes(page)).toEqual([]);
    await read.getByRole("link").click();
    await page.getByRole("heading", { name: "Version 1" }).waitFor();
  });

  it("leads from a version to what was made of it, and from there back", async () => {
    const used = table("Used by");
    await used.getByRole("row", { name: runName }).getByText("open").waitFor();
    expect(await faultsInBothThemes(page)).toEqual([]);
    await used.getByRole("link", { name: "Version 2" }).click();
    await page.getByText("Made of version 1, without some of its rows").waitFor();
    await table("Made of").getByRole("link", { name: "Version 1" }).click();
    await page.getByRole("heading", { name: "Version 1" }).waitFor();
  });

  it("says before a purge what has used the data, and afterwards as well", async () => {
    await page.getByRole("button", { name: "Purge" }).click();
    const dialog = page.getByRole("dialog", { name: "Purge version 1" });
    await dialog.getByText("The data was used by 1 version of a dataset, 1 run.").waitFor();
    await dialog.getByRole("link", { name: runName }).waitFor();
    expect(await faultsInBothThemes(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Purge" }).click();
    const region = page.getByRole("region", { name: "Used by, when it was purged" });
    await region.getByRole("link", { name: runName }).waitFor();
    expect(await faultsInBothThemes(page)).toEqual([]);
  });
});
