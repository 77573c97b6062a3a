/** Audience of the access tokens it issues. */
export const audience = "aiplatform";

/** A program that may ask for tokens. They stand for the subject of the same name. */
export interface OidcClient {
  id: string;
  secret: string;
  /** Value of the claim `organisation` in its tokens. */
  organisation: string;
}

/** What the provider needs to be the same one after a restart. */
export interface OidcIdentity {
  /** `iss` of its tokens; stays when the port changes, since members are bound to it. */
  issuer: string;
  /** Private keys, as JSON Web Keys. */
  keys: object[];
  cookieKey: string;
  clients: OidcClient[];
}

/** The console, at which people sign in with the provider. */
export interface ConsoleClient {
  secret: string;
  /** Where browsers go back to. */
  redirectUri: string;
}

/** Client id of the console. */
export const consoleClientId = "console";
