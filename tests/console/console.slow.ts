import type { Description } from "@aiplatform/local-platform";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { workerChromium } from "../infra/chromium.ts";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { command, deploy, draw, followSignInLink, one } from "./actions.ts";
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
  browser = await workerChromium();
  opened = await newPage(browser);
  page = opened.page;
});
afterAll(async () => {
  await opened?.page.context().close();
});

const runAddress = () => `${description.gateway}/console/runs/${description.pipeline_id}/${description.run_id}`;

const chart = () => page.getByRole("figure", { name: "test_accuracy", exact: true }).locator("canvas");

/** What the count needs of a canvas: these programs do not know the types of pages. */
interface Canvas {
  width: number;
  height: number;
  getContext(kind: "2d"): { getImageData(x: number, y: number, w: number, h: number): { data: Uint8ClampedArray } };
}

/** Pixels of the chart in the colour of its curve, which is blue, or of its marks, which is brown. */
function pixelsOf(part: "curve" | "marks"): Promise<number> {
  return chart().evaluate(
    (canvas: Canvas, [more = 0, less = 0]: number[]) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const isOfPart = (at: number) =>
        (data[at + 3] ?? 0) > 100 && (data[at + more] ?? 0) - (data[at + less] ?? 0) > 100;
      return data.filter((_, at) => at % 4 === 0 && isOfPart(at)).length;
    },
    part === "curve" ? [2, 0] : [0, 2],
  );
}

/** On a busy machine a chart is drawn late. */
const drawn = { timeout: 30_000 };

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
    const { page: other, faults } = await newPage(browser);
    await followSignInLink(other, description);
    expect(other.url()).toBe(`${description.gateway}/console/sign-in`);
    await other.getByRole("button", { name: "Continue" }).click();
    await other.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    await other.context().close();
    expect(faults).toEqual([]);
  });

  it("leads from the start page to the run that trains, and draws its curve", async () => {
    await page.getByRole("link", { name: "digits by gradient descent" }).first().click();
    await page.getByRole("heading", { name: "digits by gradient descent", level: 1 }).waitFor();
    await chart().waitFor();
    await expect.poll(() => pixelsOf("curve"), drawn).toBeGreaterThan(0);
    await page.getByText("live", { exact: true }).waitFor();
  });

  it("pauses the run, shows the pause when it is applied, and goes on", async () => {
    await command(page, "Pause");
    await page.getByRole("button", { name: "Resume" }).and(page.locator(":not([data-disabled])")).waitFor();
    await command(page, "Resume");
  });

  it("rolls the run back and marks where the new segment begins", async () => {
    const before = await pixelsOf("marks");
    await command(page, "Roll back");
    await expect.poll(() => pixelsOf("marks"), drawn).toBeGreaterThan(before);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it("acquires the supervision lease of the job, and releases it", async () => {
    const panel = page.getByRole("region", { name: "Supervision lease" });
    await panel.getByRole("button", { name: "Acquire" }).click();
    await panel.getByText("This tab holds it").waitFor();
    await panel.getByRole("button", { name: "Release" }).click();
    await panel.getByText("No one holds it").waitFor();
  });

  it("says why a command is not possible", async () => {
    const resume = page.getByRole("button", { name: "Resume" });
    await resume.and(page.locator("[data-disabled]")).waitFor();
    expect(await resume.getAttribute("aria-description")).toContain("Resume is not possible while the job is");
  });
});

describe("the other screens of the console", () => {
  it("find a run by its words", async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search" }).fill("gradient");
    await page.getByRole("option", { name: "digits by gradient descent" }).first().click();
    await page.getByRole("heading", { name: "digits by gradient descent", level: 1 }).waitFor();
  });

  it("create a run like another one", async () => {
    await page.getByRole("link", { name: "New run like this" }).click();
    const name = page.getByRole("dialog", { name: "New run" }).getByLabel("Name");
    await name.waitFor();
    expect(await name.inputValue()).toBe("digits by gradient descent (copy)");
    await name.fill("made in the console");
    await page.getByRole("button", { name: "Create run" }).click();
    await page.getByRole("heading", { name: "made in the console", level: 1 }).waitFor();
    await page.getByText("queued").first().waitFor();
  });

  it("find runs by a filter, and abort those that are selected", async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Runs" }).click();
    await page.getByRole("row", { name: "digits by gradient descent" }).first().waitFor();
    await page.getByLabel("Filter", { exact: true }).fill('name = "made in the console"');
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("row", { name: "digits by gradient descent" }).first().waitFor({ state: "detached" });
    await page.getByLabel("Select made in the console").check();
    await page.getByRole("toolbar", { name: "Selected runs" }).getByRole("button", { name: "Abort" }).click();
    const dialog = page.getByRole("dialog", { name: "Abort 1 run" });
    await dialog.getByRole("button", { name: "Abort 1" }).click();
    await dialog.getByRole("columnheader", { name: "Outcome" }).waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("row", { name: "made in the console" }).getByText("aborted").waitFor();
  });

  it("compare the curves of selected runs", async () => {
    await page.getByLabel("Filter", { exact: true }).fill("");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByLabel("Select digits by gradient descent", { exact: true }).first().check();
    // The list may still be the one before the filter, which does not have the run that was created.
    const selected = page.getByRole("toolbar", { name: "Selected runs" });
    await selected.getByText("2 selected").waitFor();
    await selected.getByRole("link", { name: "Compare" }).click();
    const curves = page.getByRole("img", { name: /^Curves of .* in 2 runs$/ });
    await curves.locator("canvas").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it("deploy a model and answer a drawn digit", async () => {
    await deploy(page);
    await draw(page, one);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it("have room on a phone", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(runAddress());
    await page.getByRole("figure", { name: "test_accuracy", exact: true }).waitFor();
    expect(await overflow(page)).toBe(0);
  });

  it("end with the session, and come back with the next one", async () => {
    await page.getByRole("button", { name: "Account and theme" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    await page.goto(runAddress());
    await page.getByLabel("API key").fill(description.api_key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "digits by gradient descent", level: 1 }).waitFor();
  });

  it("break no rule of their policy, and leave no error uncaught", () => {
    expect(opened.faults).toEqual([]);
  });
});
