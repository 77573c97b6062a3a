import type { Description } from "@aiplatform/local-platform";
import { afterAll, beforeAll } from "vitest";
import { workerChromium } from "../infra/chromium.ts";
import { type ConsolePage, newPage, signIn } from "./console-page.ts";

/** Gives the tests of a file a page of the console that is signed in. `platform` is asked once it has started. */
export function signedInPage(platform: () => Description, use: (opened: ConsolePage) => void): void {
  let opened: ConsolePage | undefined;
  beforeAll(async () => {
    opened = await newPage(await workerChromium());
    await signIn(opened.page, platform());
    use(opened);
  });
  afterAll(async () => {
    await opened?.page.context().close();
  });
}
