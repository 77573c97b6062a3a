/** An identity provider whose access tokens are believed. */
export interface Issuer {
  /** `iss` of its tokens, exactly. */
  issuer: string;
  /** `aud` that its tokens must carry. */
  audience: string;
  /** The claim that names the organisation by id or slug. Default `organisation`. */
  organisationClaim: string;
  /** Where its keys are. Default: what its discovery document says. */
  jwksUri: string | undefined;
  /** Whether plain http is taken, and then on loopback only: for development. Default false. */
  allowHttp: boolean;
}

const fields = new Set(["issuer", "audience", "organisation_claim", "jwks_uri", "allow_http"]);

/** Reads the issuers of a setting. Throws an Error whose message is one sentence about the first mistake. */
export function readIssuers(value: unknown): Issuer[] {
  if (!Array.isArray(value)) throw new Error("must be a JSON list of issuers");
  const issuers = value.map((entry: unknown, index) => readIssuer(entry, `entry ${index}`));
  const names = new Set(issuers.map(({ issuer }) => issuer));
  if (names.size < issuers.length) throw new Error("names an issuer twice");
  return issuers;
}

function readIssuer(entry: unknown, where: string): Issuer {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry))
    throw new Error(`${where} must be an object`);
  const given = new Map<string, unknown>(Object.entries(entry));
  for (const field of given.keys()) if (!fields.has(field)) throw new Error(`${where} has an unknown field ${field}`);
  const allowHttp = given.get("allow_http") ?? false;
  if (typeof allowHttp !== "boolean") throw new Error(`${where}: allow_http must be true or false`);
  const issuer = {
    issuer: text(given, "issuer", where),
    audience: text(given, "audience", where),
    organisationClaim: given.has("organisation_claim") ? text(given, "organisation_claim", where) : "organisation",
    jwksUri: given.has("jwks_uri") ? text(given, "jwks_uri", where) : undefined,
    allowHttp,
  };
  for (const url of [issuer.issuer, issuer.jwksUri]) {
    if (url !== undefined && !mayAsk(url, allowHttp)) {
      throw new Error(`${where}: ${url} must be an https URL (http only on loopback, with allow_http)`);
    }
  }
  return issuer;
}

function text(given: Map<string, unknown>, field: string, where: string): string {
  const value = given.get(field);
  if (typeof value !== "string" || value === "") throw new Error(`${where}: ${field} must be a text that is not empty`);
  return value;
}

/** Whether keys may be fetched from there: an address that others can answer for would let them make tokens. */
export function mayAsk(address: string, allowHttp: boolean): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  if (url.username || url.password) return false;
  if (url.protocol === "https:") return true;
  return allowHttp && url.protocol === "http:" && isLoopback(url.hostname);
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
