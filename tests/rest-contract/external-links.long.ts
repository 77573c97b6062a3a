import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, until } from "../mesh/rest.ts";
import { AccountLinks } from "./account-links.ts";

let platform: LocalPlatform["description"];
let whole: LocalPlatform;
let links: AccountLinks;
sharedPlatform(
  (started) => {
    whole = started;
    platform = started.description;
    links = new AccountLinks(platform);
  },
  { separate: true },
);

describe("while the social network is away", () => {
  it("a platform that has not met it yet begins no link, and does so when it is back", async () => {
    const name = `posts ${randomUUID()}`;
    await whole.kill("fake-oauth");
    try {
      await whole.restart("identity");
      const back = () => ask(platform, { path: AccountLinks.path });
      await until("identity to be reached again", 30, back, ({ status }) => status === 200);
      const { status, body } = await links.start(name);
      expect([status, body.detail]).toEqual([502, "Temporarily unavailable"]);
      expect((await ask(platform, { path: `${AccountLinks.path}?limit=1000` })).text).not.toContain(name);
    } finally {
      await whole.restart("fake-oauth");
    }
    await links.linked(name);
  });

  it("a link that comes back is not made within ten seconds, and its name is free", async () => {
    const { id, start: begun, browser } = await links.upToConsent(`posts ${randomUUID()}`);
    const { origin } = new URL(browser.page.url);
    await whole.kill("fake-oauth");
    try {
      const callback = `${platform.gateway}/platform/external-oauth/callback`;
      const parameters = new URLSearchParams({ code: "x", state: begun.state, iss: origin });
      const began = Date.now();
      const page = await browser.open(`${callback}?${parameters}`);
      expect(page.status).toBe(502);
      expect(Date.now() - began).toBeLessThan(10_000);
      expect(await links.linkOf(id)).toMatchObject({ status: "failed", error: "provider_unavailable" });
    } finally {
      await whole.restart("fake-oauth");
    }
    await links.linked(begun.secret_name);
  });
});
