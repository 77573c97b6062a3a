import { once } from "node:events";
import type { Server } from "node:http";
import Provider, { type ResourceServer } from "oidc-provider";
import { audience, type OidcIdentity } from "./oidc-identity.ts";

/** Long enough for a day of scripts; a fresh token comes with every start. */
const accessTokenSeconds = 24 * 3600;

/** Starts an OpenID provider that issues signed access tokens to its clients. For development and tests only. */
export async function startFakeOidc(identity: OidcIdentity, port: number, host: string): Promise<Server> {
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
    ttl: { ClientCredentials: accessTokenSeconds },
    extraTokenClaims: (_context, { clientId = "" }) => ({ organisation: organisations.get(clientId) }),
  });
  const server = provider.listen(port, host);
  await once(server, "listening");
  return server;
}
