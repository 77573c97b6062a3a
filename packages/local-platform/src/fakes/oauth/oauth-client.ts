/** What the provider and its one client, the platform, need to be the same ones after a restart. */
export interface OauthClient {
  clientId: string;
  clientSecret: string;
  /** Private keys, as JSON Web Keys. */
  keys: object[];
  cookieKey: string;
}
