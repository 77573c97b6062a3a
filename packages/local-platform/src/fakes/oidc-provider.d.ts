/** The part of `oidc-provider` (which ships no declarations) that we use. */
declare module "oidc-provider" {
  import type { IncomingMessage, Server, ServerResponse } from "node:http";

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
    cookies: { keys: string[]; names?: Record<string, string> };
    claims?: Record<string, string[]>;
    scopes?: string[];
    features: Record<string, object>;
    extraTokenClaims?(context: unknown, token: { clientId?: string }): object;
    findAccount?(context: unknown, id: string): { accountId: string; claims(): { sub: string } };
    loadExistingGrant?(context: GrantContext): Promise<Grant>;
    issueRefreshToken?(): Promise<boolean>;
    pkce?: { required(): boolean };
    interactions?: { url(context: unknown, interaction: Interaction): string };
    ttl?: Record<string, number>;
  }

  /** What a person does on the pages where they sign in and agree. */
  export interface Interaction {
    uid: string;
    prompt: { name: string; details: { missingOIDCScope?: string[] } };
    session?: { accountId: string };
    params: { client_id: string };
  }

  /** Of a request to the page where people agree. */
  export interface GrantContext {
    oidc: { provider: Provider; client: { clientId: string }; session: { accountId: string } };
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  class Provider {
    constructor(issuer: string, configuration: Configuration);
    readonly Grant: new (owner: {
      accountId: string;
      clientId: string;
    }) => Grant;
    listen(port: number, host: string, listening?: () => void): Server;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    /** @throws Error when the browser's cookie names no interaction */
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
  }

  // biome-ignore lint/style/noDefaultExport: the package exports it so
  export { Provider as default };
}
