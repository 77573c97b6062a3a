import type { Description } from "@aiplatform/local-platform";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { workerChromium } from "../infra/chromium.ts";
import { ownPlatform } from "../infra/own-platform.ts";
import { command, deploy, draw, followSignInLink, one } from "./actions.ts";
import { newPage } from "./console-page.ts";

let description: Description;
ownPlatform(
  (platform) => {
    description = platform.description;
  },
  { trainer: true, stepsPerSecond: 20 },
);

let page: Page;
beforeAll(async () => {
  ({ page } = await newPage(await workerChromium()));
});
afterAll(async () => {
  await page?.context().close();
});

const accuracy = () => page.getByRole("figure", { name: "test_accuracy", exact: true });

describe("a person who has just started the platform", () => {
  it("follows the printed link and watches the model learn", async () => {
    await followSignInLink(page, description);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("link", { name: "digits by gradient descent" }).first().click();
    await accuracy().locator("canvas").waitFor();
    await page.getByText("live", { exact: true }).waitFor();
  });

  it("pauses, resumes, rolls back, and finishes with the best checkpoint", async () => {
    await command(page, "Pause");
    await page.getByRole("button", { name: "Resume" }).and(page.locator(":not([data-disabled])")).waitFor();
    for (const name of ["Resume", "Roll back", "Finish"]) await command(page, name);
    await page.getByText("completed", { exact: true }).first().waitFor();
  });

  it("deploys the model and gets an answer for a digit", async () => {
    await deploy(page);
    await draw(page, one);
  });
});
