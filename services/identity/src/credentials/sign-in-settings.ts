/** How people sign in to the console with an identity provider, as it is set up. */
export interface SignInSettings {
  /** Its name in paths: `[a-z0-9_-]`. */
  id: string;
  /** Its name for people. */
  name: string;
  /** The platform's client id there. */
  clientId: string;
  /** Scopes that are asked for, `openid` included. Default: `openid email`. */
  scopes: string[];
  /** How the client shows its secret. Default `client_secret_post`. */
  authentication: ClientAuthentication;
}

const authentications = ["client_secret_post", "client_secret_basic"] as const;

/** Ways in which a client shows its secret to the token endpoint. */
export type ClientAuthentication = (typeof authentications)[number];

const fields = new Set(["id", "name", "client_id", "scopes", "token_endpoint_auth_method"]);

/** @throws Error whose message is one sentence about the first mistake. */
export function readSignIn(value: unknown, where: string): SignInSettings {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${where} must be an object`);
  const given = new Map<string, unknown>(Object.entries(value));
  for (const field of given.keys()) if (!fields.has(field)) throw new Error(`${where} has an unknown field ${field}`);
  const text = (field: string) => {
    const found = given.get(field);
    if (typeof found !== "string" || found === "")
      throw new Error(`${where}: ${field} must be a text that is not empty`);
    return found;
  };
  const id = text("id");
  if (!/^[a-z0-9][a-z0-9_-]{0,62}$/.test(id)) {
    throw new Error(`${where}: id must be 1 to 63 of a-z, 0-9, _ and -, and begin with a letter or digit`);
  }
  const clientId = text("client_id");
  return {
    ...{ id, name: text("name"), clientId },
    scopes: scopesOf(given.get("scopes") ?? ["email"], where),
    authentication: authenticationOf(given.get("token_endpoint_auth_method") ?? "client_secret_post", where),
  };
}

function scopesOf(given: unknown, where: string): string[] {
  const isScope = (scope: unknown): scope is string =>
    typeof scope === "string" && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope);
  if (!Array.isArray(given) || !given.every(isScope)) {
    throw new Error(`${where}: scopes must be a list of texts without blanks`);
  }
  // Without it the provider gives no id token.
  return [...new Set(["openid", ...given])];
}

function authenticationOf(given: unknown, where: string): ClientAuthentication {
  const known = authentications.find((each) => each === given);
  if (!known) throw new Error(`${where}: token_endpoint_auth_method must be ${authentications.join(" or ")}`);
  return known;
}
