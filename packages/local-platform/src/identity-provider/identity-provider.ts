import { once } from "node:events";
import type { Server } from "node:http";
import Provider, { type ResourceServer } from "oidc-provider";

/** Audience of the access tokens it issues. */
export const audience = "aiplatform";

/** Long enough for a day of scripts; a fresh token comes with every start. */
const accessTokenSeconds = 24 * 3600;

/** A program that may ask for tokens. They stand for the subject of the same name. */
export interface ProviderClient {
  id: string;
  secret: string;
  /** Value of the claim `organisation` in its tokens. */
  organisation: string;
}

/** What the provider needs to be the same one after a restart. */
export interface ProviderIdentity {
  /** `iss` of its tokens; stays when the port changes, since members are bound to it. */
  issuer: string;
  /** Private keys, as JSON Web Keys. */
  keys: object[];
  cookieKey: string;
  clients: ProviderClient[];
}

/** Starts an OpenID provider that issues signed access tokens to its clients. For development and tests only. */
export async function startIdentityProvider(identity: ProviderIdentity, port: number, host: string): Promise<Server> {
  const resourceServer: ResourceServer = {
    scope: "",
    audience,
    accessTokenTTL: accessTokenSeconds,
    accessTokenFormat: "jwt",
    jwt: { sign: { alg: "ES256" } },
  };
  const organisations = new Map(identity.clients.map(({ id, organisation }) => [id, organisation]));
  const provider = new Provider(identity.issuer, {
    jwks: { keys: identity.keys },
    cookies: { keys: [identity.cookieKey] },
    clients: identity.clients.map(({ id, secret }) => ({
      client_id: id,
      client_secret: secret,
      id_token_signed_response_alg: "ES256",
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
    })),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => `urn:${audience}`,
        getResourceServerInfo: () => resourceServer,
        useGrantedResource: () => true,
      },
    },
    extraTokenClaims: (_context, { clientId = "" }) => ({ organisation: organisations.get(clientId) }),
  });
  const server = provider.listen(port, host);
  await once(server, "listening");
  return server;
}
