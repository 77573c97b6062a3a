import { SessionCookie } from "@aiplatform/caller-identity";
import { SettingsError } from "@aiplatform/service-host";
import type { Issuer } from "../credentials/issuer.ts";
import type { SignInSettings } from "../credentials/sign-in-settings.ts";

/** An identity provider that people sign in with, and the platform's secret there. */
export interface SignInClient extends SignInSettings {
  issuer: Issuer;
  /** Secret. */
  clientSecret: string;
}

/** Reads them from the service's settings. @throws SettingsError with every mistake in them. */
export function readSignInClients(given: {
  readonly OIDC_ISSUERS: readonly Issuer[];
  readonly OIDC_CLIENT_SECRETS: string | undefined;
  readonly PUBLIC_URL: string | undefined;
}): SignInClient[] {
  const mistakes: string[] = [];
  const secrets = secretsOf(given.OIDC_CLIENT_SECRETS, mistakes);
  const wanted = given.OIDC_ISSUERS.flatMap((issuer) => (issuer.signIn ? [{ issuer, ...issuer.signIn }] : []));
  const clients = wanted.map((client) => ({ ...client, clientSecret: secrets.get(client.id) ?? "" }));
  for (const { id, clientSecret } of clients) {
    if (clientSecret === "")
      mistakes.push(`OIDC_CLIENT_SECRETS needs the client secret of ${id}, which OIDC_ISSUERS names`);
  }
  for (const id of secrets.keys()) {
    if (!wanted.some((client) => client.id === id)) {
      mistakes.push(`OIDC_CLIENT_SECRETS names ${id}, which is no id of sign_in in OIDC_ISSUERS`);
    }
  }
  if (clients.length > 0 && !SessionCookie.at(given.PUBLIC_URL)) {
    mistakes.push(
      "OIDC_ISSUERS with sign_in needs PUBLIC_URL, over https or on this machine, where browsers have sessions",
    );
  }
  if (mistakes.length > 0) throw new SettingsError(mistakes);
  return clients;
}

function secretsOf(text: string | undefined, mistakes: string[]): ReadonlyMap<string, string> {
  if (text === undefined) return new Map();
  const entries = entriesOf(text);
  const secrets = entries.flatMap(([id, secret]): [string, string][] =>
    typeof secret === "string" && secret !== "" ? [[id, secret]] : [],
  );
  if (entries.length === 0 || secrets.length < entries.length) {
    mistakes.push("OIDC_CLIENT_SECRETS must be a JSON object of texts that are not empty");
  }
  return new Map(secrets);
}

function entriesOf(text: string): [string, unknown][] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  } catch {
    // The parser's own words quote the text, and this text holds secrets.
    return [];
  }
}
