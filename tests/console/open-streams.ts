import type { Page, Request } from "playwright-core";

/** The requests of a page for streams that are under way. */
export class OpenStreams {
  readonly #open = new Set<Request>();

  constructor(page: Page) {
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (/\/(streams?|progress)$/.test(pathname)) this.#open.add(request);
    });
    const end = (request: Request) => this.#open.delete(request);
    page.on("requestfinished", end);
    page.on("requestfailed", end);
  }

  /** How many streams each of them asks for. */
  get counts(): number[] {
    return [...this.#open].map((request) => request.postDataJSON()?.streams?.length ?? 1);
  }
}
