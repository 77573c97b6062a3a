import type { Description } from "@aiplatform/local-platform";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { type ConsolePage, faultsInBothThemes } from "./console-page.ts";
import { signedInPage } from "./signed-in-page.ts";

let description: Description;
sharedPlatform((started) => {
  description = started.description;
});

let opened: ConsolePage;
let page: Page;
signedInPage(
  () => description,
  (signedIn) => {
    opened = signedIn;
    page = signedIn.page;
  },
);

// The platform is shared with other files: names are of this one alone.
const mark = Date.now().toString(36);
const datasetName = `Orders ${mark}`;
const automationName = `Weekly note ${mark}`;

const area = (name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }).click();

describe("the console's data", () => {
  it("is a list, to which a dataset is added with its columns", async () => {
    await area("Data");
    await page.getByRole("table", { name: "Datasets" }).waitFor();
    expect(await faultsInBothThemes(page)).toEqual([]);
    await page.getByRole("button", { name: "New dataset" }).click();
    const dialog = page.getByRole("dialog", { name: "New dataset" });
    await dialog.getByLabel("Name").fill(datasetName);
    await dialog.getByLabel("Columns").fill("order_id: integer\nlate: boolean");
    await dialog.getByRole("button", { name: "Create dataset" }).click();
    await page.getByRole("heading", { name: datasetName, level: 1 }).waitFor();
    await page.getByRole("row", { name: "late" }).getByText("boolean").waitFor();
  });

  it("shows what an edit would change before it is written, and a refusal at its row", async () => {
    await page.getByRole("button", { name: "Edit texts" }).click();
    await page.getByLabel("Meaning of late").fill("Delivered after the promised hour");
    await page.getByRole("button", { name: "Add an entry" }).click();
    const name = page.getByLabel("Name of the new entry");
    await name.fill("late");
    await page.getByRole("button", { name: "Review changes" }).click();
    await page.getByRole("row").filter({ has: name }).getByText("name:").waitFor();
    await name.fill("depot");
    await page.getByRole("button", { name: "Review changes" }).click();
    const review = page.getByRole("dialog", { name: "Review the changes" });
    await review.getByRole("row", { name: "depot new entry" }).waitFor();
    expect(await faultsInBothThemes(page)).toEqual([]);
    await review.getByRole("button", { name: "Write 2 entries" }).click();
    await review.waitFor({ state: "detached" });
    await page.getByRole("row", { name: "late" }).getByText("by a program").waitFor();
  });

  it("has a history of each entry", async () => {
    await page.getByRole("row", { name: "late" }).getByRole("link").click();
    const history = page.getByRole("table", { name: "Changes of the dictionary" });
    await history.getByText("Delivered after the promised hour").waitFor();
    expect(await faultsInBothThemes(page)).toEqual([]);
  });

  it("loses a dataset after a question that says what goes with it", async () => {
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: `Delete ${datasetName}` });
    await dialog.getByText("3, 1 with a text").waitFor();
    await dialog.getByText("No published automation.").waitFor();
    await dialog.getByRole("button", { name: "Delete dataset" }).click();
    await page.getByRole("heading", { name: "Data", level: 1 }).waitFor();
    await page.getByRole("link", { name: datasetName }).waitFor({ state: "detached" });
  });
});

describe("the console's automations", () => {
  it("are a list, to which one is added", async () => {
    await area("Automations");
    await page.getByRole("table", { name: "Automations" }).waitFor();
    expect(await faultsInBothThemes(page)).toEqual([]);
    await page.getByRole("button", { name: "New automation" }).click();
    const dialog = page.getByRole("dialog", { name: "New automation" });
    await dialog.getByLabel("Name").fill(automationName);
    await dialog.getByRole("button", { name: "Create automation" }).click();
    await page.getByRole("heading", { name: automationName, level: 1 }).waitFor();
  });

  it("have a draft whose faults stand at their fields, and which is saved", async () => {
    const template = page.getByLabel("What it does").first();
    await template.fill('{"type": "prompt", "text": "{{ input"}');
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByText(/^text: /).waitFor();
    await template.fill('{"type": "prompt", "text": "Why were orders late in {{ input.week }}?"}');
    await page.getByRole("button", { name: "Add step" }).click();
    await page.getByRole("button", { name: "Add transition" }).click();
    expect(await faultsInBothThemes(page)).toEqual([]);
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByText("Revision 1.").waitFor();
  });

  it("are published after a review of what is new", async () => {
    await page.getByRole("button", { name: "Review and publish" }).click();
    const review = page.getByRole("dialog", { name: `Publish revision 1 of ${automationName}` });
    await review.getByText("Its steps need no permission.").waitFor();
    await review.getByRole("button", { name: "Publish", exact: true }).click();
    await review.waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "Steps" }).click();
    await page.getByRole("group", { name: "Graph of the steps" }).getByRole("button").nth(1).waitFor();
    expect(await faultsInBothThemes(page)).toEqual([]);
  });

  it("run with an input, and show what each step made", async () => {
    await page.getByRole("button", { name: "Run", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: `Run ${automationName}` });
    await dialog.getByLabel("Input").fill('{"week": "2026-W09", "question": "Why?"}');
    await dialog.getByRole("button", { name: "Start run" }).click();
    await page.getByRole("heading", { name: `Run of ${automationName}`, level: 1 }).waitFor();
    await page.getByRole("status").getByText("succeeded").waitFor();
    await page.getByRole("group", { name: "Output" }).getByText("This is what a model would say").waitFor();
    expect(await faultsInBothThemes(page)).toEqual([]);
  });

  it("break no rule of the policy of the pages, and leave no error uncaught", () => {
    expect(opened.faults).toEqual([]);
  });
});
