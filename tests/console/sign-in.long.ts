import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../infra/chromium.ts";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask } from "../mesh/rest.ts";
import { accessibilityFaults, type ConsolePage, newPage } from "./console-page.ts";

let platform: LocalPlatform["description"];
let issuer: string;
sharedPlatform(({ description, settings }) => {
  platform = description;
  [{ issuer }] = JSON.parse(settings["identity"]?.["OIDC_ISSUERS"] ?? "[{}]");
});

/** A person who is a member of both organisations. */
const person = randomUUID();
let browser: Browser;
let opened: ConsolePage;
let page: Page;
beforeAll(async () => {
  const member = { display_name: "Of both", email: `${person}@people.example`, issuer, subject: person };
  for (const { bearer } of [platform, platform.foreign]) {
    const { body } = await ask(platform, { path: "/platform/roles", bearer });
    const role = body.find(({ slug }: { slug: string }) => slug === "administrator");
    await ask(platform, { path: "/platform/members", body: { member, role_ids: [role.id] }, bearer });
  }
  browser = await launchChromium();
  opened = await newPage(browser);
  page = opened.page;
});
afterAll(async () => {
  await browser?.close();
});

const account = () => page.getByRole("button", { name: "Account and theme" });

describe("a person in a browser", () => {
  it("is led from a link into the console to the identity provider, and back to the page of the link", async () => {
    await page.goto(`${platform.gateway}/console/models?from=mail`);
    await page.getByRole("link", { name: "Sign in with the local identity provider" }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("link", { name: "Sign in with the local identity provider" }).click();
    await page.getByLabel("Name").fill(person);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Models", level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/models");
  });

  it("has the session in a cookie that no script can read, and nothing in storage", async () => {
    const cookies = await page.context().cookies(platform.gateway);
    const session = cookies.find(({ name }) => name === "aiplatform-session");
    expect(session).toMatchObject({ httpOnly: true, sameSite: "Strict" });
    const stored = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
    expect(stored).not.toContain(session?.value);
  });

  it("switches to their other organisation, and finds it ticked", async () => {
    const before = await page.locator(".brand-name").textContent();
    const other = before === "Demo" ? "Foreign" : "Demo";
    await account().click();
    await page.getByRole("menuitemradio", { name: other }).click();
    await page.locator(".brand-name", { hasText: other }).waitFor();
    await account().click();
    expect(await page.getByRole("menuitemradio", { name: other }).getAttribute("aria-checked")).toBe("true");
    await page.keyboard.press("Escape");
  });

  it("sees their sessions, and ends one that is elsewhere", async () => {
    const elsewhere = await newPage(browser);
    await elsewhere.page.goto(`${platform.gateway}/platform/sign-in/local/start`);
    await elsewhere.page.getByLabel("Name").fill(person);
    await elsewhere.page.getByRole("button", { name: "Sign in" }).click();
    await elsewhere.page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    await account().click();
    await page.getByRole("menuitem", { name: "Sessions" }).click();
    const dialog = page.getByRole("dialog", { name: "Your sessions" });
    await dialog.getByText("this one").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog
      .getByRole("button", { name: /^End the session of Chrome/ })
      .first()
      .click();
    await dialog.getByRole("button", { name: /^End the session of/ }).waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Close" }).click();
    await elsewhere.page.reload();
    await elsewhere.page.getByLabel("API key").waitFor();
    await elsewhere.page.context().close();
  });

  it("signs out, and has to sign in again", async () => {
    await account().click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
  });

  it("comes back from a provider at another site all the same", async () => {
    const other = await newPage(browser);
    const start = `${platform.gateway}/platform/sign-in/local/start?to=%2Fmodels`;
    const { location = "" } = (await other.page.context().request.get(start, { maxRedirects: 0 })).headers();
    // To the browser, the names of this machine are two sites.
    await other.page.goto(location.replace("//127.0.0.1:", "//localhost:"));
    await other.page.getByLabel("Name").fill(person);
    await other.page.getByRole("button", { name: "Sign in" }).click();
    await other.page.getByRole("heading", { name: "Models", level: 1 }).waitFor();
    await other.page.context().close();
  });

  it("who is no member reads that, and what to do", async () => {
    const stranger = await newPage(browser);
    await stranger.page.goto(`${platform.gateway}/console/`);
    await stranger.page.getByRole("link", { name: "Sign in with the local identity provider" }).click();
    await stranger.page.getByLabel("Name").fill("stranger");
    await stranger.page.getByRole("button", { name: "Sign in" }).click();
    await stranger.page.getByRole("alert").getByText("Ask an administrator to invite you").waitFor();
    expect(await accessibilityFaults(stranger.page)).toEqual([]);
    await stranger.page.context().close();
  });

  it("breaks no rule of the console's policy", () => {
    expect(opened.faults).toEqual([]);
  });
});
