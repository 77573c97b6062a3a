import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInLink } from "../../packages/local-platform/src/launcher/sign-in-link.ts";
import { launchChromium } from "../infra/chromium.ts";
import { ownPlatform } from "../infra/own-platform.ts";
import { ask } from "../mesh/rest.ts";
import { type ConsolePage, loaded, newPage } from "./console-page.ts";

const CONSOLE_PATH = "/tools/ai/";
const person = randomUUID();

let platform: LocalPlatform;
ownPlatform(
  (started) => {
    platform = started;
  },
  { settings: { gateway: { CONSOLE_PATH }, identity: { CONSOLE_PATH } } },
);

let browser: Browser;
let opened: ConsolePage;
beforeAll(async () => {
  const { bearer } = platform.description;
  const [{ issuer }] = JSON.parse(platform.settings["identity"]?.["OIDC_ISSUERS"] ?? "[{}]");
  const { body } = await ask(platform.description, { path: "/platform/roles", bearer });
  const role = body.find(({ slug }: { slug: string }) => slug === "administrator");
  const member = { display_name: "Elsewhere", email: `${person}@people.example`, issuer, subject: person };
  await ask(platform.description, { path: "/platform/members", body: { member, role_ids: [role.id] }, bearer });
  browser = await launchChromium();
  opened = await newPage(browser);
});
afterAll(async () => {
  await browser?.close();
});

const pathOf = (address: string) => new URL(address).pathname;

describe("the console at another path", () => {
  it("is where the gateway's own address leads, and shows its sign-in page", async () => {
    const { page } = opened;
    await page.goto(platform.description.gateway);
    await page.getByLabel("API key").waitFor();
    expect(pathOf(page.url())).toBe(`${CONSOLE_PATH}sign-in`);
  });

  it("brings a person from a link through the identity provider to the page of the link", async () => {
    const { page } = opened;
    await page.goto(`${platform.description.gateway}${CONSOLE_PATH}people/members`);
    await page.getByRole("link", { name: "Sign in with the local identity provider" }).click();
    await page.getByLabel("Name").fill(person);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
    expect(pathOf(page.url())).toBe(`${CONSOLE_PATH}people/members`);
  });

  it("loads pages by their addresses, and leads from one to the other", async () => {
    const { page } = opened;
    await page.reload();
    await loaded(page);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Automations" }).click();
    await page.getByRole("heading", { name: "Automations", level: 1 }).waitFor();
    expect(pathOf(page.url())).toBe(`${CONSOLE_PATH}automations`);
  });

  it("signs out to its own sign-in page", async () => {
    const { page } = opened;
    await page.getByRole("button", { name: "Account and theme" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    expect(pathOf(page.url())).toBe(`${CONSOLE_PATH}sign-in`);
  });

  it("is where the printed link leads, which signs in once", async () => {
    const link = await signInLink(platform.description);
    expect(link).toMatch(`${platform.description.gateway}${CONSOLE_PATH}sign-in#code=`);
    const { page } = await newPage(browser);
    await page.goto(link ?? "");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    await page.context().close();
  });

  it("breaks no rule of its policy", () => {
    expect(opened.faults).toEqual([]);
  });
});
