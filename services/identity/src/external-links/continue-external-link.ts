import type { IdentityDependencies } from "../dependencies.ts";
import { providerFailureOf } from "../oauth-client/provider-errors.ts";
import { LinkBrowser } from "./link-browser.ts";
import { type LinkPage, linkPage } from "./link-page.ts";
import { openVerifier } from "./link-secrets.ts";
import { type FindAttemptDependencies, findAttempted } from "./review-external-link.ts";

export type ContinueExternalLinkDependencies = FindAttemptDependencies &
  Pick<IdentityDependencies, "oauthProviders" | "redirectUri" | "secrets">;

/** What the link on our page carries, and the browser's cookies. */
export interface Continuation {
  state: string;
  confirmation: string;
  cookie: string;
}

/** Sends a browser that has shown our page on to the provider. The attempt stays as it is when it cannot go on. */
export async function continueExternalLink(
  dependencies: ContinueExternalLinkDependencies,
  { state, confirmation, cookie }: Continuation,
): Promise<LinkPage> {
  const found = await findAttempted(dependencies, state);
  if (typeof found === "string") return linkPage(found);
  const browser = new LinkBrowser(dependencies.hasher, state);
  if (!browser.hasConfirmed(cookie, confirmation)) return linkPage("browser_unknown");
  const { oauthProviders, redirectUri, secrets } = dependencies;
  const { link, attempt } = found;
  const provider = oauthProviders.get(link.provider);
  if (!provider || redirectUri === undefined) return linkPage("provider_unavailable");
  try {
    const codeVerifier = await openVerifier(secrets, link, attempt.verifier);
    const location = await provider.authorizationUrl({ state, codeVerifier, redirectUri });
    return {
      contentType: "text/html; charset=utf-8",
      data: new Uint8Array(),
      status: 303,
      location,
      setCookie: browser.agreed(),
    };
  } catch (error) {
    const failure = providerFailureOf(error);
    if (failure === undefined) throw error;
    return linkPage(failure);
  }
}
