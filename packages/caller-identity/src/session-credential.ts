/** What the token of every session begins with. */
const sessionPrefix = "ais_";
/** What every one-time sign-in code begins with. */
const codePrefix = "aic_";
/** 256 random bits. */
const secretBytes = 32;
const secretShape = /^(?:ais|aic)_[0-9A-Za-z_-]{43}$/;
const codeCredential = "sign-in-code:";

type RandomBytes = (size: number) => Uint8Array;

/** A new token of a session: `ais_` and 43 random characters. A secret: never logged, stored only as a hash. */
export function newSessionToken(randomBytes: RandomBytes): string {
  return sessionPrefix + Buffer.from(randomBytes(secretBytes)).toString("base64url");
}

/** A new one-time sign-in code: `aic_` and 43 random characters. A secret, as a token is. */
export function newSignInCode(randomBytes: RandomBytes): string {
  return codePrefix + Buffer.from(randomBytes(secretBytes)).toString("base64url");
}

/** Whether a bearer claims to be the token of a session, well-formed or not. */
export function looksLikeSession(bearer: string): boolean {
  return bearer.startsWith(sessionPrefix);
}

/** Whether a bearer claims to be a one-time sign-in code, well-formed or not. */
export function looksLikeSignInCode(bearer: string): boolean {
  return bearer.startsWith(codePrefix);
}

/** Whether the text has the shape of a session's token or of a sign-in code: nothing else needs a look at the database. */
export function hasSessionShape(text: string): boolean {
  return secretShape.test(text);
}

/** The credential id of a member's session: what the audit log names, and what caches forget any session by. */
export function sessionCredentialId(sessionId: string): string {
  return `session:${sessionId}`;
}

/** The credential id of a one-time sign-in code. */
export function signInCodeCredentialId(codeId: string): string {
  return `${codeCredential}${codeId}`;
}

/** The code's id in the credential id of a one-time sign-in code; undefined in any other. */
export function signInCodeIdOf(credentialId: string): string | undefined {
  return credentialId.startsWith(codeCredential) ? credentialId.slice(codeCredential.length) : undefined;
}
