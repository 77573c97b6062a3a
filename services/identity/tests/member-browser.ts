import { type Document, DocumentSchema } from "@aiplatform/contract/transcoder/v1/json";
import { create } from "@bufbuild/protobuf";
import { parseSetCookie } from "cookie";
import type { IdentityClients } from "./identity-rig.ts";

/** What came back with the browser from a provider. */
export interface ProviderAnswer {
  code?: string;
  state?: string;
  iss?: string;
  error?: string;
}

/** A member's browser on its way through a link: it keeps the cookies that it gets, and shows no credential. */
export class MemberBrowser {
  readonly #oauth: IdentityClients["externalOauth"];
  readonly #cookies = new Map<string, string>();

  constructor({ externalOauth }: Pick<IdentityClients, "externalOauth">) {
    this.#oauth = externalOauth;
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Opens the page about a link; answers it, and the confirmation in it. */
  async review(state: string): Promise<{ page: Document; text: string; confirmation: string }> {
    const { page = create(DocumentSchema) } = await this.#oauth.reviewExternalLink({ state });
    this.#keep(page);
    const text = Buffer.from(page.data).toString();
    const [, query = ""] = /href="authorize\/continue\?([^"]+)"/.exec(text) ?? [];
    const confirmation = new URLSearchParams(query.replaceAll("&amp;", "&")).get("confirmation") ?? "";
    return { page, text, confirmation };
  }

  /** Goes on from that page; answers what it gets, and where it is sent. */
  async goOn(state: string, confirmation: string): Promise<Document> {
    const request = { state, confirmation, cookie: this.cookie };
    const { page = create(DocumentSchema) } = await this.#oauth.continueExternalLink(request);
    this.#keep(page);
    return page;
  }

  /** All the way to the provider; answers its address. */
  async toProvider(state: string): Promise<URL> {
    const { confirmation } = await this.review(state);
    return new URL((await this.goOn(state, confirmation)).location);
  }

  async comeBack(answer: ProviderAnswer): Promise<{ status: number; text: string; type: string | undefined }> {
    const { page } = await this.#oauth.completeExternalLink({ ...answer, cookie: this.cookie });
    return {
      status: page?.status ?? 0,
      text: Buffer.from(page?.data ?? []).toString(),
      type: page?.contentType,
    };
  }

  #keep({ setCookie }: Document): void {
    const { name, value } = parseSetCookie(setCookie);
    if (name && value !== undefined) this.#cookies.set(name, value);
  }
}
