import type { Description } from "@aiplatform/local-platform";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../infra/chromium.ts";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { accessibilityFaults, type ConsolePage, newPage, overflow, signIn } from "./console-page.ts";

let description: Description;
sharedPlatform(
  (started) => {
    description = started.description;
  },
  { trainer: true },
);

let browser: Browser;
let opened: ConsolePage;
let page: Page;
beforeAll(async () => {
  browser = await launchChromium();
  opened = await newPage(browser);
  page = opened.page;
});
afterAll(async () => {
  await browser?.close();
});

/** Sends a command from its dialog, once the platform has said what it would do. */
async function send(command: string): Promise<void> {
  await page.getByRole("toolbar", { name: "Commands" }).getByRole("button", { name: command }).click();
  const dialog = page.getByRole("dialog", { name: command });
  await dialog.getByText("becomes").waitFor();
  await dialog.getByRole("button", { name: command }).click();
  await dialog.waitFor({ state: "detached" });
}

/** Waits until the newest command of the log stands so. */
async function newestCommand(name: string, status: string): Promise<void> {
  const row = page.getByRole("table", { name: "Commands of this job" }).getByRole("row").nth(1);
  await row.filter({ hasText: name }).filter({ hasText: status }).waitFor();
}

const runAddress = () => `${description.gateway}/console/runs/${description.pipeline_id}/${description.run_id}`;

/** Bytes of scripts and styles as they came over the network. */
const loadedBytes = `performance.getEntriesByType("resource").filter(({ name }) => /\\.(js|css)$/.test(name))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`;

describe("the console, in the first minute", () => {
  it("asks for a key, says what is wrong with a bad one, and takes a good one", async () => {
    await page.goto(`${description.gateway}/console/`);
    await page.getByLabel("API key").fill("aip_wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("Request").waitFor();
    await signIn(page, description);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it("loads less than 250 KB of scripts and styles for the first screen", async () => {
    const bytes = await page.evaluate(loadedBytes);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(250_000);
  });

  it("takes a one-time link after a click, and only then", async () => {
    const headers = { authorization: `Bearer ${description.bearer}`, "content-type": "application/json" };
    const made = await fetch(`${description.gateway}/platform/sign-in-codes`, { method: "POST", headers, body: "{}" });
    const { sign_in_url: link }: { sign_in_url: string } = JSON.parse(await made.text());
    const { page: other, faults } = await newPage(browser);
    await other.goto(link);
    await other.getByRole("button", { name: "Continue" }).waitFor();
    expect(other.url()).toBe(`${description.gateway}/console/sign-in`);
    await other.getByRole("button", { name: "Continue" }).click();
    await other.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    await other.context().close();
    expect(faults).toEqual([]);
  });

  it("leads from the start page to the run that trains, and draws its curve", async () => {
    await page.getByRole("link", { name: "digits by gradient descent" }).first().click();
    await page.getByRole("heading", { name: "digits by gradient descent", level: 1 }).waitFor();
    await page.getByRole("figure", { name: "test_accuracy", exact: true }).locator("canvas").waitFor();
    await page.getByText("live", { exact: true }).waitFor();
  });

  it("pauses the run, shows the pause when it is applied, and goes on", async () => {
    await send("Pause");
    await newestCommand("Pause", "applied");
    await page.getByRole("button", { name: "Resume" }).and(page.locator(":not([data-disabled])")).waitFor();
    await send("Resume");
    await newestCommand("Resume", "applied");
  });

  it("rolls the run back and marks where the new segment begins", async () => {
    await send("Roll back");
    await newestCommand("Roll back", "applied");
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it("says why a command is not possible", async () => {
    const resume = page.getByRole("button", { name: "Resume" });
    await resume.and(page.locator("[data-disabled]")).waitFor();
    expect(await resume.getAttribute("aria-description")).toContain("Resume is not possible while the job is");
  });
});

describe("the other screens of the console", () => {
  it("find runs by a filter, and copy one to a form", async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Runs" }).click();
    await page.getByLabel("Filter", { exact: true }).fill('name = "digits by gradient descent"');
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("table", { name: "Runs" }).getByRole("row").nth(1).waitFor();
    await page.getByRole("button", { name: "New run" }).click();
    await page.getByRole("dialog", { name: "New run" }).getByLabel("Name").fill("made in the console");
    await page.getByRole("button", { name: "Create run" }).click();
    await page.getByRole("heading", { name: "made in the console", level: 1 }).waitFor();
    await page.getByText("queued").first().waitFor();
  });

  it("deploy a model and answer a drawn digit", async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Models" }).click();
    await page.getByRole("button", { name: "Deploy" }).first().click();
    await page.getByRole("dialog").getByRole("button", { name: "Deploy" }).click();
    const canvas = page.getByRole("img", { name: "Drawing of a digit" });
    await canvas.waitFor();
    const box = await canvas.boundingBox();
    if (!box) throw new Error("the canvas is not on the page");
    await page.mouse.move(box.x + 112, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + 112, box.y + 180, { steps: 8 });
    await page.mouse.up();
    await page.getByRole("status", { name: "Prediction" }).getByText("It is a").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it("have room on a phone", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(runAddress());
    await page.getByRole("figure", { name: "test_accuracy", exact: true }).waitFor();
    expect(await overflow(page)).toBe(0);
  });

  it("end with the session", async () => {
    await page.getByRole("button", { name: "Account and theme" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    await page.goto(runAddress());
    await page.getByLabel("API key").waitFor();
  });

  it("break no rule of their policy, and leave no error uncaught", () => {
    expect(opened.faults).toEqual([]);
  });
});
