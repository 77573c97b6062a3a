/** The part of `oidc-provider` (which ships no declarations) that we use. */
declare module "oidc-provider" {
  import type { Server } from "node:http";

  export interface ResourceServer {
    scope: string;
    audience: string;
    accessTokenTTL: number;
    accessTokenFormat: "jwt";
    jwt: { sign: { alg: "ES256" } };
  }

  export interface Configuration {
    jwks: { keys: object[] };
    clients: object[];
    cookies: { keys: string[] };
    scopes?: string[];
    features: Record<string, object>;
    extraTokenClaims?(context: unknown, token: { clientId?: string }): object;
    findAccount?(context: unknown, id: string): { accountId: string; claims(): { sub: string } };
    issueRefreshToken?(): Promise<boolean>;
    pkce?: { required(): boolean };
    ttl?: Record<string, number>;
  }

  class Provider {
    constructor(issuer: string, configuration: Configuration);
    listen(port: number, host: string, listening?: () => void): Server;
  }

  // biome-ignore lint/style/noDefaultExport: the package exports it so
  export { Provider as default };
}
