import type { Description } from "@aiplatform/local-platform";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { workerChromium } from "../infra/chromium.ts";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Json } from "../mesh/rest.ts";
import { accessibilityFaults, type ConsolePage, loaded, newPage, overflow, signIn } from "./console-page.ts";
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

const go = (path: string) => page.goto(`${description.gateway}/console${path}`);

async function createDataset(): Promise<Json> {
  const body = { name: "Parcels", columns: [{ name: "weight_kg", type: "number" }] };
  return (await ask(description, { path: "/platform/datasets", body })).body;
}

const draftOf = (text: string) => ({
  steps: [{ key: "a", name: "Explain", prompt_template: { type: "prompt", text } }],
});

async function createAutomation(): Promise<Json> {
  const { body } = await ask(description, { path: "/platform/automations", body: { name: "Explain parcels" } });
  await saveDraft(body.id, "first");
  return body;
}

const saveDraft = (id: string, text: string) =>
  ask(description, { method: "PUT", path: `/platform/automations/${id}/draft`, body: draftOf(text) });

describe("texts of a dictionary that someone else changes while they are edited", () => {
  it("are kept, and written after the dictionary was read again", async () => {
    const { id } = await createDataset();
    await go(`/data/${id}`);
    await page.getByRole("button", { name: "Edit texts" }).click();
    await page.getByLabel("Meaning of weight_kg").fill("In kilograms");
    const body = [{ name: "depot", description: "Where a route begins" }];
    await ask(description, { method: "PATCH", path: `/data-dictionary/${id}/`, body });
    await page.getByRole("button", { name: "Review changes" }).click();
    await page.getByRole("alert").getByText("Someone else has changed the dictionary").waitFor();
    await page.getByRole("button", { name: "Read it again and keep my texts" }).click();
    await page.getByLabel("Meaning of depot").waitFor();
    expect(await page.getByLabel("Meaning of weight_kg").inputValue()).toBe("In kilograms");
    await page.getByRole("button", { name: "Review changes" }).click();
    await page.getByRole("button", { name: "Write 1 entry" }).click();
    await page.getByRole("button", { name: "Edit texts" }).waitFor();
    const { body: entries } = await ask(description, { path: `/platform/data-dictionary/${id}` });
    expect(entries).toEqual([{ name: "weight_kg", description: "In kilograms" }, ...body]);
  });

  it("are not left without a question", async () => {
    const { id } = await createDataset();
    await go(`/data/${id}`);
    await page.getByRole("button", { name: "Edit texts" }).click();
    await page.getByLabel("Meaning of weight_kg").fill("In grams");
    await page.getByRole("tab", { name: "History" }).click();
    await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Cancel" }).click();
    expect(await page.getByLabel("Meaning of weight_kg").inputValue()).toBe("In grams");
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("tab", { name: "History" }).click();
    await page.getByRole("tab", { name: "History", selected: true }).waitFor();
  });

  it("stay as they are where a person wrote them and a program edits, unless it replaces them", async () => {
    const { id } = await createDataset();
    const body = [{ name: "weight_kg", description: "As it was weighed" }];
    await ask(description, { method: "PATCH", path: `/data-dictionary/${id}/`, body });
    await go(`/data/${id}`);
    await page.getByRole("button", { name: "Edit texts" }).click();
    await page.getByLabel("Meaning of weight_kg").fill("In kilograms");
    await page.getByRole("button", { name: "Review changes" }).click();
    const review = page.getByRole("dialog", { name: "Review the changes" });
    await review.getByText("stays as it is").waitFor();
    await review.getByLabel("Replace texts that people wrote").check();
    await review.getByRole("button", { name: "Write 1 entry" }).click();
    await page.getByRole("row", { name: "weight_kg" }).getByText("In kilograms").waitFor();
  });
});

