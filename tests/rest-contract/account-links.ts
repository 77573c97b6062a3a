import type { LocalPlatform } from "@aiplatform/local-platform";
import { expect } from "vitest";
import { ask } from "../mesh/rest.ts";
import { Browser } from "./browser.ts";

/** A member who links accounts of the social network, in a browser. */
export class AccountLinks {
  static readonly path = "/platform/external-oauth/links";
  readonly #platform: LocalPlatform["description"];

  constructor(platform: LocalPlatform["description"]) {
    this.#platform = platform;
  }

  start(secretName: string, query = "") {
    return ask(this.#platform, {
      path: `/external-oauth/socialnet/start${query}`,
      body: { secret_name: secretName, secret_description: "Posts of the shop" },
    });
  }

  async linkOf(id: string) {
    return (await ask(this.#platform, { path: `${AccountLinks.path}/${id}` })).body;
  }

  /** Begins a link and walks to the provider's page that asks for consent. */
  async upToConsent(secretName: string, query = "", browser = new Browser()) {
    const { status, body } = await this.start(secretName, query);
    expect(status).toBe(200);
    await browser.open(body.authorization_url);
    await browser.follow("Continue to socialnet");
    await browser.submit("/login", { account: "robin" });
    return { id: body.link_id, start: body, browser };
  }

  /** Walks all the way but the last step, and answers the URL of that. */
  async upToCallback(secretName: string) {
    const stopped = new Browser({ stopBefore: `${this.#platform.gateway}/platform/external-oauth/callback` });
    const walk = await this.upToConsent(secretName, "", stopped);
    await stopped.submit("/consent");
    return { ...walk, callback: new URL(stopped.visited.at(-1) ?? "") };
  }

  async linked(secretName: string, query = "") {
    const walk = await this.upToConsent(secretName, query);
    const page = await walk.browser.submit("/consent");
    expect([page.status, page.text]).toEqual([200, expect.stringContaining("<h1>Linked</h1>")]);
    return walk;
  }
}
