// Takes the pictures of docs/console.md of a platform that it starts: each screen in both themes.
//
//   npm run console:screenshots
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPlatform } from "@aiplatform/local-platform";
import type { Page } from "playwright-core";
import { launchChromium } from "../infra/chromium.ts";
import { command, deploy, draw, goTo, seven } from "./actions.ts";
import { newPage, signIn } from "./console-page.ts";
import { fillDelivery } from "./delivery-content.ts";
import { fillOrganisation } from "./organisation-content.ts";

const out = join(import.meta.dirname, "../../docs/console");
const size = { width: 1280, height: 800 };
const themes = ["light", "dark"] as const;

/** Of the trainer: enough for a curve with a rollback in it. */
const stepsPerSecond = 60;

async function take(page: Page, name: string, theme: (typeof themes)[number]): Promise<void> {
  await page.screenshot({ path: join(out, `${name}-${theme}.png`) });
}

async function prepare(page: Page): Promise<void> {
  await deploy(page);
  await page.getByRole("img", { name: "Drawing of a digit" }).waitFor();
  await goTo(page, "Home");
  await page.getByRole("link", { name: "digits by gradient descent" }).first().click();
  await page.getByRole("figure", { name: "test_accuracy", exact: true }).locator("canvas").waitFor();
  await command(page, "Roll back");
  // Some points after the rollback.
  await page.waitForTimeout(10_000);
}

async function takeAll(page: Page, theme: (typeof themes)[number]): Promise<void> {
  await goTo(page, "Home");
  await page
    .getByRole("img", { name: /^Curve of/ })
    .first()
    .waitFor();
  await take(page, "home", theme);
  await page.getByRole("link", { name: "digits by gradient descent" }).first().click();
  await page.getByRole("figure", { name: "test_accuracy", exact: true }).locator("canvas").waitFor();
  await take(page, "run", theme);
  await goTo(page, "Runs");
  await page.getByRole("table", { name: "Runs" }).waitFor();
  await take(page, "runs", theme);
  await goTo(page, "Deployments");
  await page.getByRole("table", { name: "Deployments" }).getByRole("link").first().click();
  await draw(page, seven);
  await take(page, "deployment", theme);
  await goTo(page, "Models");
  await page.getByRole("table", { name: "Models" }).waitFor();
  await take(page, "models", theme);
  await goTo(page, "Data");
  await page.getByRole("link", { name: "Delivery orders" }).click();
  await page.getByRole("table", { name: "Entries of the data dictionary" }).waitFor();
  await take(page, "dataset", theme);
  await goTo(page, "Automations");
  await page.getByRole("table", { name: "Automations" }).getByRole("link", { name: "succeeded" }).click();
  await page.getByRole("group", { name: "Graph of the steps" }).waitFor();
  await take(page, "automation-run", theme);
  await takeOrganisation(page, theme);
}

/** The screens of drafts, features and people. */
async function takeOrganisation(page: Page, theme: (typeof themes)[number]): Promise<void> {
  await goTo(page, "Drafts");
  await page.getByRole("link", { name: "The model of last week" }).click();
  await page.getByText("The model of last week, Demo administrator").waitFor();
  await take(page, "draft", theme);
  await goTo(page, "Features");
  await page.getByRole("link", { name: "ink_share" }).click();
  await page.getByRole("table", { name: "What uses the feature" }).waitFor();
  await take(page, "feature", theme);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "People" }).click();
  for (const [tab, name] of [
    ["Members", "members"],
    ["Roles", "roles"],
    ["API keys", "keys"],
    ["Audit log", "audit"],
  ] as const) {
    await page.getByRole("navigation", { name: "People and access" }).getByRole("link", { name: tab }).click();
    await page.getByRole("heading", { name: tab, level: 1 }).waitFor();
    await page.getByRole("table").waitFor();
    await take(page, name, theme);
  }
}

const directory = await mkdtemp(join(tmpdir(), "screenshots-"));
try {
  await mkdir(out, { recursive: true });
  await using platform = await startPlatform({ directory, stepsPerSecond });
  await fillOrganisation(platform.description);
  const browser = await launchChromium();
  try {
    const first = await newPage(browser, size);
    await signIn(first.page, platform.description);
    await fillDelivery(platform.description);
    await prepare(first.page);
    for (const theme of themes) {
      const { page } = await newPage(browser, { ...size, theme });
      await page.goto(`${platform.description.gateway}/console/`);
      await page.getByLabel("API key").waitFor();
      await take(page, "sign-in", theme);
      await signIn(page, platform.description);
      await takeAll(page, theme);
    }
  } finally {
    await browser.close();
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
