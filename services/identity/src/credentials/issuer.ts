import { readSignIn, type SignInSettings } from "./sign-in-settings.ts";

/** An identity provider whose access tokens are believed. */
export interface Issuer {
  /** `iss` of its tokens, exactly. */
  issuer: string;
  /** `aud` that its tokens must carry. */
  audience: string;
  /** Id or slug of the one organisation that it speaks for. Absent: its tokens name theirs. */
  organisation: string | undefined;
  /** The claim that names the organisation by id or slug. Default `organisation`. Not looked at when there is only one. */
  organisationClaim: string;
  /** The claim that names the member for good. Default `sub`. */
  subjectClaim: string;
  /** The claims with the member's e-mail address and whether it is verified. Absent: addresses open nothing. */
  verifiedEmail: { address: string; isVerified: string } | undefined;
  /** Where its keys are. Default: what its discovery document says. */
  jwksUri: string | undefined;
  /** Whether plain http is taken, and then on loopback only: for development. Default false. */
  allowHttp: boolean;
  /** How people sign in to the console with it. Absent: they do not. */
  signIn: SignInSettings | undefined;
}

const fields = new Set([
  "issuer",
  "audience",
  "organisation",
  "organisation_claim",
  "subject_claim",
  "match_verified_email",
  "email_claim",
  "email_verified_claim",
  "jwks_uri",
  "allow_http",
  "sign_in",
]);

/** Reads the issuers of a setting. @throws Error whose message is one sentence about the first mistake. */
export function readIssuers(value: unknown): Issuer[] {
  if (!Array.isArray(value)) throw new Error("must be a JSON list of issuers");
  const issuers = value.map((entry: unknown, index) => readIssuer(entry, `entry ${index}`));
  const names = new Set(issuers.map(({ issuer }) => issuer));
  if (names.size < issuers.length) throw new Error("names an issuer twice");
  const ids = issuers.flatMap(({ signIn }) => (signIn ? [signIn.id] : []));
  if (new Set(ids).size < ids.length) throw new Error("names an id of sign_in twice");
  return issuers;
}

function readIssuer(entry: unknown, where: string): Issuer {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry))
    throw new Error(`${where} must be an object`);
  const given = new Map<string, unknown>(Object.entries(entry));
  for (const field of given.keys()) if (!fields.has(field)) throw new Error(`${where} has an unknown field ${field}`);
  const read = (field: string, byDefault?: string) => text(given, field, { where, byDefault });
  const optional = (field: string) => (given.has(field) ? read(field) : undefined);
  if (given.has("organisation") && given.has("organisation_claim")) {
    throw new Error(`${where}: organisation and organisation_claim exclude each other`);
  }
  const allowHttp = flag(given, "allow_http", where);
  const issuer = {
    issuer: read("issuer"),
    audience: read("audience"),
    organisation: optional("organisation"),
    organisationClaim: read("organisation_claim", "organisation"),
    subjectClaim: read("subject_claim", "sub"),
    verifiedEmail: verifiedEmail(given, where),
    jwksUri: optional("jwks_uri"),
    allowHttp,
    signIn: given.has("sign_in") ? readSignIn(given.get("sign_in"), `${where}: sign_in`) : undefined,
  };
  for (const url of [issuer.issuer, issuer.jwksUri]) {
    if (url !== undefined && !mayAsk(url, allowHttp)) {
      throw new Error(`${where}: ${url} must be an https URL (http only on loopback, with allow_http)`);
    }
  }
  return issuer;
}

function verifiedEmail(given: Map<string, unknown>, where: string): Issuer["verifiedEmail"] {
  if (flag(given, "match_verified_email", where)) {
    return {
      address: text(given, "email_claim", { where, byDefault: "email" }),
      isVerified: text(given, "email_verified_claim", { where, byDefault: "email_verified" }),
    };
  }
  for (const field of ["email_claim", "email_verified_claim"]) {
    if (given.has(field)) throw new Error(`${where}: ${field} means nothing without match_verified_email`);
  }
  return undefined;
}

function text(
  given: Map<string, unknown>,
  field: string,
  o: { where: string; byDefault?: string | undefined },
): string {
  const value = given.has(field) ? given.get(field) : o.byDefault;
  if (typeof value !== "string" || value === "")
    throw new Error(`${o.where}: ${field} must be a text that is not empty`);
  return value;
}

function flag(given: Map<string, unknown>, field: string, where: string): boolean {
  const value = given.get(field) ?? false;
  if (typeof value !== "boolean") throw new Error(`${where}: ${field} must be true or false`);
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
