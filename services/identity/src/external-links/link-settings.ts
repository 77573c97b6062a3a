import { type KeyRing, readKeyRing } from "@aiplatform/sealed-secrets";
import { SettingsError } from "@aiplatform/service-host";
import { type ProviderSettings, readProviders } from "./provider-settings.ts";

/** What links to accounts elsewhere are set up with. */
export interface LinkSettings {
  ring: KeyRing;
  providers: ProviderSettings[];
  /** Where providers send browsers back to. Absent: providers cannot send browsers back. */
  redirectUri: string | undefined;
  /** What members open first. Absent: as above. */
  reviewUri: string | undefined;
}

/** Path of the page that members come back to. */
const callbackPath = "/platform/external-oauth/callback";
/** Path of the page that says what is linked. */
const reviewPath = "/platform/external-oauth/authorize";

/** Reads them from the service's settings. @throws SettingsError with every mistake in them. */
export function readLinkSettings(given: {
  readonly SECRETS_KEYS: string | undefined;
  readonly EXTERNAL_OAUTH_PROVIDERS: string | undefined;
  readonly PUBLIC_URL: string | undefined;
}): LinkSettings {
  const { SECRETS_KEYS, EXTERNAL_OAUTH_PROVIDERS, PUBLIC_URL } = given;
  const mistakes: string[] = [];
  let providers: ProviderSettings[] = [];
  try {
    providers = EXTERNAL_OAUTH_PROVIDERS === undefined ? [] : readProviders(EXTERNAL_OAUTH_PROVIDERS);
  } catch (error) {
    mistakes.push(`EXTERNAL_OAUTH_PROVIDERS ${error instanceof Error ? error.message : "cannot be read"}`);
  }
  if (providers.length > 0 && SECRETS_KEYS === undefined) {
    mistakes.push("EXTERNAL_OAUTH_PROVIDERS needs SECRETS_KEYS, under which tokens are kept");
  }
  if (providers.length > 0 && PUBLIC_URL === undefined) {
    mistakes.push("EXTERNAL_OAUTH_PROVIDERS needs PUBLIC_URL, which browsers are sent back to");
  }
  if (mistakes.length > 0) throw new SettingsError(mistakes);
  const ring = SECRETS_KEYS === undefined ? [] : readKeyRing(SECRETS_KEYS);
  const at = (path: string) => (PUBLIC_URL === undefined ? undefined : PUBLIC_URL.replace(/\/+$/, "") + path);
  return { ring, providers, redirectUri: at(callbackPath), reviewUri: at(reviewPath) };
}
