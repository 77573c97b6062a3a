// Takes the pictures of docs/console.md of a platform that it starts: each screen in both themes.
//
//   npm run console:screenshots
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPlatform } from "@aiplatform/local-platform";
import type { Page } from "playwright-core";
import { launchChromium } from "../infra/chromium.ts";
import { command, deployed, goTo } from "./actions.ts";
import { newPage, settled, signIn } from "./console-page.ts";
import { fillDelivery } from "./delivery-content.ts";
import { fillOrganisation } from "./organisation-content.ts";
import { type ScreenContent, screens } from "./pictures/screens.ts";

const out = join(import.meta.dirname, "../../docs/console");
const size = { width: 1280, height: 800 };
const themes = ["light", "dark"] as const;

/** Of the trainer: enough for a curve with a rollback in it. */
const stepsPerSecond = 60;

async function take(page: Page, name: string, theme: (typeof themes)[number]): Promise<void> {
  await page.screenshot({ path: join(out, `${name}-${theme}.png`) });
}

/** Answers the id of the deployment. */
async function prepare(page: Page): Promise<string> {
  const deploymentId = await deployed(page);
  await goTo(page, "Home");
  await page.getByRole("link", { name: "digits by gradient descent" }).first().click();
  await page.getByRole("figure", { name: "test_accuracy", exact: true }).locator("canvas").waitFor();
  await command(page, "Roll back");
  // Some points after the rollback.
  await page.waitForTimeout(10_000);
  return deploymentId;
}

async function takeAll(page: Page, theme: (typeof themes)[number], content: ScreenContent): Promise<void> {
  for (const { name, address, ready } of screens.filter(({ isDocumented }) => isDocumented)) {
    await page.goto(`${content.gateway}/console${address(content)}`);
    await ready(page);
    await settled(page);
    await take(page, name, theme);
  }
}

const directory = await mkdtemp(join(tmpdir(), "screenshots-"));
try {
  await mkdir(out, { recursive: true });
  await using platform = await startPlatform({ directory, stepsPerSecond });
  const { description } = platform;
  const organisation = await fillOrganisation(description);
  const browser = await launchChromium();
  try {
    const first = await newPage(browser, size);
    await signIn(first.page, description);
    const delivery = await fillDelivery(description);
    const deploymentId = await prepare(first.page);
    const content = { ...description, ...organisation, ...delivery, deploymentId, shortRunId: "" };
    for (const theme of themes) {
      const { page } = await newPage(browser, { ...size, theme });
      await page.goto(`${description.gateway}/console/`);
      await page.getByLabel("API key").waitFor();
      await take(page, "sign-in", theme);
      await signIn(page, description);
      await takeAll(page, theme, content);
    }
  } finally {
    await browser.close();
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
