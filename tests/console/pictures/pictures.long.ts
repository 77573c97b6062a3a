import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Description } from "@aiplatform/local-platform";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchPackagedChromium } from "../../infra/chromium.ts";
import { ownPlatform } from "../../infra/own-platform.ts";
import { deployed } from "../actions.ts";
import { settled, signIn } from "../console-page.ts";
import { fillScreens } from "./content.ts";
import { compact, differenceOf } from "./picture.ts";
import { type ScreenContent, screens } from "./screens.ts";
import { stillPage } from "./still-page.ts";

/** Set: pictures that differ become the baselines. */
const isUpdate = process.env["UPDATE_BASELINES"] !== undefined;
const themes = ["light", "dark"] as const;
/** Where the packages bring a Chromium. That of another system draws texts in its own way. */
const isDrawnAlike = process.platform === "linux" && process.arch === "x64";
/** A picture that differs is taken again for so long: lists are read again every few seconds, and a busy machine draws late. */
const settlesWithinMs = 30_000;
const againAfterMs = 500;

let description: Description;
ownPlatform(
  (platform) => {
    description = platform.description;
  },
  { model: true },
);

let browser: Browser;
let content: ScreenContent;
const pages = new Map<string, Page>();
beforeAll(async () => {
  const filled = await fillScreens(description);
  browser = await launchPackagedChromium();
  for (const theme of themes) pages.set(theme, await stillPage(browser, theme));
  // Both sign in before the first picture: the start page shows who has.
  for (const page of pages.values()) await signIn(page, description);
  content = { ...filled, deploymentId: await deployed(pageOf("light")) };
  if (isUpdate) await mkdir(join(import.meta.dirname, "baselines"), { recursive: true });
});
afterAll(async () => {
  await browser?.close();
});

const pageOf = (theme: string) => pages.get(theme) ?? expect.fail(`there is no page in ${theme}`);

/** Compares what a page shows with its baseline until they are equal, or makes it the baseline if they are not. */
async function looksAsBefore(page: Page, name: string): Promise<void> {
  // No part of the page is to look as one that is pointed at.
  await page.mouse.move(0, 0);
  const baseline = join(import.meta.dirname, "baselines", `${name}.png`);
  const difference = join(tmpdir(), "console-pictures", `${name}.png`);
  await rm(difference, { force: true });
  if (isUpdate) {
    const picture = await steadyPicture(page);
    if (await differenceOf({ name, picture, baseline, difference })) await writeFile(baseline, compact(picture));
    return;
  }
  const end = performance.now() + settlesWithinMs;
  for (;;) {
    const found = await differenceOf({ name, picture: await page.screenshot(), baseline, difference });
    if (found === undefined) return;
    if (performance.now() > end) expect.fail(`${found}. If it is to look like this: npm run console:baselines`);
    await delay(againAfterMs);
  }
}

/** A picture after which the page has not changed. */
async function steadyPicture(page: Page): Promise<Buffer> {
  for (let last = await page.screenshot(); ; ) {
    await delay(againAfterMs);
    const next = await page.screenshot();
    if (next.equals(last)) return next;
    last = next;
  }
}

describe.skipIf(!isDrawnAlike).each(themes)("the console in its %s theme looks as in its baseline:", (theme) => {
  it.each(screens.filter(({ isCompared }) => isCompared))("$name", async ({ name, address, ready }) => {
    const page = pageOf(theme);
    await page.goto(`${description.gateway}/console${address(content)}`);
    await ready(page);
    await settled(page);
    await looksAsBefore(page, `${name}-${theme}`);
  });

  it("sign-in", async () => {
    const page = await stillPage(browser, theme);
    await page.goto(`${description.gateway}/console/`);
    await page.getByLabel("API key").waitFor();
    await looksAsBefore(page, `sign-in-${theme}`);
    await page.context().close();
  });
});