describe("a dataset that an automation uses", () => {
  it("says so before it is deleted, and is refused", async () => {
    const { id } = await createDataset();
    const automation = await createAutomation();
    const entries = [{ name: "weight_kg", description: "x" }];
    const steps = [{ key: "a", name: "A", prompt_template: { type: "dictionary", dataset_id: id, entries } }];
    const path = `/platform/automations/${automation.id}`;
    await ask(description, { method: "PUT", path: `${path}/draft`, body: { steps } });
    await ask(description, { method: "POST", path: `${path}/publish`, headers: { "if-match": "*" } });
    await go(`/data/${id}`);
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete Parcels" });
    await dialog.getByRole("link", { name: "Explain parcels" }).waitFor();
    await dialog.getByRole("button", { name: "Delete dataset" }).click();
    await dialog.getByRole("alert").getByText("roll out versions without the dataset").waitFor();
  });
});

describe("a draft that someone else changes while it is edited", () => {
  it("is compared with what is saved, and saved in its place only when that is chosen", async () => {
    const { id } = await createAutomation();
    await go(`/automations/${id}?tab=draft`);
    await page.getByLabel("What it does").fill('{"type": "prompt", "text": "mine"}');
    await saveDraft(id, "theirs");
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByRole("button", { name: "Compare with mine" }).click();
    const dialog = page.getByRole("dialog", { name: "The draft was changed" });
    await dialog.getByText("theirs").waitFor();
    await dialog.getByRole("button", { name: "Save mine in its place" }).click();
    await page.getByText("Revision 3.").waitFor();
  });

  it("is not published when it is no longer what was read", async () => {
    const { id } = await createAutomation();
    await go(`/automations/${id}?tab=draft`);
    await page.getByRole("button", { name: "Review and publish" }).click();
    await page.getByRole("dialog", { name: "Publish revision 1 of Explain parcels" }).waitFor();
    await saveDraft(id, "theirs");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    const next = page.getByRole("dialog", { name: "Publish revision 2 of Explain parcels" });
    await next.getByText("Someone else has changed the draft while you read").waitFor();
    await next.getByRole("button", { name: "Publish", exact: true }).click();
    await next.waitFor({ state: "detached" });
  });
});

describe("a caller who may only read", () => {
  it("sees which permission each action needs", async () => {
    const { id } = await createDataset();
    const automation = await createAutomation();
    const key = { name: "reader", permission_ids: ["dictionary:read", "automations:read"] };
    const { body } = await ask(description, { path: "/platform/api-keys", body: key });
    const { page: reader } = await newPage(await workerChromium());
    await signIn(reader, { ...description, api_key: body.secret });
    const reason = (name: string) => reader.getByRole("button", { name, exact: true }).getAttribute("aria-description");
    await reader.goto(`${description.gateway}/console/data/${id}`);
    expect(await reason("Edit texts")).toContain("dictionary:write");
    expect(await reason("Delete")).toContain("dictionary:write");
    await reader.goto(`${description.gateway}/console/automations/${automation.id}?tab=draft`);
    expect(await reason("Run")).toContain("automations:run");
    expect(await reason("Save draft")).toContain("automations:write");
    await reader.context().close();
  });
});

describe("the pages of data and automations", () => {
  it.each([360, 3840])("have room in a window of %i pixels, and no fault of accessibility", async (width) => {
    const { id } = await createDataset();
    const automation = await createAutomation();
    await page.setViewportSize({ width, height: 800 });
    const tabs = ["steps", "runs", "draft", "versions", "settings"];
    const paths = ["/data", `/data/${id}`, `/data/${id}?tab=history`, "/automations"];
    for (const path of [...paths, ...tabs.map((tab) => `/automations/${automation.id}?tab=${tab}`)]) {
      await go(path);
      await loaded(page);
      expect([path, await overflow(page), await accessibilityFaults(page)]).toEqual([path, 0, []]);
    }
  });

  it("break no rule of their policy, and leave no error uncaught", () => {
    expect(opened.faults).toEqual([]);
  });
});
