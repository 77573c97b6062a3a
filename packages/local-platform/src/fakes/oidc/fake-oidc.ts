import { once } from "node:events";
import type { Server } from "node:http";
import Provider, { type ResourceServer } from "oidc-provider";
import { withInteractions } from "../interaction/interaction.ts";
import { consoleSignIn } from "./console-sign-in.ts";
import { audience, type ConsoleClient, consoleClientId, type OidcIdentity } from "./oidc-identity.ts";

const look = { name: "Identity provider", note: "The identity provider of this machine, for development." };

/** Long enough for a day of scripts; a fresh token comes with every start. */
const accessTokenSeconds = 24 * 3600;

/**
 * Starts an OpenID provider that issues signed access tokens to its clients, and at which people sign in to the console. For development
 * and tests only.
 */
export async function startFakeOidc(
  identity: OidcIdentity,
  { host, port }: { host: string; port: number },
  console: ConsoleClient,
): Promise<Server> {
  const resourceServer: ResourceServer = {
    scope: "",
    audience,
    accessTokenTTL: accessTokenSeconds,
    accessTokenFormat: "jwt",
    jwt: { sign: { alg: "ES256" } },
  };
  const organisations = new Map(identity.clients.map(({ id, organisation }) => [id, organisation]));
  const { client, configuration } = consoleSignIn(identity, console);
  const programs = identity.clients.map(({ id, secret }) => ({
    client_id: id,
    client_secret: secret,
    id_token_signed_response_alg: "ES256",
    grant_types: ["client_credentials"],
    redirect_uris: [],
    response_types: [],
  }));
  const provider = new Provider(identity.issuer, {
    ...configuration,
    jwks: { keys: identity.keys },
    // Browsers tell no ports of a host apart: the social network has cookies, too.
    cookies: {
      keys: [identity.cookieKey],
      names: { session: "_oidc", interaction: "_oidc_page", resume: "_oidc_resume" },
    },
    clients: [...programs, client],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        // What the console gets is for the provider's own userinfo endpoint.
        defaultResource: (_context: unknown, { clientId }: { clientId: string }) =>
          clientId === consoleClientId ? undefined : `urn:${audience}`,
        getResourceServerInfo: () => resourceServer,
        useGrantedResource: () => true,
      },
    },
    ttl: { ...configuration.ttl, ClientCredentials: accessTokenSeconds },
    extraTokenClaims: (_context, { clientId = "" }) => ({ organisation: organisations.get(clientId) }),
  });
  const accounts = identity.clients.map(({ id }) => id);
  const server = withInteractions(provider, { ...look, accounts }).listen(port, host);
  await once(server, "listening");
  return server;
}
