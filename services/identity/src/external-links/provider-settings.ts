import type { ProviderEndpoints } from "../oauth-client/oauth-client.ts";

/** An account platform that members may link, as it is set up. */
export interface ProviderSettings {
  /** Its name in paths: `[a-z0-9_-]`. */
  provider: string;
  /** `iss` of the provider; its endpoints are discovered there unless they are given. */
  issuer: string;
  endpoints: ProviderEndpoints | undefined;
  clientId: string;
  /** Secret. */
  clientSecret: string;
  scopes: string[];
  /** Whether plain http is taken: for development. Default false. */
  allowHttp: boolean;
}

const known = new Set([
  "provider",
  "issuer",
  "authorization_endpoint",
  "token_endpoint",
  "revocation_endpoint",
  "client_id",
  "client_secret",
  "scopes",
  "allow_http",
]);

/**
 * Reads the providers of a setting.
 * @throws Error whose message is one sentence about the first mistake, without a secret.
 */
export function readProviders(text: string): ProviderSettings[] {
  const list = parsed(text);
  if (!Array.isArray(list)) throw new Error("must be a JSON list of providers");
  const providers = list.map((entry: unknown, index) => readProvider(entry, `entry ${index}`));
  if (new Set(providers.map(({ provider }) => provider)).size < providers.length) {
    throw new Error("names a provider twice");
  }
  return providers;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own words quote the text, and this text holds secrets.
    throw new Error("must be JSON");
  }
}

function readProvider(entry: unknown, where: string): ProviderSettings {
  const given = new Map<string, unknown>(Object.entries(entry ?? {}));
  for (const field of given.keys()) if (!known.has(field)) throw new Error(`${where} has an unknown field ${field}`);
  const provider = textOf(given, "provider", where);
  if (!/^[a-z0-9][a-z0-9_-]{0,62}$/.test(provider)) {
    throw new Error(`${where}: provider must be 1 to 63 of a-z, 0-9, _ and -, and begin with a letter or digit`);
  }
  const allowHttp = given.get("allow_http") ?? false;
  if (typeof allowHttp !== "boolean") throw new Error(`${where}: allow_http must be true or false`);
  const url = (field: string) => urlOf(given, field, { where, allowHttp });
  return {
    provider,
    issuer: url("issuer"),
    endpoints: endpointsOf(given, where, url),
    clientId: textOf(given, "client_id", where),
    clientSecret: textOf(given, "client_secret", where),
    scopes: scopesOf(given, where),
    allowHttp,
  };
}

function endpointsOf(
  given: ReadonlyMap<string, unknown>,
  where: string,
  url: (field: string) => string,
): ProviderEndpoints | undefined {
  const isGiven = ["authorization_endpoint", "token_endpoint"].map((field) => given.has(field));
  if (isGiven.every((is) => !is)) {
    if (given.has("revocation_endpoint")) {
      throw new Error(`${where}: revocation_endpoint needs authorization_endpoint and token_endpoint beside it`);
    }
    return undefined;
  }
  if (!isGiven.every(Boolean)) throw new Error(`${where}: authorization_endpoint and token_endpoint need each other`);
  const revocation = given.has("revocation_endpoint") ? url("revocation_endpoint") : undefined;
  return { authorization: url("authorization_endpoint"), token: url("token_endpoint"), revocation };
}

function textOf(given: ReadonlyMap<string, unknown>, field: string, where: string): string {
  const value = given.get(field);
  if (typeof value !== "string" || value === "") throw new Error(`${where}: ${field} must be a text that is not empty`);
  return value;
}

function urlOf(
  given: ReadonlyMap<string, unknown>,
  field: string,
  { where, allowHttp }: { where: string; allowHttp: boolean },
): string {
  const text = textOf(given, field, where);
  const { protocol, username, password } = URL.canParse(text)
    ? new URL(text)
    : { protocol: "", username: "", password: "" };
  const isFit = protocol === "https:" || (allowHttp && protocol === "http:");
  if (!isFit || username || password) {
    throw new Error(`${where}: ${field} must be an https URL without a password (http with allow_http only)`);
  }
  return text;
}

function scopesOf(given: ReadonlyMap<string, unknown>, where: string): string[] {
  const scopes: unknown = given.get("scopes") ?? [];
  const isScope = (scope: unknown): scope is string =>
    typeof scope === "string" && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope);
  if (!Array.isArray(scopes) || !scopes.every(isScope)) {
    throw new Error(`${where}: scopes must be a list of texts without blanks`);
  }
  return scopes;
}
