import { type Document, DocumentSchema } from "@aiplatform/contract/transcoder/v1/json";
import { create } from "@bufbuild/protobuf";
import { parseSetCookie } from "cookie";
import type { IdentityClients } from "./identity-rig.ts";

/** What came back with the browser from its identity provider. */
export interface BroughtBack {
  provider?: string;
  code?: string;
  state?: string;
  iss?: string;
  error?: string;
}

/** A person's browser on its way through a sign-in: it keeps cookies, shows no credential, and goes where it is sent. */
export class SignInBrowser {
  readonly cookies = new Map<string, string>();

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Starts to sign in; answers where it is sent. */
  async start({ signIn }: Pick<IdentityClients, "signIn">, provider: string, to = ""): Promise<URL> {
    const { page } = await signIn.startSignIn({ provider, to, cookie: this.cookie });
    return this.#follow(page);
  }

  /** Comes back from the provider; answers where it is sent. */
  async comeBack({ signIn }: Pick<IdentityClients, "signIn">, answer: BroughtBack): Promise<URL> {
    const request = { provider: "work", code: "c", ...answer, cookie: this.cookie, userAgent: "a browser" };
    const { page } = await signIn.completeSignIn(request);
    return this.#follow(page);
  }

  #follow(page: Document = create(DocumentSchema)): URL {
    for (const cookie of [page.setCookie, ...page.furtherCookies]) {
      const { name, value } = parseSetCookie(cookie);
      if (name && value) this.cookies.set(name, value);
      else if (name) this.cookies.delete(name);
    }
    return new URL(page.location);
  }
}
