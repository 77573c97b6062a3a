import type { Description } from "@aiplatform/local-platform";
import type { Page } from "playwright-core";

/** What a person does on pages of the console. */

/** Follows a new one-time link, such as `npm start` prints. */
export async function followSignInLink(page: Page, { gateway, bearer }: Description): Promise<void> {
  const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
  const made = await fetch(`${gateway}/platform/sign-in-codes`, { method: "POST", headers, body: "{}" });
  const { sign_in_url: link }: { sign_in_url: string } = JSON.parse(await made.text());
  await page.goto(link);
  await page.getByRole("button", { name: "Continue" }).waitFor();
}

/** Goes to a page of the navigation. */
export async function goTo(page: Page, area: string): Promise<void> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: area, exact: true }).click();
  await page.getByRole("heading", { name: area, level: 1 }).waitFor();
}

/** Sends a command from its dialog once the platform has said what it would do, and waits until the trainer has applied it. */
export async function command(page: Page, name: string): Promise<void> {
  await page.getByRole("toolbar", { name: "Commands" }).getByRole("button", { name }).click();
  const dialog = page.getByRole("dialog", { name });
  await dialog.getByText("becomes").waitFor();
  await dialog.getByRole("button", { name }).click();
  await dialog.waitFor({ state: "detached" });
  const newest = page.getByRole("table", { name: "Commands of this job" }).getByRole("row").nth(1);
  await newest.filter({ hasText: name }).filter({ hasText: "applied" }).waitFor();
}

/** Deploys the first model of the list, which leads to the page of the deployment. */
export async function deploy(page: Page): Promise<void> {
  await goTo(page, "Models");
  await page.getByRole("button", { name: "Deploy" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Deploy" }).click();
}

/** Deploys the first model of the list, waits until it serves, and answers the id of the deployment. */
export async function deployed(page: Page): Promise<string> {
  await deploy(page);
  await page.getByRole("img", { name: "Drawing of a digit" }).waitFor();
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

/** Draws a digit along these points, and waits for the answer. */
export async function draw(page: Page, points: readonly (readonly [x: number, y: number])[]): Promise<void> {
  const canvas = page.getByRole("img", { name: "Drawing of a digit" });
  await canvas.waitFor();
  const box = await canvas.boundingBox();
  const [first] = points;
  if (!box || !first) throw new Error("there is nothing to draw");
  await page.mouse.move(box.x + first[0], box.y + first[1]);
  await page.mouse.down();
  for (const [x, y] of points) await page.mouse.move(box.x + x, box.y + y, { steps: 10 });
  await page.mouse.up();
  await page.getByRole("status", { name: "Prediction" }).getByText("It is a").waitFor();
}

/** The strokes of a one and of a seven. */
export const one = [
  [112, 40],
  [112, 180],
] as const;
export const seven = [
  [60, 50],
  [150, 50],
  [100, 190],
] as const;
