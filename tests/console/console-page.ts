import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Description } from "@aiplatform/local-platform";
import type { Browser, Page } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Runs in the page, whose types these programs do not know. */
const reportViolations = `document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile }) => {
  console.error("policy: " + violatedDirective + " " + blockedURI + " " + sourceFile);
});`;

/** How a page of the console is opened. */
export interface PageOptions {
  width?: number;
  height?: number;
  theme?: "light" | "dark";
}

/** A page of the console in a browser profile of its own, and what was wrong with it. */
export interface ConsolePage {
  page: Page;
  /** What the page's policy refused, and what its scripts did not catch. */
  faults: string[];
}

/** Opens an empty page that records violations of the policy and uncaught errors. */
export async function newPage(browser: Browser, options: PageOptions = {}): Promise<ConsolePage> {
  const { width = 1280, height = 800, theme = "light" } = options;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, locale: "en-GB" });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    // Answers with an error status are the API's; the pages show them.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      faults.push(message.text());
  });
  await page.addInitScript(reportViolations);
  return { page, faults };
}

/** Signs in with the first API key, as a person does. */
export async function signIn(page: Page, { gateway, api_key }: Description): Promise<void> {
  await page.goto(`${gateway}/console/`);
  await page.getByLabel("API key").fill(api_key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
}

/** Waits until a page has its heading and what it reads. */
export async function loaded(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
}

/** Waits until nothing on a page is still being read: no placeholder of rows, and none of a name. */
export async function settled(page: Page): Promise<void> {
  const pending = page.getByRole("status", { name: "Loading" }).or(page.getByText(/^(by )?…$/));
  await pending.first().waitFor({ state: "hidden" });
}

interface AxeRule {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** What axe finds wrong on the page as it is, one line each: WCAG 2.2, A and AA. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  // Evaluated by the debugger and not as a script of the page: the policy of the page holds for its own scripts.
  const run = `${axeSource}; axe.run({ runOnly: ${JSON.stringify(tags)} }).then(({ violations }) => violations)`;
  const violations: AxeRule[] = await page.evaluate(run);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = "" }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** The same in each theme. The page is light afterwards. */
export async function faultsInBothThemes(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    faults.push(...(await accessibilityFaults(page)));
  }
  return faults;
}

/** Pixels by which the page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
}
