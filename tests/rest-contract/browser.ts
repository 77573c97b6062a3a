/** What a browser shows after it has followed every redirect. */
export interface BrowserPage {
  url: string;
  status: number;
  headers: Headers;
  text: string;
}

const maxRedirects = 10;

/**
 * What a person's browser does, as far as these tests need it: keeps cookies by origin, follows redirects, and submits
 * the forms that a page has.
 */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();
  /** Every URL that was asked for, in order. */
  readonly visited: string[] = [];
  #page: BrowserPage | undefined;
  readonly #stopBefore: string | undefined;

  /** `stopBefore`: a redirect to a URL that begins so is not followed; its URL is the last of {@link visited}. */
  constructor({ stopBefore }: { stopBefore?: string } = {}) {
    this.#stopBefore = stopBefore;
  }

  /** The page that is open. Throws when none is. */
  get page(): BrowserPage {
    if (!this.#page) throw new Error("no page has been opened");
    return this.#page;
  }

  /** Another window of the same browser: with the cookies of now. */
  copy(): Browser {
    const other = new Browser();
    for (const [origin, cookies] of this.#cookies) other.#cookies.set(origin, new Map(cookies));
    return other;
  }

  /** The header that the browser sends to an origin. */
  cookieOf(origin: string): string {
    return [...(this.#cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  open(url: string): Promise<BrowserPage> {
    return this.#go(url, undefined);
  }

  /** Submits the form of the page whose action ends so, with what was filled in. Throws when there is no such form. */
  submit(actionEnd: string, fields: Readonly<Record<string, string>> = {}): Promise<BrowserPage> {
    const forms = this.page.text.matchAll(/<form method="post" action="([^"]+)"/g);
    const action = [...forms].map(([, url = ""]) => url).find((url) => url.endsWith(actionEnd));
    if (action === undefined) throw new Error(`the page at ${this.page.url} has no form to ${actionEnd}`);
    return this.#go(new URL(action, this.page.url).href, new URLSearchParams(fields));
  }

  /** Follows the link of the page whose text begins so. Throws when there is no such link. */
  follow(textStart: string): Promise<BrowserPage> {
    const links = this.page.text.matchAll(/<a href="([^"]+)">([^<]*)</g);
    const [, address] = [...links].find(([, , text = ""]) => text.startsWith(textStart)) ?? [];
    if (address === undefined) throw new Error(`the page at ${this.page.url} has no link ${textStart}`);
    return this.#go(new URL(address.replaceAll("&amp;", "&"), this.page.url).href, undefined);
  }

  async #go(url: string, form: URLSearchParams | undefined): Promise<BrowserPage> {
    let response = await this.#ask(url, form);
    let at = url;
    for (let redirects = 0; response.headers.has("location"); redirects += 1) {
      if (redirects === maxRedirects) throw new Error(`redirected without end, at last to ${at}`);
      at = new URL(response.headers.get("location") ?? "", at).href;
      if (this.#stopBefore && at.startsWith(this.#stopBefore)) {
        this.visited.push(at);
        break;
      }
      response = await this.#ask(at, undefined);
    }
    this.#page = { url: at, status: response.status, headers: response.headers, text: await response.text() };
    return this.#page;
  }

  async #ask(url: string, form: URLSearchParams | undefined): Promise<Response> {
    this.visited.push(url);
    const { origin } = new URL(url);
    const cookies = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, cookies);
    const cookie = this.cookieOf(origin);
    const response = await fetch(url, {
      method: form ? "POST" : "GET",
      headers: cookie ? { cookie } : {},
      redirect: "manual",
      ...(form ? { body: form } : {}),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      const isOver = /;\s*expires=Thu, 01 Jan 1970/i.test(set);
      if (isOver) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }
}
